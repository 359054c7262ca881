import { operations } from "../../api";
import { adopted } from "../adopted";
import { idIn, organizationIn } from "../path-fields";
import { pipeDefinition } from "./definition";
import { otherKind } from "./source";

export const pipe = adopted({
  definition: pipeDefinition,
  title: "pipe",
  idArgument: "pipeId",
  parameters: (pipeId, { organizationId, serviceId }) => ({
    organizationId: organizationIn(organizationId),
    serviceId: idIn("serviceId", serviceId),
    pipeId,
  }),
  read: operations.getPipe,
  changes: { updatePipe: operations.updatePipe },
  contradiction(found, inputs) {
    const other = otherKind(inputs.source, found.currentSource ?? found.source);
    return other && `its source is ${other.current} and the program declares ${other.declared}`;
  },
});
