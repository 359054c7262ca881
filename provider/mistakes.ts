import leven from "leven";
import { coded, type ErrorCode, type Message } from "./errors";
import { LISTED_ARGUMENTS, NATIVE_PACKAGE, PROVIDER_KEYS, settingKey, settingName } from "./names";

/* Messages about misspelled names. Programs load this file, so it uses no schemas. */

/** Longer texts are not compared. */
const MAX_LENGTH = 60;

/** Suggests the known name that is nearest to a misspelled one; undefined if none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const lower = name.toLowerCase();
  const [nearest] = known
    .map((other) => ({ other, distance: leven(lower, other.toLowerCase()) }))
    .filter(({ other, distance }) => isNear(lower, other.toLowerCase(), distance))
    .sort((one, two) => one.distance - two.distance);
  return nearest && `did you mean ${nearest.other}?`;
}

/** A sentence about an unknown name, with the nearest known one. */
export function describeUnknown(
  code: ErrorCode,
  sentence: string,
  name: string,
  known: readonly string[],
): Message {
  const question = didYouMean(name, known);
  return coded(code, `${sentence}${question ? `: ${question}` : "; remove it."}`);
}

/** Problems with unknown arguments of a provider or function. */
export function unknownArguments(
  owner: string,
  names: readonly string[],
  known: readonly string[],
): Message[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => describeUnknown("CDB1001", `${owner} has no argument ${name}`, name, known));
}

/**
 * Warnings about unknown keys in the stack's configuration. A project with the provider's name has
 * its own keys.
 */
export function unknownKeys(
  project: string,
  keys: readonly string[],
  settings: readonly string[],
): Message[] {
  if (project === NATIVE_PACKAGE) return [];
  return keys
    .filter((key) => !settings.includes(key) && !PROVIDER_KEYS.includes(key))
    .map((key) =>
      describeUnknown("CDB2008", `${settingKey(key)} is no setting of the provider`, key, settings),
    );
}

/**
 * Problems with unknown names in a setting that lists arguments. The names are hidden, since they
 * may be secrets. A near name gets a suggestion.
 */
export function unlistedNames(names: readonly string[] = []): Message[] {
  const known = LISTED_ARGUMENTS.join(", ");
  const rule = `${settingName("allowUnlisted")} is invalid: each name must be one of ${known}`;
  return names
    .filter((name) => !LISTED_ARGUMENTS.includes(name))
    .map((name) => {
      const question = didYouMean(name, LISTED_ARGUMENTS);
      return coded("CDB2002", `${rule}${question ? `; ${question}` : "."}`);
    });
}

export const SECRET_ORGANIZATION = coded(
  "CDB2009",
  `${settingName("organizationId")} must not be a secret: every resource stores it in plain text. Set it without \`--secret\`, or pass it as a plain value.`,
);

/**
 * Names with different digits, such as regions, are different, with or without a hyphen before the
 * digits.
 */
function isNear(name: string, other: string, distance: number): boolean {
  const [letters, otherLetters] = [name, other].map((text) => text.replace(/[\d-]/g, ""));
  const [digits, otherDigits] = [name, other].map((text) => text.replace(/\D/g, ""));
  if (letters === otherLetters && digits !== otherDigits) return false;
  return (
    distance <= Math.max(1, Math.floor(name.length / 4)) ||
    (name.length > 2 && other.startsWith(name))
  );
}

/** The configuration key for a JSON list of packages. */
export const NO_DEFAULT_PROVIDERS = "pulumi:disable-default-providers";

/**
 * The problem of a resource or function without a provider, if the setting disables one of these
 * packages.
 */
export function noDefaultProvider(
  user: string,
  setting: string | undefined,
  packages: readonly string[],
): Message | undefined {
  const disabled = setting?.match(/[^\s"[\],]+/g) ?? [];
  if (!disabled.some((name) => packages.includes(name))) return undefined;
  const problem = `${user} has no provider, and ${NO_DEFAULT_PROVIDERS} excludes the default one`;
  return coded("CDB2010", `${problem}: pass a clouddb.Provider to it or to its parent.`);
}
