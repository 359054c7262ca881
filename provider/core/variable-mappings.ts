import { coded, type Message } from "../errors";
import { didYouMean, isRecord } from "../fields";
import { VARIABLE_MAPPINGS } from "../names";

/** A variable of the user, and that of the provider in whose place it is read. */
type Mapping = readonly [source: string, target: unknown];

/** The mappings that a class has stored as JSON. */
export function mappingsIn(stored: unknown): Mapping[] {
  try {
    const mappings: unknown = JSON.parse(String(stored));
    return isRecord(mappings) ? Object.entries(mappings) : [];
  } catch {
    return [];
  }
}

/** A misspelled or reversed mapping would leave the variable of another account in place. */
export function mappingProblems(mappings: readonly Mapping[], variables: readonly string[]): Message[] {
  return mappings.flatMap(([source, target]) => {
    const name = String(target);
    const reversed = variables.includes(source) ? "name your own variable first." : undefined;
    const advice = variables.includes(name) ? undefined : (didYouMean(name, variables) ?? reversed);
    return advice ? [coded("CDB2002", `${VARIABLE_MAPPINGS} is invalid: it maps ${source} to ${name}; ${advice}`)] : [];
  });
}
