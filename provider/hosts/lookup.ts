import { idsIn } from "../core/object/ids";
import { createSession, type Session } from "../core/session/session";
import { coded, render } from "../errors";
import type { Properties } from "../fields";
import { type FunctionName, runFunction } from "../resources/functions";
import { type FunctionOptions, memoize } from "../sdk/provider";
import * as pulumi from "../sdk/pulumi";
import { programError } from "../sdk/pulumi-internals";
import { clock, environmentOfProcess } from "./process";

/** Runs a function in the program, with one GET request. */
export async function lookUp(
  name: string,
  args: Properties,
  account: Pick<FunctionOptions, "provider">,
  /** The settings of an explicit provider by configuration key. */
  configuration: Properties | undefined,
  areSecret: boolean,
): Promise<unknown> {
  if (account.provider && !configuration)
    throw programError(coded("CDB2004", `The provider of ${name} must be a clouddb.Provider.`));
  // All functions with one provider share connections and rate limit during a run.
  const session = memoize("session", () => openSession(configuration), account);
  if (areSecret) for (const id of idsIn(args)) session.dependencies.addSecret(id);
  // Generated functions only pass valid names.
  return runFunction(name as FunctionName, args, session);
}

/** A session with the settings of the call's provider. */
function openSession(configuration: Properties | undefined): Session {
  const session = createSession({
    environment: environmentOfProcess(),
    clock,
    random: Math.random,
    log: (line) => void pulumi.log.info(render(line)),
    warn: (line) => void pulumi.log.warn(render(line)),
    debug: (line) => void pulumi.log.debug(render(line)),
  });
  session.configure((key) => (configuration ? configuration[key] : pulumi.getConfig(key)));
  return session;
}
