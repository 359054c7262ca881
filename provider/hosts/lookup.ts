import { idsIn, withoutIds } from "../core/ids";
import { createSession, type Session } from "../core/session";
import { messageOf } from "../core/user-error";
import { coded, render } from "../errors";
import type { Properties } from "../fields";
import { type functions, parametersOf, readResult } from "../resources/functions";
import { configurationOf, type FunctionOptions, knownConfiguration, memoize } from "../sdk/provider";
import * as pulumi from "../sdk/pulumi";
import { programError } from "../sdk/pulumi-internals";
import { clock } from "./process";

/** Runs a function inside the program: one GET request for the same provider and arguments. */
export async function lookUp(
  name: string,
  args: Readonly<Properties>,
  opts: FunctionOptions,
  areSecret: boolean,
): Promise<unknown> {
  const functionName = name as keyof typeof functions;
  if (opts.provider && !configurationOf(opts))
    throw programError(coded("CDB2004", `The provider of ${name} must be a clouddb.Provider.`));
  // All functions of a run share connections and rate limit for each provider.
  const { dependencies, clientFor } = await memoize("session", () => openSession(opts), opts);
  const secretIds = areSecret ? idsIn(args) : [];
  for (const id of secretIds) dependencies.addSecret(id);
  try {
    const parameters = parametersOf(functionName, args, dependencies.settings());
    const read = () => readResult(functionName, parameters, clientFor, dependencies.warn);
    return await memoize(`${name} ${JSON.stringify(parameters)}`, read, opts);
  } catch (error) {
    // Pulumi prints a program's own error without a stack.
    const { code, text } = messageOf(error);
    throw programError(coded(code, withoutIds(text, secretIds)));
  }
}

/** A session with the settings that a resource with the same provider has. */
async function openSession(opts: FunctionOptions): Promise<Session> {
  const configuration = await knownConfiguration(opts);
  const session = createSession({
    environment: process.env,
    clock,
    random: Math.random,
    log: (line) => void pulumi.log.info(render(line)),
    warn: (line) => void pulumi.log.warn(render(line)),
    debug: (line) => void pulumi.log.debug(render(line)),
  });
  session.configure((key) => (configuration ? configuration[key] : pulumi.getConfig(key)));
  return session;
}
