import { operations } from "../../api";
import { recorded } from "../../fields";
import { goesOn } from "../adopted";
import type { Kind } from "../kind";
import { changed, completed, type Subject } from "../subject";
import { organizationDefinition as definition } from "./definition";

const called = (id: string) => `organization ${id}`;

const subject: Subject = {
  definition,
  called,
  parameters: (organizationId) => ({ organizationId }),
  changes: { updateOrganization: operations.updateOrganization },
};

/** The API cannot read an organization: what is known of it is what the last change answered. */
export const organization: Kind = {
  definition,
  title: "organization",
  replacement:
    "makes the stack forget this one as it is and manage the other; nothing is created or deleted on the server.",
  known: (id, outputs) => ({ ...outputs, organizationId: id }),
  create: (context, inputs) =>
    completed(context, subject, String(inputs.organizationId), recorded(definition, {}, inputs), inputs, "Changing"),
  update: (context, id, outputs, inputs) => changed(context, subject, id, outputs, inputs),
  async delete(context, id) {
    context.say(goesOn(called(id)));
  },
};
