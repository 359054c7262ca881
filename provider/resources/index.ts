import type { Resource } from "../core/resource";
import type { Definition } from "../fields";
import { organization } from "./organization/organization";
import { pipe } from "./pipe/pipe";
import { service } from "./service/service";
import { serviceAccess } from "./service-access/service-access";
import { serviceScaling } from "./service-scaling/service-scaling";

interface Row {
  /** Its folder, and the name of its example in the reference. */
  readonly folder: string;
  /** The part of the resource that policies need. */
  readonly definition: Definition;
  readonly type: Resource;
}

/** All resources by their names in programs. A test finds the files that a new row still lacks. */
export const resources = {
  Service: row("service", service),
  ServiceScaling: row("service-scaling", serviceScaling),
  ServiceAccess: row("service-access", serviceAccess),
  Organization: row("organization", organization),
  Pipe: row("pipe", pipe),
};

function row(folder: string, resource: Resource): Row {
  return { folder, definition: resource, type: resource };
}
