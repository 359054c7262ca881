import type { Definition } from "../fields";
import { serviceDefinition } from "./service/definition";

/** All resources, for whatever is made from their tables. */
export const resources: Readonly<Record<string, { readonly folder: string; readonly definition: Definition }>> = {
  Service: { folder: "service", definition: serviceDefinition },
};
