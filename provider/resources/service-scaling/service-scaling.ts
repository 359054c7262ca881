import { operations } from "../../api/operations";
import { idField, organizationField } from "../../core/ids";
import type { Resource } from "../../core/resource";
import { scalingFields, scalingRules } from "./scaling-fields";

export const serviceScaling: Resource = {
  title: "scaling of service",
  id: "serviceId",
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service to scale."),
    ...scalingFields("scaleService"),
  },
  outputs: {},
  rules: scalingRules,
  read: operations.getService,
  updates: { scaleService: operations.scaleService },
};
