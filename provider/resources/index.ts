import type { ResourceType } from "../core/resource-type";
import type { Definition } from "../fields";
import { organization } from "./organization/organization";
import { pipe } from "./pipe/pipe";
import { service } from "./service/service";
import { serviceAccess } from "./service-access/service-access";
import { serviceScaling } from "./service-scaling/service-scaling";

interface Resource {
  /** Where it lies in this folder; its example in the reference has the same name. */
  readonly folder: string;
  readonly definition: Definition;
  readonly type: ResourceType;
}

/**
 * All resources by their names in programs, for whatever is made from their tables. Their classes are not here:
 * a program that loads one should not load the others' lifecycles. A test finds what a new row still lacks elsewhere.
 */
export const resources = {
  Service: { folder: "service", definition: service.definition, type: service },
  ServiceScaling: { folder: "service-scaling", definition: serviceScaling.definition, type: serviceScaling },
  ServiceAccess: { folder: "service-access", definition: serviceAccess.definition, type: serviceAccess },
  Organization: { folder: "organization", definition: organization.definition, type: organization },
  Pipe: { folder: "pipe", definition: pipe.definition, type: pipe },
} satisfies Readonly<Record<string, Resource>>;
