import { operations } from "../../api/operations";
import { adoptedResourceType } from "../../lifecycle/adopted-resource";
import { organizationIn } from "../../lifecycle/id-fields";
import { serviceScalingDefinition } from "./definition";

export const serviceScaling = adoptedResourceType({
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
