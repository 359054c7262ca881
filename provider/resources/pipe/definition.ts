import { z } from "zod";
import * as schemas from "../../api/schemas";
import type { Definition, ListRules } from "../../fields";
import { label, listOf, record, text } from "../../fields/shapes";
import { idField, organizationField } from "../../lifecycle/id-fields";
import { inProgramNames, settingsGroup, shownSettings } from "./settings";
import { oneKind, sourceGroup } from "./source";

const VIA = ["updatePipe"];

const fieldMappingRules: ListRules = {
  key: ({ sourceField, destinationField }: { sourceField: string; destinationField: string }) =>
    JSON.stringify([sourceField, destinationField]),
  canonical: ({ sourceField, destinationField }: { sourceField: string; destinationField: string }) => ({
    sourceField,
    destinationField,
  }),
  send: "whole",
  unmanaged: "remove",
};

const columnRules: ListRules = {
  key: ({ name }: { name: string }) => name,
  canonical: ({ name, type }: { name: string; type: string }) => ({ name, type }),
  send: "whole",
  unmanaged: "remove",
};

export const pipeDefinition: Definition = {
  fields: {
    organizationId: organizationField("The organization that owns the service."),
    serviceId: idField("The service that the pipe writes to."),
    pipeId: idField("The pipe. It has to exist: the API cannot create pipes."),
    name: { schema: label(), doc: "The name of the pipe.", onChange: "update", operations: VIA, inResponse: true },
    source: sourceGroup,
    destination: {
      doc: "Where the pipe writes to. What is not declared is left alone.",
      observedAs: "currentDestination",
      fields: {
        columns: {
          schema: listOf(record({ name: text(), type: text() })),
          doc: "The columns of the destination and their types. The whole list.",
          onChange: "update",
          operations: VIA,
          inResponse: true,
          list: columnRules,
        },
      },
    },
    fieldMappings: {
      schema: listOf(record({ sourceField: text(), destinationField: text() })),
      doc: "Which field of the source goes into which of the destination. The whole list. The table's own schema stays as it is.",
      onChange: "update",
      operations: VIA,
      inResponse: true,
      list: fieldMappingRules,
    },
    settings: settingsGroup,
  },
  outputs: {
    state: { schema: z.string(), doc: "What the pipe is doing. It changes by itself." },
    scaling: {
      schema: schemas.pipe.shape.scaling.unwrap(),
      doc: "How the pipe is scaled: replicas, concurrency, CPU in thousandths and memory in GB of each replica.",
    },
    currentSource: {
      schema: schemas.source,
      doc: "The source as the API shows it, with the parts that cannot be declared. Credentials, access keys and connection strings are left out.",
      apiName: "source",
    },
    currentDestination: {
      schema: schemas.destination,
      doc: "The destination as the API shows it: database, table, its definition, and columns.",
      apiName: "destination",
    },
    currentSettings: {
      schema: shownSettings,
      doc: "All settings as the API shows them, under the names that `settings` uses.",
      apiName: "settings",
      fromApi: inProgramNames,
    },
    createdAt: { schema: z.string(), doc: "When the pipe was created." },
    updatedAt: { schema: z.string(), doc: "When the pipe was last changed." },
  },
  rules: [oneKind],
};
