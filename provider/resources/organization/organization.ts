import { z } from "zod";
import { organizationField } from "../../core/object/ids";
import { defineResource } from "../../core/object/resource";
import { coded } from "../../errors";
import {
  byId,
  freeText,
  type ListRules,
  label,
  listOf,
  record,
  settable,
  text,
} from "../../fields";

interface PrivateEndpoint {
  readonly id: string;
  readonly description?: string;
}

const endpointRules: ListRules = {
  key: ({ id }: PrivateEndpoint) => byId.key(id),
  canonical: ({ id, description = "" }: PrivateEndpoint) => ({ id: byId.key(id), description }),
  send: "addRemove",
  unmanaged: "keep",
};

const field = settable("updateOrganization");

/** The API cannot read an organization, so the outputs come from the last update. */
export const organization = defineResource({
  title: "organization",
  description: [
    "The name and private endpoints of an existing organization.",
    "Declared private endpoints are added to the existing ones. Only endpoints that this resource declared before are removed. The API cannot read an organization, so drift becomes visible in the response to the next update. Destroying the resource removes it from the stack and changes nothing else.",
  ],
  id: "organizationId",
  fields: {
    organizationId: organizationField("The ID of the organization."),
    name: field(label(), "The name of the organization."),
    privateEndpoints: field(
      listOf(record({ id: text(), description: freeText().optional() })),
      "The private endpoints to add to the organization. One that is no longer declared is removed; those that were never declared here are left unchanged.",
      { form: "id", list: endpointRules },
    ),
  },
  outputs: {
    allPrivateEndpoints: {
      schema: z.array(z.object({ id: z.string(), description: z.string().optional() })),
      description:
        "All private endpoints of the organization, including those not declared here, as of the last change.",
      apiName: "privateEndpoints",
    },
    byocConfig: {
      schema: z.array(z.object({ id: z.string(), accountName: z.string() })),
      description: "The cloud accounts of the organization's bring-your-own-cloud (BYOC) regions.",
    },
    createdAt: {
      schema: z.string(),
      description: "When the organization was created, in ISO 8601 format.",
      changedBy: [],
    },
  },
  rules: [
    {
      fields: ["name", "privateEndpoints"],
      description: "At least one of name and privateEndpoints must be declared.",
      test: ({ name, privateEndpoints }) =>
        name === undefined &&
        privateEndpoints === undefined &&
        coded("CDB1002", "name and privateEndpoints are missing: declare at least one of them."),
    },
  ],
  updates: ["updateOrganization"],
});
