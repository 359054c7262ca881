/*
 * Names, versions and commands that programs, engines and the core share. Names in states are
 * permanent.
 */

export const RUNTIME = "pulumi-clouddb/runtime";

/** The packages of Pulumi's dynamic provider and of the native plugin. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";
export const NATIVE_PACKAGE = "clouddb";

/** The type of a dynamic resource. */
export function dynamicType(name: string): string {
  return `${DYNAMIC_PACKAGE}:dynamic/clouddb:${name}`;
}

/** The type of a native resource or the token of a function, in every language. */
export function nativeType(name: string): string {
  return `${NATIVE_PACKAGE}:index:${name}`;
}

/** The used parts of a URN: `urn:pulumi:stack::project::parent$type::name`. */
export function parseUrn(
  urn: string,
): Readonly<Record<"project" | "stack" | "type" | "name", string>> {
  const [start = "", project = "", types = "", ...name] = urn.split("::");
  // The stack with its project, as in the CLI. A name may contain colons.
  const stack = `${project}/${start.replace(/^urn:pulumi:/, "")}`;
  return { project, stack, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}

/** The command that removes a resource from the state, regardless of its dependents. */
export function stateDeletion(urn: string): string {
  return `pulumi state delete --force ${shellArgument(urn)}`;
}

/** Quotes an argument for a POSIX shell and PowerShell. A Windows path needs no quotes. */
export function shellArgument(text: string): string {
  return /^([\w./:-]+|[A-Za-z]:[\w.\\/-]+)$/.test(text)
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The name of a resource's export in the runtime. */
export function runtimeExport(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The property that Pulumi's dynamic provider reads a resource's code from. */
export const ENTRY = "__provider";

/** The stored code, which loads this package. */
export function entryText(name: string): string {
  return `exports.handler=()=>require("${RUNTIME}").${runtimeExport(name)}`;
}

/** A property that a class adds for its check, which removes it. */
export const RESOURCE_NAME = "__resourceName";
/** The property with the name of an argument whose Output is undefined. The check removes it. */
export const EMPTY = "__empty";
/**
 * The property with a resource's URN, which Pulumi does not pass to dynamic providers. Permanent.
 */
export const URN = "__urn";
/**
 * The property with the names (not values) of arguments that the program marks as secret. The
 * engine passes plain values, and other outputs may show them. Permanent.
 */
export const SECRETS = "__secrets";

/**
 * The output with the names of sent arguments that no response has shown since; absent if there are
 * none. Permanent.
 */
export const UNSEEN = "__unseen";

/**
 * The mark of a state that may be wrong: a request was sent, and its outcome is unknown. It holds
 * the names of the arguments that the request carried. Permanent.
 */
export const UNCERTAIN = "__uncertain";

/**
 * Where inputs and outputs keep the fingerprints of secrets by reference, by the names of the
 * secrets. Permanent.
 */
export const FINGERPRINTS = "secretFingerprints";

/** The suffix of arguments that name an environment variable instead of a secret. */
export const REFERENCE_SUFFIX = "FromEnvironment";

export function isReferenceName(name: string): boolean {
  return name.endsWith(REFERENCE_SUFFIX);
}

/**
 * The names of arguments that check refused. Policies do not see names that start with two
 * underscores.
 */
export const REFUSED = "clouddb:refused";

/** A provider argument for the classes' option of that name, as JSON. */
export const VARIABLE_MAPPINGS = "envVarMappings";
/** Provider arguments other than settings: the classes' own and the engine's. */
export const PROVIDER_KEYS = [VARIABLE_MAPPINGS, "version", "pluginDownloadURL"];

/** Arguments with a list of allowed values or characters, which a setting can extend. */
export const LISTED_ARGUMENTS: readonly string[] = [
  "name",
  "provider",
  "region",
  "tier",
  "releaseChannel",
  "profile",
  "complianceType",
];

/** The name of a setting for users: its configuration key and environment variable. */
export function settingName(key: string, variable = settingVariable(key)): string {
  return `${settingKey(key)} (${variable})`;
}

export function settingKey(key: string): string {
  return `clouddb:${key}`;
}

export function settingVariable(key: string): string {
  return `CLOUDDB_${inSnakeCase(key).toUpperCase()}`;
}

/** An argument's name in snake case, as in the API's pipe settings and in Python. */
export function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// Uses the package's own name, which resolves both in the sources and in the published package.
const { name, version, repository } = require("pulumi-clouddb/package.json") as {
  name: string;
  version: string;
  repository: { url: string };
};

export { version };

/** The address of the plugin's releases. Without it, Pulumi would search its own releases. */
export const pluginDownloadURL = repository.url.replace(
  /^.*github\.com\/(.*)\.git$/,
  "github://api.github.com/$1",
);

/**
 * The User-Agent of a request. For a resource, it includes the stack, so that the API's log shows
 * the origin of changes.
 */
export function userAgent(urn = ""): string {
  const product = `${name}/${version}`;
  if (urn === "") return product;
  // Headers are ASCII, and a parenthesis would end the comment.
  const stack = encodeURI(parseUrn(urn).stack).replaceAll("(", "%28").replaceAll(")", "%29");
  return `${product} (${stack})`;
}
