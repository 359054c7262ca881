import { operations } from "../../api/operations";
import { defineResource } from "../../core/define-resource";
import { idField, organizationField, organizationIn } from "../../core/id-fields";
import type { Definition } from "../../fields";
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

export const serviceScaling = defineResource({
  definition: serviceScalingDefinition,
  title: "scaling of service",
  idArgument: "serviceId",
  parameters: (serviceId, { organizationId }) => ({
    organizationId: organizationIn(organizationId),
    serviceId,
  }),
  read: operations.getService,
  updates: { scaleService: operations.scaleService },
});
