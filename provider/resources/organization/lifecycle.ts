import { operations } from "../../api";
import { recordDeclared } from "../../fields";
import { releaseNotice } from "../../lifecycle/adopted-resource";
import { finishCreate, type RemoteObject, update } from "../../lifecycle/remote-object";
import type { ResourceType } from "../../lifecycle/resource-type";
import { organizationDefinition as definition } from "./definition";

const displayName = (id: string) => `organization ${id}`;

const subject: RemoteObject = {
  definition,
  displayName,
  parameters: (organizationId) => ({ organizationId }),
  updates: { updateOrganization: operations.updateOrganization },
};

/** The API cannot read an organization: what is known of it is what the last change answered. */
export const organization: ResourceType = {
  definition,
  title: "organization",
  replacementEffect:
    "makes the stack forget this one as it is and manage the other; nothing is created or deleted on the server.",
  withId: (id, outputs) => ({ ...outputs, organizationId: id }),
  create: (context, inputs) =>
    finishCreate(
      context,
      subject,
      String(inputs.organizationId),
      recordDeclared(definition, {}, inputs),
      inputs,
      "Changing",
    ),
  update: (context, id, outputs, inputs) => update(context, subject, id, outputs, inputs),
  async delete(context, id) {
    context.log(releaseNotice(displayName(id)));
  },
};
