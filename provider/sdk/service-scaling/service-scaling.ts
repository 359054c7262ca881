import type * as pulumi from "@pulumi/pulumi";
import { type ServiceState, serviceScalingClass } from "../classes";
import { createReadableClass } from "../custom-resource";
import { dynamicAdapter } from "../dynamic";
import type { ReadableClass } from "../resource-class";
import type { ServiceScalingArgs, ServiceScalingOutputs } from "./types";

/**
 * The scaling of an existing service, for a program that manages a service's size and nothing else. The first
 * `pulumi up` adopts the service's current scaling and changes only what differs from the arguments. Destroying the
 * resource removes it from the stack and changes nothing else.
 *
 * Do not use it for a `Service` that declares scaling arguments. Its id is the service's id.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * new clouddb.ServiceScaling("size", {
 *   serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
 *   maxReplicaMemoryGb: 128,
 *   numReplicas: 4,
 * });
 * ```
 */
export const ServiceScaling: ReadableClass<
  ServiceScaling,
  [args: ServiceScalingArgs, opts?: pulumi.CustomResourceOptions],
  [state?: ServiceState, opts?: pulumi.CustomResourceOptions]
> = createReadableClass(dynamicAdapter, serviceScalingClass);

// The outputs are declared where they are generated, from the same table as the arguments.
export interface ServiceScaling extends pulumi.CustomResource, ServiceScalingOutputs {}
