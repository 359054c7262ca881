import { joinProblems, missingSettings } from "../../core/connect";
import { idsIn, withoutIds } from "../../core/redactor";
import type { Session } from "../../core/session";
import type { ReadSettings } from "../../core/settings";
import { messageOf, UserError } from "../../core/user-error";
import { coded } from "../../errors";
import { asSecret, isRecord, type Properties } from "../../fields";
import { settingName } from "../../names";
import { type FunctionDefinition, functions, readResult } from "../../resources/functions";
import { functionTable } from "../../sdk/function-table";
import { nameIn } from "./tokens";

/** Runs a function: one GET of the API. An error does not show the arguments that are secrets. */
export type Invoke = (functionToken: string, args: Properties, secrets: readonly string[]) => Promise<Properties>;

export function createInvoke({ dependencies, clientFor }: Session): Invoke {
  return async (functionToken, args, secrets) => {
    const name = nameIn(functionToken) ?? "";
    if (!isFunction(name)) throw new UserError(coded("CDB9002", `Unknown function ${functionToken}.`));
    const parameters = checkedParameters(name, functions[name].args, args, dependencies.settings());
    const secretIds = secrets.map((arg) => parameters[arg] ?? "");
    for (const id of idsIn(secretIds)) dependencies.addSecret(id);
    const result = await readResult(name, parameters, clientFor, dependencies.log).catch((error: unknown) => {
      const { code, text } = messageOf(error);
      throw new UserError(coded(code, withoutIds(text, secretIds)));
    });
    return markSecrets(result, functionTable[name].secrets) as Properties;
  };
}

function isFunction(name: string): name is keyof typeof functions {
  return Object.hasOwn(functions, name);
}

function checkedParameters(
  name: string,
  table: FunctionDefinition["args"],
  args: Properties,
  read: ReadSettings,
): Record<string, string> {
  const defaults: Properties = { organizationId: read.settings.organizationId };
  const unknown = Object.keys(args).filter((arg) => !Object.hasOwn(table, arg));
  if (unknown.length > 0) {
    throw new UserError(coded("CDB1001", `${name} has no argument ${unknown.join(", ")}; remove it.`));
  }
  return Object.fromEntries(
    Object.keys(table).map((arg) => {
      const value = args[arg] ?? defaults[arg];
      if (typeof value === "string" && value !== "") return [arg, value];
      const isMissing = value === undefined || value === null;
      if (isMissing && arg in defaults) {
        const missing = coded("CDB1002", `${arg} is missing: pass it, or set ${settingName(arg)}.`);
        throw new UserError(joinProblems(missing, ...read.problems, ...missingSettings("management", read)));
      }
      if (isMissing) throw new UserError(coded("CDB1002", `${name} requires ${arg}.`));
      throw new UserError(coded("CDB1012", `The argument ${arg} of ${name} must be a non-empty string.`));
    }),
  );
}

function markSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((inner) => markSecrets(inner, secrets));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secrets.includes(name) ? asSecret(inner) : markSecrets(inner, secrets),
    ]),
  );
}
