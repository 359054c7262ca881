import type { Explanations } from "./types";

/** CDB9…: the native plugin, and errors of the provider's own. */
export const pluginMessages = {
  "CDB9001.start": "Cannot start the plugin {name}: {reason}",
  "CDB9002.resource": "Unknown resource type {type}.",
  "CDB9002.function": "Unknown function {name}.",
  "CDB9003.configure":
    "Cannot configure a second provider: with PULUMI_DEBUG_PROVIDERS, one plugin process serves all providers of a run, and this one has other settings than the first. Nothing was changed. Run Pulumi without PULUMI_DEBUG_PROVIDERS, or debug a stack with one provider.",
  "CDB9004.unexpected": "unexpected error: {error}",
  "CDB9004.advice": "Run the same command again; it sends only what still differs.",
  "CDB9005.unreadable":
    "Cannot read a request of Pulumi's engine: {error}. Nothing was sent to the API. Use the plugin with a Pulumi CLI that it supports.",
} as const;

export const pluginExplanations: Explanations<typeof pluginMessages> = {
  CDB9001: {
    cause: "The plugin's Node.js is too old or missing, or no port is free.",
    action:
      "[Install the plugin](install.md#the-native-plugin), with Node.js 20 or later on `PATH`; Pulumi then starts it.",
  },
  CDB9002: {
    cause: "The program was written for another version of the plugin.",
    action: "Install the version of the program's SDK: `pulumi plugin ls` shows what is installed.",
  },
  CDB9003: {
    cause:
      "Requests of one account would be sent with the key of another. Without `PULUMI_DEBUG_PROVIDERS`, each provider has a process of its own.",
    action: "Run Pulumi without `PULUMI_DEBUG_PROVIDERS`.",
  },
  CDB9004: {
    cause: "An error of the provider itself.",
    action: "Please [report it](https://github.com/pulumi-clouddb/pulumi-clouddb/issues), with the message.",
  },
  CDB9005: {
    cause: "The CLI speaks another version of the protocol.",
    action: "Install [a CLI that the tests cover](versions.md).",
  },
};
