import { coded, render } from "../errors";
import { settingKey, settingVariable } from "../names";
import { isGiven, isPending } from "./arguments";
import type { ClassDescription, ReadableDescription } from "./class-description";
import { findOwnerConflict, type OwnedObject } from "./duplicate-owners";
import { organizationTable } from "./organization/class-table";
import type { OrganizationArgs } from "./organization/types";
import { pipeTable } from "./pipe/class-table";
import type { PipeArgs } from "./pipe/types";
import * as pulumi from "./pulumi";
import { protectionOf } from "./pulumi-internals";
import { serviceTable } from "./service/class-table";
import type { ServiceArgs } from "./service/types";
import { serviceAccessTable } from "./service-access/class-table";
import type { ServiceAccessArgs } from "./service-access/types";
import { serviceScalingTable } from "./service-scaling/class-table";
import type { ServiceScalingArgs } from "./service-scaling/types";

/** The place of a service, and of its scaling. */
export interface ServiceState {
  organizationId?: pulumi.Input<string>;
}

/** The place of a pipe. */
export interface PipeState {
  serviceId: pulumi.Input<string>;
  organizationId?: pulumi.Input<string>;
}

export const pipeClass: ReadableDescription<PipeArgs, PipeState> = {
  name: "Pipe",
  table: pipeTable,
  adoptionHint: "it adopts the existing pipe that pipeId names",
  ownedObjects: ({ pipeId }, { id }) => (id === undefined ? [{ thing: "pipe", id: pipeId }] : []),
  argumentsOf: (pipeId, state) => ({ ...state, pipeId }),
};

export const serviceScalingClass: ReadableDescription<ServiceScalingArgs, ServiceState> = {
  name: "ServiceScaling",
  table: serviceScalingTable,
  adoptionHint: "it adopts the existing service that serviceId names",
  ownedObjects: ({ serviceId }, { id }) =>
    id === undefined ? [{ thing: "the scaling of service", id: serviceId }] : [],
  argumentsOf: (serviceId, state) => ({ ...state, serviceId }),
};

export const serviceAccessClass: ClassDescription<ServiceAccessArgs> = {
  name: "ServiceAccess",
  table: serviceAccessTable,
  adoptionHint: "entries that are on the service already are left unchanged",
  // Checks find two owners of one entry.
  ownedObjects: () => [],
};

export const organizationClass: ClassDescription<OrganizationArgs> = {
  name: "Organization",
  table: organizationTable,
  adoptionHint: "it adopts the existing organization that organizationId names",
  ownedObjects({ organizationId }, opts) {
    const fallback = defaultOrganization(opts);
    return [{ thing: "organization", id: pulumi.output(organizationId).apply((id) => id ?? fallback) }];
  },
};

/** The organization of the default provider. Which provider a parent passes on is unknown here. */
function defaultOrganization(opts: pulumi.CustomResourceOptions): string | undefined {
  if (opts.provider !== undefined || opts.parent !== undefined) return undefined;
  return pulumi.getConfig(settingKey("organizationId")) || process.env[settingVariable("organizationId")];
}

const SCALING = serviceScalingTable.updates.scaleService as readonly (keyof ServiceArgs)[];

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
  findOwnerConflict(name, ownedBy(args, created)).apply(
    (conflict) => conflict && pulumi.log.warn(render(coded("CDB4009", conflict)), resource),
  );
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
