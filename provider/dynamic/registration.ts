import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  type Definition,
  describeDeprecation,
  fieldPathsOf,
  type Properties,
  secretNames,
  secretPaths,
} from "../fields";
import { isGiven, isPending } from "../program/arguments";
import { isMocked } from "../program/mocked";
import { programError } from "../program/program-error";
import { findOwnerConflict, type OwnedObject } from "./duplicate-owners";
import { OWNER_CONFLICT, RESOURCE_NAME } from "./reserved-names";
import { entryText, RUNTIME } from "./stored-names";

/** What a resource class hands to the engine for its arguments: marked secrets, the entry, and room for each output. */
export function registeredProperties(
  resource: string,
  definition: Definition,
  name: string,
  args: object,
  owned: readonly OwnedObject[],
): Properties {
  assertRuntimeResolves();
  let properties: Properties = { ...args };
  for (const path of secretPaths(definition)) properties = markSecret(properties, path);
  const outputs = [...Object.keys(definition.fields), ...Object.keys(definition.outputs)];
  return {
    ...Object.fromEntries(outputs.map((each) => [each, undefined])),
    ...properties,
    [RESOURCE_NAME]: name,
    ...(owned.length > 0 && { [OWNER_CONFLICT]: findOwnerConflict(name, owned) }),
    __provider: entryText(resource),
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

/** Says in the preview which declared arguments are deprecated. */
export function warnOfDeprecated(definition: Definition, args: object, resource: pulumi.Resource): void {
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const { path } = fieldPath;
    const declared = path.length === 1 ? (args as Properties)[path[0] ?? ""] : undefined;
    const warning = describeDeprecation(fieldPath);
    if (!isGiven(declared) || warning === undefined) continue;
    pulumi.output(declared).apply((value) => isGiven(value) && pulumi.log.warn(warning, resource));
  }
}

function markSecret(properties: Properties, path: readonly string[]): Properties {
  const [name = "", ...rest] = path;
  const value = properties[name];
  if (!isGiven(value)) return properties;
  const isPlain = typeof value === "object" && !isPending(value);
  const marked = rest.length > 0 && isPlain ? markSecret({ ...value } as Properties, rest) : pulumi.secret(value);
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
      `Cannot find pulumi-clouddb from ${process.cwd()}, the working directory of the Pulumi program: run \`npm install pulumi-clouddb\` there, or, in an inline program of the Automation API, call \`process.chdir(__dirname)\` first.`,
    );
  }
}
