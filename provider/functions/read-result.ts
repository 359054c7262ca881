import type { Api, Client, Operation } from "../api";
import { operations } from "../api/operations";
import { invalidPaths, type Properties, withoutAbsent } from "../fields";
import { adviceFor, describeError, describeInvalidFields, joinSentences, UserError } from "../lifecycle/user-error";
import { type FunctionDefinition, functions } from "./definitions";
import type { functionTable } from "./function-table";

type Parameters = Readonly<Record<string, string>>;

/** Sends the GET request of a function, and makes its result of the response. */
export async function readResult(
  name: keyof typeof functionTable,
  given: Parameters,
  clientFor: (api: Api) => Client,
  warn: (line: string) => void,
): Promise<Properties> {
  const { args, operation: operationName, displayName, toResult }: FunctionDefinition = functions[name];
  const parameters = checkedIds(name, args, given);
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

/** The ids in their one form. Text that is no id may be anything, a secret too: it is neither sent nor repeated. */
function checkedIds(name: string, args: FunctionDefinition["args"], given: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(args).map(([arg, { schema }]) => {
      const { success, data, error } = schema.safeParse(given[arg]);
      if (success) return [arg, data];
      throw new UserError(`The argument ${arg} of ${name} is invalid: ${error.issues[0]?.message}.`);
    }),
  );
}
