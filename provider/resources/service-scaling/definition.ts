import type { Definition } from "../../fields";
import { idField, organizationField } from "../../lifecycle/id-fields";
import { scalingFields, scalingRules } from "./scaling-fields";

export const serviceScalingDefinition: Definition = {
  fields: {
    organizationId: organizationField("The organization that owns the service."),
    serviceId: idField("The service whose replicas are scaled."),
    ...scalingFields("scaleService"),
  },
  outputs: {},
  rules: scalingRules,
};
