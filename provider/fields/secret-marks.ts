/*
 * How secrets are marked. A program loads this file: it must import nothing.
 */

/**
 * Where inputs and outputs keep the names of the arguments that the program marks as secret (never their values): the
 * engine hands over plain values, and outputs of other names may show them. The name is stored, so it is permanent.
 */
export const SECRETS = "__secrets";

/** The member by which the engine tells a value of a special kind from an object, and its value for a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** A value that the engine stores and shows as a secret. */
export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}
