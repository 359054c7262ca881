import { operations } from "../../api/operations";
import { recordDeclared } from "../../fields";
import { releaseNotice } from "../../lifecycle/adopted-resource";
import { RemoteObject } from "../../lifecycle/remote-object";
import type { RemoteObjectType, ResourceType } from "../../lifecycle/resource-type";
import { organizationDefinition as definition } from "./definition";

const displayName = (id: string) => `organization ${id}`;

const type: RemoteObjectType = {
  definition,
  displayName,
  parameters: (organizationId) => ({ organizationId }),
  updates: { updateOrganization: operations.updateOrganization },
};

/** The API cannot read an organization, so its outputs are those of the last update. */
export const organization: ResourceType = {
  definition,
  title: "organization",
  replacementEffect:
    "makes the stack release this object and adopt the other; nothing is created or deleted on the server.",
  withId: (id, state) => ({ ...state, organizationId: id }),
  create: (dependencies, inputs) =>
    new RemoteObject(type, dependencies, String(inputs.organizationId), inputs).finishCreate(
      "update",
      recordDeclared(definition, {}, inputs),
    ),
  update: (dependencies, id, state, inputs) => new RemoteObject(type, dependencies, id, inputs).update(state),
  async delete({ log }, id) {
    log(releaseNotice(displayName(id)));
  },
};
