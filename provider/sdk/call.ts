import { coded } from "../errors";
import type { Properties } from "../fields";
import { nativeType } from "../names";
import { type Adapter, accountOf } from "./adapters";
import { assertKnownArguments, describeType, isArguments, isGiven, isPending } from "./arguments";
import { functionTable } from "./generated/tables";
import { configurationOf, type FunctionOptions, type FunctionOutputOptions } from "./provider";
import * as pulumi from "./pulumi";
import { idsOfDependencies, isMocked, programError } from "./pulumi-internals";

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
  const account = accountOf(adapter, name, opts);
  if (isMocked()) return pulumi.invoke(nativeType(name), given, account);
  return adapter.run(name, given, account, areSecret) as Promise<Result>;
}

/** The result of a function whose arguments are outputs, with its secrets marked. */
export function callOutput<Result extends object>(
  adapter: Adapter,
  name: FunctionName,
  args: object,
  { dependsOn, ...opts }: FunctionOutputOptions,
): pulumi.Output<Result> {
  const account = accountOf(adapter, name, opts);
  if (isArguments(args)) assertKnownArguments(name, args, functionTable[name].arguments);
  // While a setting of the provider is unknown, so is the result. The key's secrecy does not extend to it.
  const configuration = configurationOf(account);
  const awaited = [configuration && pulumi.unsecret(configuration), idsOfDependencies(dependsOn)];
  const known = pulumi.all([args, ...awaited]).apply(([value]) => value);
  const result = known.apply(async (value) =>
    call<Result>(adapter, name, value as object, account, await pulumi.isSecret(known)),
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
  assertKnownArguments(name, args, functionTable[name].arguments);
  for (const [argument, value] of Object.entries(args)) {
    if (!isPending(value)) continue;
    const type = `${describeType(value)}${advice(value)}`;
    throw programError(
      coded("CDB1012", `The argument ${argument} of ${name} must be a non-empty string; got ${type}.`),
    );
  }
  return Object.fromEntries(Object.entries(args).filter(([, value]) => isGiven(value)));
}
