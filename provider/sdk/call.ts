import { coded } from "../errors";
import type { Properties } from "../fields";
import { nativeType } from "../names";
import { type Adapter, assertProvider } from "./adapters";
import { describeType, isArguments, isGiven, isPending } from "./arguments";
import { functionTable } from "./generated/tables";
import { configurationOf, type FunctionOptions } from "./provider";
import * as pulumi from "./pulumi";
import { isMocked, programError } from "./pulumi-internals";

type FunctionName = keyof typeof functionTable;

/** Runs a function. In a user's unit test it calls the mock and sends no request. */
export async function call<Result>(
  adapter: Adapter,
  name: FunctionName,
  args: object | undefined,
  opts: FunctionOptions,
  areSecret = false,
): Promise<Result> {
  const given = givenArguments(name, args);
  if (isMocked()) return pulumi.invoke(nativeType(name), given, opts);
  assertProvider(adapter, name, opts.provider);
  if (opts.provider && !configurationOf(opts))
    throw programError(coded("CDB2004", `The provider of ${name} must be a clouddb.Provider.`));
  return adapter.run(name, given, opts, areSecret) as Promise<Result>;
}

/** The result of a function whose arguments are outputs, with its secrets marked. */
export function callOutput<Result extends object>(
  adapter: Adapter,
  name: FunctionName,
  args: object,
  opts: FunctionOptions,
): pulumi.Output<Result> {
  // While a setting of the provider is unknown, so is the result. The key's secrecy does not extend to it.
  const configuration = configurationOf(opts);
  const known = pulumi.all([args, configuration && pulumi.unsecret(configuration)]).apply(([value]) => value);
  const result = known.apply(async (value) =>
    call<Result>(adapter, name, value, opts, await pulumi.isSecret(known)),
  ) as pulumi.Output<Result>;
  const { secrets } = functionTable[name];
  const holdsSecret = (current: Result) => secrets.some((secret) => JSON.stringify(current).includes(`"${secret}":`));
  return result.apply((current) =>
    holdsSecret(current as Result) ? pulumi.secret(current) : current,
  ) as pulumi.Output<Result>;
}

/** The arguments that are given, as plain values. Their checks come with the request. */
function givenArguments(name: FunctionName, args: object | undefined = {}): Properties {
  const advice = (value: unknown) => (isPending(value) ? `: use ${name}Output instead` : "");
  if (!isArguments(args)) {
    throw programError(
      coded("CDB1012", `The arguments of ${name} must be an object; got ${describeType(args)}${advice(args)}.`),
    );
  }
  const given: [string, unknown][] = functionTable[name].arguments.map((arg) => [arg, args[arg as keyof typeof args]]);
  for (const [argument, value] of given) {
    if (!isPending(value)) continue;
    const type = `${describeType(value)}${advice(value)}`;
    throw programError(
      coded("CDB1012", `The argument ${argument} of ${name} must be a non-empty string; got ${type}.`),
    );
  }
  return Object.fromEntries(given.filter(([, value]) => isGiven(value)));
}
