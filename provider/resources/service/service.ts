import * as pulumi from "@pulumi/pulumi";
import { createReadableClass } from "../../dynamic/custom-resource";
import { findOwnerConflict, type OwnedObject } from "../../dynamic/duplicate-owners";
import type { ReadableClass } from "../../dynamic/resource-class";
import { isGiven, isPending } from "../../program/arguments";
import { scalingFields } from "../service-scaling/scaling-fields";
import { serviceDefinition } from "./definition";
import type { ServiceArgs, ServiceOutputs } from "./types";

const SCALING = Object.keys(scalingFields()) as (keyof ServiceArgs)[];

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
  [state?: { organizationId?: pulumi.Input<string> }, opts?: pulumi.CustomResourceOptions]
> = createReadableClass(
  {
    name: "Service",
    definition: serviceDefinition,
    adoptionHint: "set existingServiceId to adopt an existing service",
    // The id of an adopted service is known before registration, that of a new one only afterwards.
    ownedObjects: (args, { id }) =>
      id === undefined && isGiven(args.existingServiceId) ? ownedBy(args, args.existingServiceId) : [],
    applyDefaultOptions: protectByDefault,
    onRegistered: warnOfOtherOwners,
  },
  (_, state) => state,
  { protect: false },
);

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Service extends pulumi.CustomResource, ServiceOutputs {}

/** Protects a service unless the program or its parent decides about protection. */
function protectByDefault(opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const parent = opts.parent as { __protect?: boolean } | undefined;
  const isDecided = opts.protect !== undefined || opts.retainOnDelete === true || parent?.__protect !== undefined;
  return isDecided ? opts : { ...opts, protect: true };
}

/** Only warns: once a new service has an id, the other resource is already registered. */
function warnOfOtherOwners(
  resource: pulumi.CustomResource,
  name: string,
  args: ServiceArgs,
  { id }: pulumi.CustomResourceOptions,
): void {
  const { existingServiceId } = args;
  if (id !== undefined || typeof existingServiceId === "string") return;
  const created = pulumi
    .all([resource.id, existingServiceId])
    .apply(([known, other]) => (isGiven(other) ? undefined : known));
  findOwnerConflict(name, ownedBy(args, created)).apply((conflict) => conflict && pulumi.log.warn(conflict, resource));
}

/** The service, and its scaling if the program declares any of it. */
function ownedBy(args: ServiceArgs, id: OwnedObject["id"]): OwnedObject[] {
  const owned = [{ thing: "service", id }];
  const scaling = SCALING.map((field) => args[field]).filter(isGiven);
  if (scaling.length === 0) return owned;
  // The first resource in the program is the owner, so values that are already known are not awaited.
  const scaled = scaling.every(isPending)
    ? pulumi.all([id, ...scaling]).apply(([known, ...values]) => (values.some(isGiven) ? (known as string) : undefined))
    : id;
  return [...owned, { thing: "the scaling of service", id: scaled }];
}
