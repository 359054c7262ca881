import type { ResourceType } from "../core/resource-type";
import type { Definition } from "../fields";
import { organization } from "./organization/organization";
import { pipe } from "./pipe/pipe";
import { service } from "./service/service";
import { serviceAccess } from "./service-access/service-access";
import { serviceScaling } from "./service-scaling/service-scaling";

interface Resource {
  /** Its folder, and the name of its example in the reference. */
  readonly folder: string;
  readonly definition: Definition;
  readonly type: ResourceType;
}

/** All resources by their names in programs. A test finds the files that a new row still lacks. */
export const resources = {
  Service: { folder: "service", definition: service.definition, type: service },
  ServiceScaling: { folder: "service-scaling", definition: serviceScaling.definition, type: serviceScaling },
  ServiceAccess: { folder: "service-access", definition: serviceAccess.definition, type: serviceAccess },
  Organization: { folder: "organization", definition: organization.definition, type: organization },
  Pipe: { folder: "pipe", definition: pipe.definition, type: pipe },
} satisfies Readonly<Record<string, Resource>>;
