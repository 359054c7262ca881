import * as pulumi from "@pulumi/pulumi";
import type { Api, Client, Operation, PathParameters } from "../api";
import { invalidPaths, settingName, withoutAbsent } from "../fields";
import { adviceFor, describeError, describeInvalidFields, joinSentences } from "../lifecycle/user-error";
import { clock } from "../process/clock";
import { memoize } from "../program/memoize";
import { programError } from "../program/program-error";
import { createRedactor, credentialSecrets } from "../redaction/redactor";
import { Provider } from "../settings/provider";
import { functions } from "./definitions";
import type { FunctionOptions } from "./options";
import { settingsFor } from "./settings";

/** Sends a GET request, once per run of the program for the same provider and parameters. */
export function lookUp<Result>(
  name: string,
  operation: Operation<Result>,
  parameters: PathParameters,
  opts: FunctionOptions,
): Promise<Result> {
  const key = `${operation.path} ${JSON.stringify(parameters)}`;
  const displayName = functions[name]?.displayName(parameters) ?? name;
  return memoize(key, () => fetchOnce(displayName, operation, parameters, opts), opts.provider);
}

async function fetchOnce<Result>(
  displayName: string,
  operation: Operation<Result>,
  parameters: PathParameters,
  opts: FunctionOptions,
): Promise<Result> {
  try {
    const client = await clientFor(operation.api, opts);
    const found = (await client.call(operation, parameters)) as Result;
    const warning = describeInvalidFields(displayName, invalidPaths(found));
    if (warning !== undefined) void pulumi.log.warn(warning);
    return withoutAbsent(found);
  } catch (error) {
    // What the program did wrong is a sentence already.
    if (pulumi.RunError.isInstance(error)) throw error;
    // A program's own error is printed without a stack.
    throw programError(joinSentences(`Reading ${displayName}: ${describeError(error)}.`, adviceFor(error)));
  }
}

/** All functions of a run share a client for each provider and interface, and so connections and rate limit. */
async function clientFor(to: Api, opts: FunctionOptions): Promise<Client> {
  const settings = await settingsFor(opts);
  const redactor = createRedactor();
  redactor.addSecrets(credentialSecrets(settings.settings));
  // Loaded on demand: most programs declare resources and call no function.
  const { connect } = require("../session/connect") as typeof import("../session/connect");
  return memoize(
    `client ${to}`,
    () =>
      connect(to, settings, {
        clock,
        random: Math.random,
        log: (line) => void pulumi.log.info(line),
        redact: redactor.redact,
      }),
    opts.provider,
  );
}

/** The organization of a function: its argument, or that of the provider. */
export async function organizationOf(given: string | undefined, opts: FunctionOptions): Promise<string> {
  if (given !== undefined) return given;
  const { settings } = await settingsFor(opts);
  if (settings.organizationId !== undefined) return settings.organizationId;
  throw programError(`organizationId is missing: pass it, or set ${settingName("organizationId")}.`);
}

/** The result of a function whose arguments are outputs, with its secrets marked. */
export function asOutput<Args, Result extends object>(
  args: pulumi.Input<Args>,
  { provider }: FunctionOptions,
  fetch: (known: pulumi.Unwrap<Args>) => Promise<Result>,
  secrets: readonly string[] = [],
): pulumi.Output<Result> {
  // While a setting of the provider is unknown, so is the result. The key's secrecy does not extend to it.
  const configuration = provider instanceof Provider ? pulumi.unsecret(provider.configuration) : undefined;
  const known = pulumi.all([args, configuration]).apply(([each]) => each);
  const result = known.apply((each) => fetch(each as pulumi.Unwrap<Args>)) as pulumi.Output<Result>;
  if (secrets.length === 0) return result;
  const holdsSecret = (found: object) => secrets.some((name) => JSON.stringify(found).includes(`"${name}":`));
  return result.apply((found) => (holdsSecret(found) ? pulumi.secret(found) : found)) as pulumi.Output<Result>;
}
