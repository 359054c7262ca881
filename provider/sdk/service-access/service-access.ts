import type * as pulumi from "@pulumi/pulumi";
import { serviceAccessClass } from "../classes";
import { createResourceClass } from "../custom-resource";
import { dynamicAdapter } from "../dynamic";
import type { ResourceClass } from "../resource-class";
import type { ServiceAccessArgs, ServiceAccessOutputs } from "./types";

/**
 * Access to a service that another program, stack or team owns: entries that are added to its access list and to its
 * private endpoints. Entries of others are never changed or removed. Destroying the resource removes the entries that
 * it has added.
 *
 * Do not use it for a list that a `Service` declares: that is the complete list. Its id is the service's id.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * new clouddb.ServiceAccess("reporting", {
 *   serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
 *   ipAccessList: [{ source: "192.0.2.0/28", description: "reporting jobs" }],
 * });
 * ```
 */
export const ServiceAccess: ResourceClass<
  ServiceAccess,
  [args: ServiceAccessArgs, opts?: pulumi.CustomResourceOptions]
> = createResourceClass(dynamicAdapter, serviceAccessClass);

// The outputs are declared where they are generated, from the same table as the arguments.
export interface ServiceAccess extends pulumi.CustomResource, ServiceAccessOutputs {}
