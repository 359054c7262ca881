import type * as pulumi from "@pulumi/pulumi";
import { type ServiceState, serviceClass } from "../classes";
import { createReadableClass } from "../custom-resource";
import { dynamicAdapter } from "../dynamic";
import type { ReadableClass } from "../resource-class";
import type { ServiceArgs, ServiceOutputs } from "./types";

/**
 * A database service.
 *
 * The API cannot delete services: one that is removed from the program would keep running and costing money. A
 * service is therefore protected (`protect: true`) unless the program sets `protect` or `retainOnDelete`, and a
 * preview that would destroy, remove, rename or replace it fails. To stop managing a service, set
 * `retainOnDelete: true`, run `pulumi up`, then remove it from the program.
 *
 * For arguments that the program does not declare, the API chooses the values, and they are left unchanged.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * new clouddb.Service("analytics", {
 *   provider: "aws",
 *   region: "us-east-1",
 *   minReplicaMemoryGb: 8,
 *   maxReplicaMemoryGb: 32,
 *   numReplicas: 3,
 *   ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
 * });
 * ```
 * @example
 * ```ts
 * // Adopt a service that already exists, and manage its access list.
 * import * as clouddb from "pulumi-clouddb";
 *
 * new clouddb.Service("reports", {
 *   existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
 *   ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
 * });
 * ```
 */
export const Service: ReadableClass<
  Service,
  [args?: ServiceArgs, opts?: pulumi.CustomResourceOptions],
  [state?: ServiceState, opts?: pulumi.CustomResourceOptions]
> = createReadableClass(dynamicAdapter, serviceClass);

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Service extends pulumi.CustomResource, ServiceOutputs {}
