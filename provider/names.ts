/*
 * Names, versions and commands that programs, engines and the core share. States contain some of
 * the names, so these are permanent.
 */

export const RUNTIME = "pulumi-clouddb/runtime";

/** Pulumi's package of dynamic providers, and that of the native plugin. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";
export const NATIVE_PACKAGE = "clouddb";

/** The type of a dynamic resource. */
export function dynamicType(name: string): string {
  return `${DYNAMIC_PACKAGE}:dynamic/clouddb:${name}`;
}

/** The type of a native resource, and the token of a function, in every language. */
export function nativeType(name: string): string {
  return `${NATIVE_PACKAGE}:index:${name}`;
}

/**
 * The parts of a resource's URN that matter here: `urn:pulumi:stack::project::parent$type::name`.
 */
export function parseUrn(
  urn: string,
): Readonly<Record<"project" | "stack" | "type" | "name", string>> {
  const [start = "", project = "", types = "", ...name] = urn.split("::");
  // The stack with its project, as users write it. A name may hold colons itself.
  const stack = `${project}/${start.replace(/^urn:pulumi:/, "")}`;
  return { project, stack, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}

/** The command that removes a resource from the state, whatever depends on it. */
export function stateDeletion(urn: string): string {
  return `pulumi state delete --force ${shellArgument(urn)}`;
}

/**
 * An argument as a POSIX shell reads it, and as PowerShell does. The path of a Windows drive needs
 * no quotes.
 */
export function shellArgument(text: string): string {
  return /^([\w./:-]+|[A-Za-z]:[\w.\\/-]+)$/.test(text)
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The name of a resource's export in the runtime. */
export function runtimeExport(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The property in which Pulumi's dynamic provider stores the code of a resource. */
export const ENTRY = "__provider";

/** The stored text that leads from a state back to this package. */
export function entryText(name: string): string {
  return `exports.handler=()=>require("${RUNTIME}").${runtimeExport(name)}`;
}

/** A property that a class passes to its check besides the arguments; the check removes it. */
export const RESOURCE_NAME = "__resourceName";
/**
 * The property in which a class names an argument whose Output is undefined; the check removes it.
 */
export const EMPTY = "__empty";
/**
 * Where inputs and outputs keep the resource's URN, which Pulumi does not tell its dynamic
 * providers. Permanent.
 */
export const URN = "__urn";
/**
 * Where inputs and outputs keep the names of the arguments that the program marks as secret (never
 * their values): the engine hands over plain values, and outputs of other names may show them.
 * Permanent.
 */
export const SECRETS = "__secrets";

/**
 * Where outputs keep the names of sent arguments that no response has shown since; absent if there
 * are none. Permanent.
 */
export const UNSEEN = "__unseen";

/**
 * Where inputs and outputs keep the fingerprints of secrets by reference, by the names of the
 * secrets. Permanent.
 */
export const FINGERPRINTS = "secretFingerprints";

/** The end of the names of arguments that name an environment variable instead of a secret. */
export const REFERENCE_SUFFIX = "FromEnvironment";

export function isReferenceName(name: string): boolean {
  return name.endsWith(REFERENCE_SUFFIX);
}

/**
 * The names of arguments that check has refused. Policies are not shown names that begin with two
 * underlines.
 */
export const REFUSED = "clouddb:refused";

/**
 * The argument of a provider in which the classes store its option of that name: variable by
 * variable, as JSON.
 */
export const VARIABLE_MAPPINGS = "envVarMappings";
/**
 * Keys of a provider that are not settings: the argument of the classes, and the engine's own keys.
 */
export const PROVIDER_KEYS = [VARIABLE_MAPPINGS, "version", "pluginDownloadURL"];

/**
 * The arguments with a list of allowed values or characters, which a setting can open to newer
 * ones.
 */
export const LISTED_ARGUMENTS: readonly string[] = [
  "name",
  "provider",
  "region",
  "tier",
  "releaseChannel",
  "profile",
  "complianceType",
];

/** A provider setting as a user finds it: its configuration key and its environment variable. */
export function settingName(key: string, variable = settingVariable(key)): string {
  return `${settingKey(key)} (${variable})`;
}

export function settingKey(key: string): string {
  return `clouddb:${key}`;
}

export function settingVariable(key: string): string {
  return `CLOUDDB_${inSnakeCase(key).toUpperCase()}`;
}

/** An argument's name as pipe settings of the API and Python spell it. */
export function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// By the package's own name, so that it resolves both in the sources and in the published package.
const { name, version, repository } = require("pulumi-clouddb/package.json") as {
  name: string;
  version: string;
  repository: { url: string };
};

export { version };

/** The address of the plugin's releases. Without it, Pulumi looks for a plugin of its own. */
export const pluginDownloadURL = repository.url.replace(
  /^.*github\.com\/(.*)\.git$/,
  "github://api.github.com/$1",
);

/**
 * The User-Agent of a request. For a resource, it names the stack, so that the API's own log shows
 * who changed what.
 */
export function userAgent(urn = ""): string {
  const product = `${name}/${version}`;
  if (urn === "") return product;
  // Headers are ASCII, and a parenthesis would end the comment.
  const stack = encodeURI(parseUrn(urn).stack).replaceAll("(", "%28").replaceAll(")", "%29");
  return `${product} (${stack})`;
}
