import type { Dependencies } from "../api";
import { connect, joinProblems, missingSettings } from "../core/connect";
import { createRedactor, credentialSecrets, idsIn } from "../core/redactor";
import { type ReadSettings, readSettings } from "../core/settings";
import { messageOf } from "../core/user-error";
import { coded, type Message, render } from "../errors";
import { settingName } from "../names";
import { functions, readResult } from "../resources/functions";
import type { FunctionName, GivenArguments } from "../sdk/call";
import { memoize } from "../sdk/program";
import type { FunctionOptions } from "../sdk/provider";
import { configurationOf, knownConfiguration } from "../sdk/provider-configuration";
import * as pulumi from "../sdk/pulumi";
import { programError } from "../sdk/pulumi-internals";
import { clock } from "./process";

/** Runs a function inside the program: one GET request for the same provider and arguments. */
export async function lookUp(
  name: FunctionName,
  args: GivenArguments,
  opts: FunctionOptions,
  areSecret: boolean,
): Promise<unknown> {
  const settings = await settingsFor(opts);
  const parameters = withOrganization(name, args, settings);
  // All functions of a run share a client for each provider and interface, and so connections and rate limit.
  const { addSecrets, ...dependencies } = memoize("dependencies", () => createDependencies(settings), opts.provider);
  if (areSecret) addSecrets(idsIn(args));
  const key = `${name} ${JSON.stringify(parameters)}`;
  return memoize(key, () => fetchOnce(name, parameters, settings, dependencies, opts), opts.provider);
}

async function fetchOnce(
  name: FunctionName,
  parameters: GivenArguments,
  settings: ReadSettings,
  dependencies: Dependencies,
  opts: FunctionOptions,
): Promise<unknown> {
  try {
    return await readResult(
      name,
      parameters,
      (to) => memoize(`client ${to}`, () => connect(to, settings, dependencies), opts.provider),
      (line) => void pulumi.log.warn(render(line)),
    );
  } catch (error) {
    // A program's own error is printed without a stack.
    throw programError(messageOf(error));
  }
}

function createDependencies({ settings }: ReadSettings) {
  const redactor = createRedactor();
  redactor.addSecrets(credentialSecrets(settings));
  const { addSecrets, redact } = redactor;
  return {
    clock,
    random: Math.random,
    log: (line: Message) => void pulumi.log.info(render(line)),
    debug: (line: Message) => void pulumi.log.debug(render(line)),
    redact,
    addSecrets,
  };
}

/** The settings of a function: those that a resource with the same provider has. */
async function settingsFor(opts: FunctionOptions): Promise<ReadSettings> {
  const explicit = configurationOf(opts);
  const configuration = explicit && (await knownConfiguration(explicit));
  return readSettings((key) => (configuration ? configuration[key] : pulumi.getConfig(key)), process.env);
}

/** The arguments with the organization, if the function takes one: its argument, or that of the provider. */
function withOrganization(name: FunctionName, args: GivenArguments, read: ReadSettings): GivenArguments {
  if (!("organizationId" in functions[name].args) || args.organizationId !== undefined) return args;
  const { organizationId } = read.settings;
  if (organizationId !== undefined) return { organizationId, ...args };
  const setting = settingName("organizationId");
  const missing = coded("CDB1002", `organizationId is missing: pass it, or set ${setting}.`);
  throw programError(joinProblems(missing, ...read.problems, ...missingSettings("management", read)));
}
