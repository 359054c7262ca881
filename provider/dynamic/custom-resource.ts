import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Definition, fieldPathsOf, type Properties, secretNames, secretPaths } from "../fields";
import { OWNER_CONFLICT, RESOURCE_NAME } from "../lifecycle/reserved-names";
import { isGiven, isPending } from "../program/arguments";
import { isMocked } from "../program/mocked";
import { programError } from "../program/program-error";
import { findOwnerConflict, type OwnedObject } from "./duplicate-owners";

const RUNTIME = "pulumi-clouddb/runtime";

/** The stored text that leads from a state back to this package: a permanent contract. */
export function entryText(entry: string): string {
  return `exports.handler=()=>require("${RUNTIME}").${entry}`;
}

/** What a resource class hands to the engine for its arguments: marked secrets, the entry, and room for each output. */
export function managedProperties(
  definition: Definition,
  entry: string,
  name: string,
  args: object,
  claims: readonly OwnedObject[],
): Properties {
  assertRuntimeResolves();
  const properties = secretPaths(definition).reduce<Properties>(markedSecret, { ...args });
  const outputs = [...Object.keys(definition.fields), ...Object.keys(definition.outputs)];
  return {
    ...Object.fromEntries(outputs.map((each) => [each, undefined])),
    ...properties,
    [RESOURCE_NAME]: name,
    ...(claims.length > 0 && { [OWNER_CONFLICT]: findOwnerConflict(name, claims) }),
    __provider: entryText(entry),
  };
}

/**
 * The SDK takes four stack traces for each property of a resource, to tell of promises that leak, and maps them to
 * sources: half of the time of a large preview. Until the answer is called there are none; it gives an error that was
 * made meanwhile the program's place. The position of the resource is not affected: the SDK sets the limit for that.
 */
export function withoutTraces(): (error?: unknown) => unknown {
  const limit = Error.stackTraceLimit;
  // Whoever looks for a leak needs them.
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  return function end(error) {
    Error.stackTraceLimit = limit;
    if (error instanceof Error && !error.stack?.includes("\n    at ")) Error.captureStackTrace(error, end);
    return error;
  };
}

/** Options with the outputs marked secret that only the API gives. */
export function withSecretOutputs(
  definition: Definition,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const names = [...(opts.additionalSecretOutputs ?? []), ...secretNames(definition)];
  return { ...opts, additionalSecretOutputs: [...new Set(names)] };
}

/** Says in the preview which declared arguments should not be used any more. */
export function warnOfDeprecated(definition: Definition, args: object, resource: pulumi.Resource): void {
  for (const { name, path, field } of fieldPathsOf(definition.fields)) {
    const declared = path.length === 1 ? (args as Properties)[path[0] ?? ""] : undefined;
    if (!isGiven(declared) || !field.deprecated) continue;
    const warning = `${name} is deprecated. ${field.deprecated}`;
    pulumi.output(declared).apply((value) => isGiven(value) && pulumi.log.warn(warning, resource));
  }
}

function markedSecret(properties: Properties, path: readonly string[]): Properties {
  const [name = "", ...rest] = path;
  const value = properties[name];
  if (!isGiven(value)) return properties;
  const isPlain = typeof value === "object" && !isPending(value);
  const marked = rest.length > 0 && isPlain ? markedSecret({ ...value } as Properties, rest) : pulumi.secret(value);
  return { ...properties, [name]: marked };
}

let resolves = false;

/** The engine loads the runtime from the program's folder, wherever this class was loaded from. */
function assertRuntimeResolves(): void {
  if (resolves || isMocked()) return;
  try {
    createRequire(join(process.cwd(), "program.js")).resolve(RUNTIME);
    resolves = true;
  } catch {
    throw programError(
      `pulumi-clouddb cannot be found from ${process.cwd()}, the working directory of the Pulumi program: run \`npm install pulumi-clouddb\` there, or, in an inline program of the Automation API, call \`process.chdir(__dirname)\` first.`,
    );
  }
}
