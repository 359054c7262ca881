import type { Definition } from "../fields";
import { organizationDefinition } from "./organization/definition";
import { pipeDefinition } from "./pipe/definition";
import { serviceDefinition } from "./service/definition";
import { serviceScalingDefinition } from "./service-scaling/definition";

/** All resources, for whatever is made from their tables. */
export const resources: Readonly<Record<string, { readonly folder: string; readonly definition: Definition }>> = {
  Service: { folder: "service", definition: serviceDefinition },
  ServiceScaling: { folder: "service-scaling", definition: serviceScalingDefinition },
  Organization: { folder: "organization", definition: organizationDefinition },
  Pipe: { folder: "pipe", definition: pipeDefinition },
};
