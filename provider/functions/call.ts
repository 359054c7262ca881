import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../fields";
import { describeType, isArguments, isGiven, isPending } from "../program/arguments";
import { isMocked } from "../program/mocked";
import { programError } from "../program/program-error";
import { functions } from "./definitions";
import type { FunctionOptions } from "./options";

/** Runs a function. In a user's unit test it calls the mock and sends no request. */
export async function call<Args extends object, Result>(
  name: string,
  args: Args,
  opts: FunctionOptions,
  fetch: (given: Args) => Promise<unknown>,
): Promise<Result> {
  const given = checked(name, args);
  if (isMocked()) return pulumi.runtime.invoke(`clouddb:index:${name}`, given, opts);
  const found = (await fetch(given)) as Properties;
  return (functions[name]?.toResult?.(found) ?? found) as Result;
}

/** The arguments that are given. Throws an error about the first invalid one. */
function checked<Args extends object>(name: string, args: Args): Args {
  const table = Object.entries(functions[name]?.args ?? {});
  const required = table.flatMap(([arg, { optional }]) => (optional ? [] : [arg]));
  if (args === undefined) throw programError(`${name} requires ${required.join(" and ")}.`);
  const instead = (value: unknown) => (isPending(value) ? `: use ${name}Output instead` : "");
  if (!isArguments(args)) {
    throw programError(`The arguments of ${name} must be an object; got ${describeType(args)}${instead(args)}.`);
  }
  const given = table.flatMap(([arg]) => {
    const value = args[arg as keyof Args];
    if (!isGiven(value)) return [];
    if (typeof value === "string" && value !== "") return [[arg, value] as const];
    const got = value === "" ? "an empty one" : `${describeType(value)}${instead(value)}`;
    throw programError(`The argument ${arg} of ${name} must be a non-empty string; got ${got}.`);
  });
  const missing = required.filter((arg) => !given.some(([each]) => each === arg));
  if (missing.length > 0) throw programError(`${name} requires ${missing.join(" and ")}.`);
  return Object.fromEntries(given) as Args;
}
