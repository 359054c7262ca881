import { operations } from "../../api/operations";
import { adoptedResourceType } from "../../lifecycle/adopted-resource";
import { idIn, organizationIn } from "../../lifecycle/id-fields";
import { pipeDefinition } from "./definition";
import { otherKind } from "./source";

export const pipe = adoptedResourceType({
  definition: pipeDefinition,
  title: "pipe",
  idArgument: "pipeId",
  parameters: (pipeId, { organizationId, serviceId }) => ({
    organizationId: organizationIn(organizationId),
    serviceId: idIn("serviceId", serviceId),
    pipeId,
  }),
  read: operations.getPipe,
  updates: { updatePipe: operations.updatePipe },
  findContradiction(found, inputs) {
    const other = otherKind(inputs.source, found.currentSource ?? found.source);
    return other && `its source is ${other.current} but the program declares ${other.declared}`;
  },
});
