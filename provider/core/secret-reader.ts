import { readFileSync } from "node:fs";
import { coded, type Message } from "../errors";

/** The value of a variable, or the reason why there is none. */
type SecretValue = { readonly value: string } | { readonly problem: string };

export type SecretReader = ReturnType<typeof createSecretReader>;

/**
 * Reads the secrets that environment variables hold, each once: what a check has seen is what is sent, also if a file
 * changes meanwhile. The next command finds the new value.
 */
export function createSecretReader(
  environment: Readonly<Record<string, string | undefined>>,
  addSecret: (value: string) => void,
  log: (line: Message) => void,
) {
  const known = new Map<string, SecretValue>();
  const unset = new Set<string>();

  function read(variable: string): SecretValue {
    const found = known.get(variable) ?? readSecret(environment, variable);
    known.set(variable, found);
    if ("value" in found) addSecret(found.value);
    return found;
  }

  /** The value, if there is one. Says once per variable that there is none. */
  function readOrWarn(variable: string): string | undefined {
    const found = read(variable);
    if ("value" in found) return found.value;
    if (!unset.has(variable)) {
      const text = `${variable} has no value here: ${found.problem}. A preview cannot know whether the secret has changed; an operation that has to send it fails.`;
      log(coded("CDB2012", text));
    }
    unset.add(variable);
    return undefined;
  }

  return { read, readOrWarn };
}

/** Reads a variable, or else the file that the variable `NAME_FILE` names. Empty counts as absent. */
function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): SecretValue {
  const [value, file] = [environment[name], environment[`${name}_FILE`]];
  if (value) return { value };
  if (!file) return { problem: `neither ${name} nor ${name}_FILE is set` };
  const place = `the file ${JSON.stringify(file)} that ${name}_FILE names`;
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
