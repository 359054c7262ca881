import { z } from "zod";
import { operations } from "../../api/operations";
import * as schemas from "../../api/schemas";
import { defineResource } from "../../core/define-resource";
import { idField, idIn, organizationField, organizationIn } from "../../core/id-fields";
import type { Definition, ListRules } from "../../fields";
import { label, listOf, record, text } from "../../fields/shapes";
import { inProgramNames, settingsGroup, shownSettings } from "./settings";
import { oneKind, otherKind, sourceGroup } from "./source";

const OPERATIONS = ["updatePipe"];

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
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service that the pipe writes to."),
    pipeId: idField("The ID of the pipe. It must exist, because the API cannot create pipes."),
    name: {
      schema: label(),
      doc: "The name of the pipe.",
      onChange: "update",
      operations: OPERATIONS,
      inResponse: true,
    },
    source: sourceGroup,
    destination: {
      doc: "Where the pipe writes to. Arguments that are not declared are left unchanged.",
      observedAs: "currentDestination",
      fields: {
        columns: {
          schema: listOf(record({ name: text(), type: text() })),
          doc: "The columns of the destination and their types. This is the complete list.",
          onChange: "update",
          operations: OPERATIONS,
          inResponse: true,
          list: columnRules,
        },
      },
    },
    fieldMappings: {
      schema: listOf(record({ sourceField: text(), destinationField: text() })),
      doc: "Which field of the source is written to which field of the destination. This is the complete list. The schema of the destination table is not changed.",
      onChange: "update",
      operations: OPERATIONS,
      inResponse: true,
      list: fieldMappingRules,
    },
    settings: settingsGroup,
  },
  outputs: {
    state: { schema: z.string(), doc: "The state of the pipe. It changes without the program." },
    scaling: {
      schema: schemas.pipe.shape.scaling.unwrap(),
      doc: "The size of the pipe: the number of replicas, their concurrency, and the CPU (in millicores) and memory (in GB) of each.",
    },
    currentSource: {
      schema: schemas.source,
      doc: "The source as the API returns it, including what cannot be declared. Credentials, access keys and connection strings are omitted.",
      apiName: "source",
    },
    currentDestination: {
      schema: schemas.destination,
      doc: "The destination as the API returns it: database, table, table definition and columns.",
      apiName: "destination",
    },
    currentSettings: {
      schema: shownSettings,
      doc: "All settings as the API returns them, under the names that `settings` uses.",
      apiName: "settings",
      fromApi: inProgramNames,
    },
    createdAt: { schema: z.string(), doc: "When the pipe was created, in ISO 8601 format." },
    updatedAt: { schema: z.string(), doc: "When the pipe was last changed, in ISO 8601 format." },
  },
  rules: [oneKind],
};

export const pipe = defineResource({
  doc: [
    "An existing ingestion pipe: its name, source, destination, field mappings and settings.",
    "The API cannot create or delete pipes. The first `pulumi up` adopts the pipe and changes only what differs from the arguments; settings that are not declared are left unchanged. Destroying the resource removes it from the stack and changes nothing else. Credentials, access keys and connection strings are secrets that the API never returns, so they are sent when they change in the program.",
  ],
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
  findContradiction(current, inputs) {
    const other = otherKind(inputs.source, current.currentSource ?? current.source);
    return other && `its source is ${other.current} but the program declares ${other.declared}`;
  },
});
