import { operations } from "../../api";
import { adopted } from "../adopted";
import { organizationIn } from "../path-fields";
import { serviceScalingDefinition } from "./definition";

export const serviceScaling = adopted({
  definition: serviceScalingDefinition,
  title: "scaling of service",
  idArgument: "serviceId",
  parameters: (serviceId, { organizationId }) => ({
    organizationId: organizationIn(organizationId),
    serviceId,
  }),
  read: operations.getService,
  changes: { scaleService: operations.scaleService },
});
