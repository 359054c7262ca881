import { operations } from "../../api";
import { adopted } from "../adopted";
import { idIn } from "../path-fields";
import { serviceScalingDefinition } from "./definition";

export const serviceScaling = adopted({
  definition: serviceScalingDefinition,
  title: "scaling of service",
  idArgument: "serviceId",
  parameters: (serviceId, { organizationId }) => ({
    organizationId: idIn("organizationId", organizationId),
    serviceId,
  }),
  read: operations.getService,
  changes: { scaleService: operations.scaleService },
});
