import type { Definition } from "../../fields";
import { serviceFields, serviceOutputs } from "./fields";
import { serviceRules } from "./rules";

export const serviceDefinition: Definition = {
  fields: serviceFields,
  outputs: serviceOutputs,
  rules: serviceRules,
  adoptionArgument: "existingServiceId",
};
