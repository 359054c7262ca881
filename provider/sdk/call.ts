import { coded, type Message } from "../errors";
import { nativeType } from "../names";
import { describeType, isArguments, isGiven, isPending } from "./arguments";
import { functionTable } from "./function-table";
import type { FunctionOptions } from "./provider";
import { assertFunctionProvider, configurationOf } from "./provider-configuration";
import type { ProviderSource } from "./provider-option";
import * as pulumi from "./pulumi";
import { errorWithoutStack, isMocked, programError } from "./pulumi-internals";

export type FunctionName = keyof typeof functionTable;
/** Arguments that were checked. */
export type GivenArguments = Readonly<Record<string, string>>;

/** An adapter that runs functions: the parts that are specific to an entry point. */
export interface FunctionAdapter extends ProviderSource {
  /** The log of requests does not show arguments that are secrets. */
  readonly run: (
    name: FunctionName,
    args: GivenArguments,
    opts: FunctionOptions,
    areSecret: boolean,
  ) => Promise<unknown>;
}

/** Runs a function. In a user's unit test it calls the mock and sends no request. */
export async function call<Result>(
  adapter: FunctionAdapter,
  name: FunctionName,
  args: object,
  opts: FunctionOptions,
  areSecret = false,
): Promise<Result> {
  const parameters = checked(name, args);
  if (isMocked()) return pulumi.invoke(nativeType(name), parameters, opts);
  assertFunctionProvider(adapter, name, opts);
  return adapter.run(name, parameters, opts, areSecret) as Promise<Result>;
}

/** The result of a function whose arguments are outputs, with its secrets marked. */
export function callOutput<Result extends object>(
  adapter: FunctionAdapter,
  name: FunctionName,
  args: object,
  opts: FunctionOptions,
): pulumi.Output<Result> {
  // While a setting of the provider is unknown, so is the result. The key's secrecy does not extend to it.
  const configuration = configurationOf(opts);
  const known = pulumi.all([args, configuration && pulumi.unsecret(configuration)]).apply(([value]) => value);
  const result = known.apply(async (parameters) => {
    const isSecret = await pulumi.isSecret(known);
    return call<Result>(adapter, name, parameters, opts, isSecret).catch((error: Error) => {
      throw isSecret ? errorWithoutStack(withoutArguments(error.message, parameters)) : error;
    });
  });
  const { secrets } = functionTable[name];
  const holdsSecret = (current: object) => secrets.some((name) => JSON.stringify(current).includes(`"${name}":`));
  return result.apply((current) =>
    holdsSecret(current as object) ? pulumi.secret(current) : current,
  ) as pulumi.Output<Result>;
}

/** An error's message without the ids, which are secrets of the program. */
function withoutArguments(text: string, args: unknown): string {
  // Loaded on demand, like what sends requests.
  const { withoutIds } = require("../core/redactor") as typeof import("../core/redactor");
  const texts = Object.values(args ?? {}).filter((value): value is string => typeof value === "string");
  return withoutIds(text, texts);
}

/** The arguments that are given. Throws an error about the first invalid one. */
function checked(name: FunctionName, args: object): GivenArguments {
  const { required, optional } = functionTable[name];
  const incomplete = (names: readonly string[]) =>
    programError(coded("CDB1002", `${name} requires ${names.join(" and ")}.`));
  if (args === undefined) throw incomplete(required);
  const instead = (value: unknown) => (isPending(value) ? `: use ${name}Output instead` : "");
  if (!isArguments(args)) {
    throw programError(
      coded("CDB1012", `The arguments of ${name} must be an object; got ${describeType(args)}${instead(args)}.`),
    );
  }
  const parameters: Record<string, string> = {};
  for (const arg of [...optional, ...required]) {
    const value: unknown = args[arg as keyof typeof args];
    if (!isGiven(value)) continue;
    if (typeof value !== "string" || value === "") {
      const got = value === "" ? "an empty one" : `${describeType(value)}${instead(value)}`;
      throw programError(coded("CDB1012", `The argument ${arg} of ${name} must be a non-empty string; got ${got}.`));
    }
    parameters[arg] = value;
  }
  const missing = required.filter((arg) => !(arg in parameters));
  if (missing.length > 0) throw incomplete(missing);
  return parameters;
}
