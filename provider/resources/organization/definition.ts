import { z } from "zod";
import type { Definition, ListRules } from "../../fields";
import { description, label, listOf, record, text } from "../../fields/shapes";
import { organizationField } from "../../lifecycle/id-fields";

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
    organizationId: organizationField("The organization."),
    name: {
      schema: label(),
      doc: "The name of the organization.",
      onChange: "update",
      operations: ["updateOrganization"],
      inResponse: true,
    },
    privateEndpoints: {
      schema: listOf(record({ id: text(), description: description().optional() })),
      doc: "Private endpoints of the organization. They are added to what it has; one that is declared no more is removed. Those that were never declared are left alone.",
      onChange: "update",
      operations: ["updateOrganization"],
      inResponse: true,
      list: endpointRules,
    },
  },
  outputs: {
    allPrivateEndpoints: {
      schema: z.array(z.object({ id: z.string(), description: z.string().optional() })),
      doc: "All private endpoints of the organization as the last change showed them, those of others too.",
      apiName: "privateEndpoints",
    },
    byocConfig: {
      schema: z.array(z.object({ id: z.string(), accountName: z.string() })),
      doc: "The accounts in which the organization's own cloud regions were set up.",
    },
    createdAt: { schema: z.string(), doc: "When the organization was created, as an ISO 8601 date and time." },
  },
  rules: [
    {
      fields: ["name", "privateEndpoints"],
      doc: "At least one of name and privateEndpoints is declared.",
      test: ({ name, privateEndpoints }) =>
        name === undefined && privateEndpoints === undefined
          ? "an Organization needs something to manage: declare name or privateEndpoints."
          : undefined,
    },
  ],
};
