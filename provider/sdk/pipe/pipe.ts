import type * as pulumi from "@pulumi/pulumi";
import { type PipeState, pipeClass } from "../classes";
import { createReadableClass } from "../custom-resource";
import { dynamicAdapter } from "../dynamic";
import type { ReadableClass } from "../resource-class";
import type { PipeArgs, PipeOutputs } from "./types";

/**
 * An existing ingestion pipe: its name, source, destination, field mappings and settings.
 *
 * The API cannot create or delete pipes. The first `pulumi up` adopts the pipe and changes only what differs from the
 * arguments; settings that are not declared are left unchanged. Destroying the resource removes it from the stack and
 * changes nothing else. Credentials, access keys and connection strings are secrets that the API never returns, so
 * they are sent when they change in the program.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as clouddb from "pulumi-clouddb";
 *
 * new clouddb.Pipe("orders", {
 *   serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
 *   pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001",
 *   source: { kafka: { credentials: { username: "reader", password: new pulumi.Config().requireSecret("kafka") } } },
 *   settings: { streamingMaxInsertWaitMs: 5000 },
 * });
 * ```
 */
export const Pipe: ReadableClass<
  Pipe,
  [args: PipeArgs, opts?: pulumi.CustomResourceOptions],
  [state: PipeState, opts?: pulumi.CustomResourceOptions]
> = createReadableClass(dynamicAdapter, pipeClass);

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Pipe extends pulumi.CustomResource, PipeOutputs {}
