import { coded } from "../errors";
import type { Properties } from "../fields";
import { nativeType } from "../names";
import { type Adapter, accountOfFunction } from "./adapters";
import { assertKnownArguments, describeType, isArguments, isGiven, isPending } from "./arguments";
import { functionTable } from "./generated/tables";
import {
  configurationOf,
  type FunctionOptions,
  type FunctionOutputOptions,
  knownConfiguration,
  memoize,
} from "./provider";
import * as pulumi from "./pulumi";
import { errorWithoutStack, idsOfDependencies, isMocked, programError } from "./pulumi-internals";

/** The engine's SDK attaches its handlers shortly after it has loaded the program. */
const HANDLED_AFTER_MS = 100;

type FunctionName = keyof typeof functionTable;

/**
 * Runs a function, once per run for the same provider and arguments. Errors show no secret
 * argument.
 */
export async function call<Result>(
  adapter: Adapter,
  name: FunctionName,
  args: object | undefined,
  opts: FunctionOptions,
  areSecret = false,
): Promise<Result> {
  const given = plainArguments(name, args);
  const account = accountOfFunction(adapter, name, opts);
  // In a unit test, the mock answers.
  if (isMocked()) return pulumi.invoke(nativeType(name), given, account);
  // With an unknown provider, the engine would return an empty result.
  const configuration = await knownConfiguration(account);
  const run = () => adapter.run(name, given, account, configuration, areSecret);
  return memoize(`${name} ${JSON.stringify(given)}`, run, account).catch(async (error: Error) => {
    // Rejects only after the engine's SDK handles rejections, since Node.js would print a warning.
    await new Promise((resolve) => setTimeout(resolve, HANDLED_AFTER_MS));
    // Pulumi prints this error without a stack, and the engine's prefix is redundant.
    const text = error.message.replace(/^invocation of \S+ returned an error: /, "");
    throw errorWithoutStack(areSecret ? withoutArguments(text, given) : text);
  }) as Promise<Result>;
}

/** The result of a function whose arguments are Outputs, with marked secrets. */
export function callOutput<Result extends object>(
  adapter: Adapter,
  name: FunctionName,
  args: object,
  { dependsOn, ...opts }: FunctionOutputOptions,
): pulumi.Output<Result> {
  const account = accountOfFunction(adapter, name, opts);
  if (isArguments(args)) assertKnownArguments(name, args, functionTable[name].arguments);
  // The result is unknown while a provider setting is. A secret key does not make the result
  // secret.
  const configuration = configurationOf(account);
  const awaited = [configuration && pulumi.unsecret(configuration), idsOfDependencies(dependsOn)];
  const known = pulumi.all([args, ...awaited]).apply(([value]) => value as object);
  return known.apply(async (value) => {
    const result = await call<Result>(adapter, name, value, account, await pulumi.isSecret(known));
    const text = JSON.stringify(result);
    return functionTable[name].secrets.some((secret) => text.includes(`"${secret}":`))
      ? pulumi.secret(result)
      : result;
  }) as pulumi.Output<Result>;
}

/** The arguments as plain values. The request validates them. */
function plainArguments(name: FunctionName, args: object = {}): Properties {
  const reject = (place: string, type: string, value: unknown) => {
    const advice = isPending(value) ? `: use ${name}Output instead` : "";
    return programError(
      coded(
        "CDB1012",
        `The ${place} of ${name} must be ${type}; got ${describeType(value)}${advice}.`,
      ),
    );
  };
  if (!isArguments(args)) throw reject("arguments", "an object", args);
  assertKnownArguments(name, args, functionTable[name].arguments);
  const given = Object.entries(args).filter(([, value]) => isGiven(value));
  const pending = given.find(([, value]) => isPending(value));
  if (pending !== undefined)
    throw reject(`argument ${pending[0]}`, "a non-empty string", pending[1]);
  return Object.fromEntries(given);
}

/** The error message without ids, which the program marks as secret. */
function withoutArguments(text: string, args: Properties): string {
  // Loaded on demand, like the code that sends requests.
  const { withoutIds } = require("../core/object/ids") as typeof import("../core/object/ids");
  // Kept, because the code could look like the start of an id.
  const [code = ""] = / \[CDB\d{4}\]$/.exec(text) ?? [];
  return (
    withoutIds(text.slice(0, text.length - code.length), Object.values(args).map(String)) + code
  );
}
