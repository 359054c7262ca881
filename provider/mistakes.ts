import leven from "leven";
import { coded, type ErrorCode, type Message } from "./errors";
import { LISTED_ARGUMENTS, NATIVE_PACKAGE, PROVIDER_KEYS, settingKey, settingName } from "./names";

/*
 * Messages about mistakes in the names of arguments and in settings. Programs load them, so they
 * need no schemas.
 */

/** Longer texts are not taken for misspelled names. */
const MAX_LENGTH = 60;

/**
 * A question about the known name that is nearest to a misspelled one; undefined if none is near.
 */
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

/** The problem with each unknown argument of a provider or a function. */
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
 * A warning for each unknown key of the stack's configuration. A project of the same name has keys
 * of its own.
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
 * The problem with each unknown name in a setting that lists arguments. It may be a secret, so it
 * is not shown. The text names all arguments, so only a name that is near one gets a question.
 */
export function unlistedNames(names: readonly string[] = []): Message[] {
  const rule = `${settingName("allowUnlisted")} is invalid: each name must be one of ${LISTED_ARGUMENTS.join(", ")}`;
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
 * Names that differ in digits, such as regions, are different names, with or without a hyphen
 * before the digits.
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

/** A list of packages, as JSON. */
export const NO_DEFAULT_PROVIDERS = "pulumi:disable-default-providers";

/** The problem of a user without a provider if the setting names one of these packages. */
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
