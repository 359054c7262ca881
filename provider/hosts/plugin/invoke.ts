import { idsIn, withoutIds } from "../../core/object/ids";
import { messageOf, userError } from "../../core/object/user-error";
import type { Session } from "../../core/session/session";
import { asSecret, mapMembers, type Properties } from "../../fields";
import { type FunctionName, functions, runFunction } from "../../resources/functions";
import { functionTable } from "../../sdk/generated/tables";
import { nameIn } from "./values";

/** Runs a function. Errors do not show its secret arguments. */
export async function invoke(
  session: Pick<Session, "dependencies" | "clientFor">,
  functionToken: string,
  args: Properties,
  secrets: readonly string[],
): Promise<Properties> {
  const name = nameIn(functionToken);
  if (!isFunction(name)) throw userError("CDB9002", `Unknown function ${functionToken}.`);
  const secretIds = idsIn(secrets.map((arg) => args[arg]));
  for (const id of secretIds) session.dependencies.addSecret(id);
  const result = await runFunction(name, args, session).catch((error: unknown) => {
    const { code, text } = messageOf(error);
    throw userError(code, withoutIds(text, secretIds));
  });
  return markNamed(result, functionTable[name].secrets);
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

/** Marks all members with these names. */
function markNamed<Value>(value: Value, secrets: readonly string[]): Value {
  return mapMembers(value, (inner, name) =>
    secrets.includes(String(name)) ? asSecret(inner) : markNamed(inner, secrets),
  );
}
