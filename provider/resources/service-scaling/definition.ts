import type { Definition } from "../../fields";
import { idField, organizationField } from "../../lifecycle/id-fields";
import { scalingFields, scalingRules } from "./scaling-fields";

export const serviceScalingDefinition: Definition = {
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service to scale."),
    ...scalingFields("scaleService"),
  },
  outputs: {},
  rules: scalingRules,
};
