import { readFileSync } from "node:fs";
import { coded, type Message } from "../../errors";
import { VARIABLE_MAPPINGS } from "../../names";

/* The environment of a provider, which only this file reads for settings and secrets. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Pairs of a user's variable and the provider's variable that it replaces. */
export type Mappings = readonly (readonly [source: string, target: string])[];

interface Variable {
  /** The name of the variable that is read. */
  readonly source: string;
  readonly isMapped: boolean;
  /** Empty counts as absent. */
  readonly value: string | undefined;
}

export type Variables = (name: string) => Variable;

/**
 * Looks up variables by the provider's names. A mapped variable's original belongs to another
 * account and is never read.
 */
export function variablesOf(environment: Environment, mappings: Mappings): Variables {
  return (name) => {
    const [source] = mappings.find(([, target]) => target === name) ?? [];
    const value = environment[source ?? name] || undefined;
    return { source: source ?? name, isMapped: source !== undefined, value };
  };
}

/** A secret's value, or the reason why it is missing. */
type SecretValue = { readonly value: string } | { readonly problem: string };

export type SecretReader = ReturnType<typeof createSecretReader>;

/**
 * Reads each secret once, so that a check and its request use the same value even if a file
 * changes. The next command reads again.
 */
export function createSecretReader(
  variables: () => Variables,
  addSecret: (value: string) => void,
  warn: (line: Message) => void,
) {
  const known = new Map<string, SecretValue>();
  const unset = new Set<string>();

  function read(variable: string): SecretValue {
    const found = known.get(variable) ?? readSecret(variables(), variable);
    known.set(variable, found);
    if ("value" in found) addSecret(found.value);
    return found;
  }

  /** Reads a secret; warns once per variable if it has no value. */
  function readOrWarn(variable: string): string | undefined {
    const found = read(variable);
    if ("value" in found) return found.value;
    if (!unset.has(variable)) {
      warn(
        coded(
          "CDB2012",
          `${variable} has no value here: ${found.problem}.`,
          "A preview cannot know whether the secret has changed;",
          "an operation that has to send it fails.",
        ),
      );
    }
    unset.add(variable);
    return undefined;
  }

  /** The name of the variable in messages. */
  const sourceOf = (variable: string) => placesOf(variables(), variable)[0]?.source ?? variable;

  return { read, readOrWarn, sourceOf };
}

/**
 * The variable of a secret, and the variable of its file. If either is mapped, only mapped ones
 * count.
 */
function placesOf(variables: Variables, name: string) {
  const places = ["", "_FILE"].map((end) => ({ ...variables(name + end), isFile: end !== "" }));
  const mapped = places.filter(({ isMapped }) => isMapped);
  return mapped.length > 0 ? mapped : places;
}

function readSecret(variables: Variables, name: string): SecretValue {
  const places = placesOf(variables, name);
  for (const { source, value, isFile } of places)
    if (value !== undefined) return isFile ? readFile(source, value) : { value };
  const [first, second] = places.map(({ source }) => source);
  const isUnset =
    second === undefined ? `${first} is not set` : `neither ${first} nor ${second} is set`;
  const rule = places.some(({ isMapped }) => isMapped)
    ? `, from which ${VARIABLE_MAPPINGS} of the provider takes ${name}`
    : "";
  return { problem: isUnset + rule };
}

/** Reads the file that a variable names. */
function readFile(variable: string, file: string): SecretValue {
  const place = `the file ${JSON.stringify(file)} that ${variable} names`;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(readFileSync(file))
      .replace(/\r?\n$/, "");
    return text === "" ? { problem: `${place} is empty` } : { value: text };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return {
      problem: code.startsWith("ERR_ENCODING")
        ? `${place} is not UTF-8`
        : `${place} cannot be read (${code})`,
    };
  }
}
