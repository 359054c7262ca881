import type { Explanations } from "./types";

/** Replaced where settings are arguments of an explicit provider. */
export const HOW_TO_SET = "use `pulumi config set` or the environment variable";

/** CDB2…: settings and providers. */
export const settingMessages = {
  "CDB2001.notSet": `{setting} is not set: ${HOW_TO_SET}.`,
  "CDB2001.rateLimit":
    "{setting} is not set, and processes share that limit through {url}: set it to the API's limit for one key, such as `10 per 10 s`.",
  "CDB2002.invalid": "{setting} is invalid: {rule}.",
  "CDB2003.insecure":
    "{setting} {url} is invalid: must use https, since plain HTTP sends the credentials unencrypted; to allow it, set {permission} to true.",
  "CDB2004.otherEntry": 'The provider of {user} must be a Provider imported from "{entry}", like {user} itself.',
  "CDB2004.notOurs": "The provider of {user} must be a clouddb.Provider.",
  "CDB2005.unknown":
    "The provider has arguments that are not known yet: call the function's Output form, or make the arguments known.",
  "CDB2006.notFound":
    "Cannot find pulumi-clouddb from {folder}, the working directory of the Pulumi program: install it there, or, in an inline program of the Automation API, call `process.chdir(__dirname)` first.",
} as const;

export const settingExplanations: Explanations<typeof settingMessages> = {
  CDB2001: {
    cause:
      "A setting is missing that the command needs, such as `clouddb:baseUrl`, `clouddb:keyId` or `clouddb:keySecret`. A preview reports it for the first resource that would be created or changed. For an explicit provider of a program in YAML, Python or Go, the message names its argument, because such a provider [does not read the stack's configuration](guides/accounts.md#other-languages). Processes that [share a rate limit](guides/share-rate-limit.md) need `clouddb:rateLimit` besides `clouddb:rateLimitUrl`.",
    action:
      "Set it under its configuration key or as its environment variable. [Configuration](configuration.md) lists all settings, and which of them takes precedence.",
  },
  CDB2002: {
    cause:
      "The setting does not have the form that the message names. A URL, key or token may have a space, tab or line break that is easy to overlook, often at its end: a secret that was copied with its line break, for example. Numbers and flags are as strict: `5`, not ` 5` or `5.0`; `true`, not `True`. The message never shows `clouddb:rateLimitUrl`, which may contain a password.",
    action:
      "Correct the value. The address of the API goes without `/v1` and `/api/v2`; `clouddb:rateLimitUrl` is the address of a [Redis or Valkey server](guides/share-rate-limit.md).",
  },
  CDB2003: {
    cause:
      "The address of the API uses plain HTTP. Addresses of other machines must use `https://`, so that nobody on the way can read the key.",
    action: "Use `https://`, or set `clouddb:allowInsecureHttp` in a network that you trust.",
  },
  CDB2004: {
    cause:
      "A resource or function has a provider of another package. `pulumi-clouddb` and `pulumi-clouddb/native` each have a `Provider` of their own.",
    action: "Import all classes from the same one.",
  },
  CDB2005: {
    cause:
      "A setting of the explicit provider is an output of a resource that does not exist before the update, so the preview cannot call the function.",
    action: "Call `getServiceOutput` instead of `getService`, or take the setting from the configuration.",
  },
  CDB2006: {
    cause:
      "Pulumi runs the provider from the folder of the program, and the package is not installed there. This also happens with a [component library](install.md#libraries-of-components) that brings the package in its own `node_modules`.",
    action: "Install the package in the folder of the program.",
  },
};
