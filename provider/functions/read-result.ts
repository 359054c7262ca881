import type { Api, Client, Operation } from "../api";
import { operations } from "../api/operations";
import { invalidPaths, type Properties, withoutAbsent } from "../fields";
import { adviceFor, describeError, describeInvalidFields, joinSentences, UserError } from "../lifecycle/user-error";
import type { FunctionDefinition } from "./definitions";

/** Sends the GET request of a function, and makes its result of the response. */
export async function readResult(
  { operation: operationName, displayName, toResult }: FunctionDefinition,
  parameters: Readonly<Record<string, string>>,
  clientFor: (api: Api) => Client,
  warn: (line: string) => void,
): Promise<Properties> {
  const operation: Operation = operations[operationName];
  const thing = displayName(parameters);
  try {
    const found = (await clientFor(operation.api).call(operation, parameters)) as Properties;
    const warning = describeInvalidFields(thing, invalidPaths(found));
    if (warning !== undefined) warn(warning);
    const result = withoutAbsent(found);
    return toResult?.(result) ?? result;
  } catch (error) {
    throw new UserError(joinSentences(`Reading ${thing}: ${describeError(error)}.`, adviceFor(error)));
  }
}
