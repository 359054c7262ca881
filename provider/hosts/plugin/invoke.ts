import { idsIn, withoutIds } from "../../core/object/ids";
import { messageOf, userError } from "../../core/object/user-error";
import type { Session } from "../../core/session/session";
import { asSecret, isRecord, type Properties } from "../../fields";
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
  return markNamed(result, functionTable[name].secrets) as Properties;
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

function markNamed(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((inner) => markNamed(inner, secrets));
  if (!isRecord(value)) return value;
  const marked = (name: string, inner: unknown) =>
    secrets.includes(name) ? asSecret(inner) : markNamed(inner, secrets);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, marked(name, inner)]),
  );
}
