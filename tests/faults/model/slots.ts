import type { Resource } from "../../../provider/core/resource";
import { organization } from "../../../provider/resources/organization/organization";
import { pipe } from "../../../provider/resources/pipe/pipe";
import { service } from "../../../provider/resources/service/service";
import { serviceAccess } from "../../../provider/resources/service-access/service-access";
import { serviceScaling } from "../../../provider/resources/service-scaling/service-scaling";

/** The resources of a model's program, each with its type. */
export const SLOT_TYPES = {
  first: service,
  second: service,
  adopted: service,
  size: serviceScaling,
  access: serviceAccess,
  pipe,
  organization,
} as const satisfies Record<string, Resource>;

export type Slot = keyof typeof SLOT_TYPES;

export const SLOTS = Object.keys(SLOT_TYPES) as readonly Slot[];
