import type { ResourceType } from "../../provider/lifecycle/resource-type";
import { organization } from "../../provider/resources/organization/lifecycle";
import { pipe } from "../../provider/resources/pipe/lifecycle";
import { service } from "../../provider/resources/service/lifecycle";
import { serviceScaling } from "../../provider/resources/service-scaling/lifecycle";

/** The resources of a model's program, each with its type. */
export const SLOT_TYPES = {
  first: service,
  second: service,
  adopted: service,
  size: serviceScaling,
  pipe,
  organization,
} as const satisfies Record<string, ResourceType>;

export type Slot = keyof typeof SLOT_TYPES;

export const SLOTS = Object.keys(SLOT_TYPES) as readonly Slot[];

/** For completeness checks: a resource type that is not in here is not covered by the model tests. */
export const coveredTypes: ReadonlySet<ResourceType> = new Set(Object.values(SLOT_TYPES));
