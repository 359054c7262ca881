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
  doc: [
    "The scaling of an existing service, for a program that manages a service's size and nothing else. The first `pulumi up` adopts the service's current scaling and changes only what differs from the arguments. Destroying the resource removes it from the stack and changes nothing else.",
    "Do not use it for a `Service` that declares scaling arguments. Its id is the service's id.",
  ],
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
