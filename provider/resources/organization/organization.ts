import { z } from "zod";
import { operations } from "../../api/operations";
import { defineResource } from "../../core/define-resource";
import { organizationField } from "../../core/id-fields";
import { coded } from "../../errors";
import type { Definition, ListRules } from "../../fields";
import { description, label, listOf, record, text } from "../../fields/shapes";

interface PrivateEndpoint {
  readonly id: string;
  readonly description?: string;
}

const endpointRules: ListRules = {
  key: ({ id }: PrivateEndpoint) => id,
  canonical: ({ id, description = "" }: PrivateEndpoint) => ({ id, description }),
  send: "addRemove",
  unmanaged: "keep",
};

export const organizationDefinition: Definition = {
  fields: {
    organizationId: organizationField("The ID of the organization."),
    name: {
      schema: label(),
      doc: "The name of the organization.",
      onChange: "update",
      operations: ["updateOrganization"],
      inResponse: true,
    },
    privateEndpoints: {
      schema: listOf(record({ id: text(), description: description().optional() })),
      doc: "The private endpoints to add to the organization. One that is no longer declared is removed; those that were never declared here are left unchanged.",
      onChange: "update",
      operations: ["updateOrganization"],
      inResponse: true,
      list: endpointRules,
    },
  },
  outputs: {
    allPrivateEndpoints: {
      schema: z.array(z.object({ id: z.string(), description: z.string().optional() })),
      doc: "All private endpoints of the organization, including those not declared here, as of the last change.",
      apiName: "privateEndpoints",
    },
    byocConfig: {
      schema: z.array(z.object({ id: z.string(), accountName: z.string() })),
      doc: "The cloud accounts of the organization's bring-your-own-cloud (BYOC) regions.",
    },
    createdAt: { schema: z.string(), doc: "When the organization was created, in ISO 8601 format." },
  },
  rules: [
    {
      fields: ["name", "privateEndpoints"],
      doc: "At least one of name and privateEndpoints must be declared.",
      test: ({ name, privateEndpoints }) =>
        name === undefined && privateEndpoints === undefined
          ? coded("CDB1002", "name and privateEndpoints are missing: declare at least one of them.")
          : undefined,
    },
  ],
};

/** The API cannot read an organization, so its outputs are those of the last update. */
export const organization = defineResource({
  definition: organizationDefinition,
  title: "organization",
  idArgument: "organizationId",
  parameters: (organizationId) => ({ organizationId }),
  updates: { updateOrganization: operations.updateOrganization },
});
