import * as pulumi from "@pulumi/pulumi";
import { isGiven, isPending } from "../arguments";
import type { ReadableDescription } from "../class-description";
import { findOwnerConflict, type OwnedObject } from "../duplicate-owners";
import { protectionOf } from "../pulumi-internals";
import { serviceScalingTable } from "../service-scaling/class-table";
import { serviceTable } from "./class-table";
import type { ServiceArgs } from "./types";

const SCALING = serviceScalingTable.updates.scaleService as readonly (keyof ServiceArgs)[];

export interface ServiceState {
  organizationId?: pulumi.Input<string>;
}

export const serviceClass: ReadableDescription<ServiceArgs, ServiceState> = {
  name: "Service",
  table: serviceTable,
  adoptionHint: "set existingServiceId to adopt an existing service",
  // The id of an adopted service is known before registration, that of a new one only afterwards.
  ownedObjects: (args, { id }) =>
    id === undefined && isGiven(args.existingServiceId) ? ownedBy(args, args.existingServiceId) : [],
  applyDefaultOptions: protectByDefault,
  onRegistered: warnOfOtherOwners,
  argumentsOf: (_, state) => state,
  readOptions: { protect: false },
};

/**
 * Protects a service unless the program or its parent decides about protection. An unprotected one that has to be
 * replaced fails at the deletion of the old one: of `pulumi state taint` and `--replace`, only this option tells.
 */
function protectByDefault(opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  if (opts.retainOnDelete === true) return opts;
  const isDecided = opts.protect !== undefined || protectionOf(opts.parent) !== undefined;
  return { deleteBeforeReplace: true, ...opts, ...(!isDecided && { protect: true }) };
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
