import type { Resource } from "../core/object/resource";
import { organization } from "./organization/organization";
import { pipe } from "./pipe/pipe";
import { service } from "./service/service";
import { serviceAccess } from "./service-access/service-access";
import { serviceScaling } from "./service-scaling/service-scaling";

interface Row {
  /** The resource's folder, and its example in the reference. */
  readonly folder: string;
  readonly definition: Resource;
}

/** All resources by name. A test finds missing files for a new row. */
export const resources = {
  Service: { folder: "service", definition: service },
  ServiceScaling: { folder: "service-scaling", definition: serviceScaling },
  ServiceAccess: { folder: "service-access", definition: serviceAccess },
  Organization: { folder: "organization", definition: organization },
  Pipe: { folder: "pipe", definition: pipe },
} satisfies Record<string, Row>;
