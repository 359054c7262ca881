import { z } from "zod";
import * as schemas from "../../api/schemas";
import { idField, organizationField } from "../../core/object/ids";
import { defineResource } from "../../core/object/resource";
import {
  flag,
  type Group,
  type ListRules,
  label,
  listOf,
  record,
  settable,
  text,
  wholeNumber,
} from "../../fields";
import { inSnakeCase } from "../../names";
import { oneKind, otherKind, sourceGroup } from "./source";

const field = settable("updatePipe");

interface FieldMapping {
  readonly sourceField: string;
  readonly destinationField: string;
}

const fieldMappingRules: ListRules = {
  key: ({ sourceField, destinationField }: FieldMapping) =>
    JSON.stringify([sourceField, destinationField]),
  canonical: ({ sourceField, destinationField }: FieldMapping) => ({
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

/** The specification has neither bounds nor defaults for these settings. */
const settings = {
  streamingMaxInsertWaitMs: field(
    wholeNumber(),
    "How long a streaming pipe waits at most before it inserts the rows it has collected.",
    { unit: "milliseconds" },
  ),
  objectStorageConcurrency: field(
    wholeNumber(),
    "The number of objects read in parallel from object storage.",
  ),
  objectStoragePollingIntervalMs: field(
    wholeNumber(),
    "How often object storage is polled for new objects.",
    {
      unit: "milliseconds",
    },
  ),
  objectStorageMaxInsertBytes: field(
    wholeNumber(),
    "The maximum amount of object storage data in one insert.",
    {
      unit: "bytes",
    },
  ),
  objectStorageMaxFileCount: field(
    wholeNumber(),
    "The maximum number of object storage files in one insert.",
  ),
  engineMaxThreads: field(wholeNumber(), "The maximum number of threads of a query of the pipe."),
  engineMaxInsertThreads: field(wholeNumber(), "The maximum number of threads of an insert."),
  engineMinInsertBlockSizeBytes: field(wholeNumber(), "The minimum size of an inserted block.", {
    unit: "bytes",
  }),
  engineMaxDownloadThreads: field(wholeNumber(), "The maximum number of threads of a download."),
  engineParallelDistributedInsertSelect: field(
    wholeNumber(),
    "How `INSERT … SELECT` queries are distributed over replicas.",
  ),
  objectStorageUseClusterFunction: field(
    flag(),
    "Whether the replicas share the work of reading object storage.",
  ),
  engineParallelViewProcessing: field(flag(), "Whether dependent views are updated in parallel."),
};

const settingsGroup: Group<"updatePipe"> = {
  description:
    "Performance settings of the pipe. Settings that are not declared are left unchanged.",
  observedAs: "currentSettings",
  fields: Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [
      name,
      { ...field, apiName: inSnakeCase(name) },
    ]),
  ),
};

/** The settings in responses, with the program's names. */
export const shownSettings = z.object(
  Object.fromEntries(
    Object.keys(settings).map((name) => [
      name,
      schemas.pipeSettings.shape[inSnakeCase(name) as keyof typeof schemas.pipeSettings.shape],
    ]),
  ),
);

/** Renames settings in a response to the program's names. */
export function inProgramNames(
  response: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const present = Object.keys(settings).filter((name) => response[inSnakeCase(name)] !== undefined);
  return Object.fromEntries(present.map((name) => [name, response[inSnakeCase(name)]]));
}

export const pipe = defineResource({
  title: "pipe",
  description: [
    "An existing ingestion pipe: its name, source, destination, field mappings and settings.",
    "The API cannot create or delete pipes. The first `pulumi up` adopts the pipe and changes only what differs from the arguments; settings that are not declared are left unchanged. Destroying the resource removes it from the stack and changes nothing else. Credentials, access keys and connection strings are secrets that the API never returns, so they are sent when they change in the program.",
  ],
  id: "pipeId",
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service that the pipe writes to."),
    pipeId: idField("The ID of the pipe. It must exist, because the API cannot create pipes."),
    name: field(label(), "The name of the pipe."),
    source: sourceGroup,
    destination: {
      description: "Where the pipe writes to. Arguments that are not declared are left unchanged.",
      observedAs: "currentDestination",
      fields: {
        columns: field(
          listOf(record({ name: text(), type: text() })),
          "The columns of the destination and their types. This is the complete list.",
          { list: columnRules },
        ),
      },
    },
    fieldMappings: field(
      listOf(record({ sourceField: text(), destinationField: text() })),
      "Which field of the source is written to which field of the destination. This is the complete list. The schema of the destination table is not changed.",
      { list: fieldMappingRules },
    ),
    settings: settingsGroup,
  },
  outputs: {
    state: {
      schema: z.string(),
      description: "The state of the pipe. It changes without the program.",
    },
    scaling: {
      schema: schemas.pipe.shape.scaling.unwrap().unwrap(),
      description:
        "The size of the pipe: the number of replicas, their concurrency, and the CPU (in millicores) and memory (in GB) of each.",
    },
    currentSource: {
      schema: schemas.source,
      description:
        "The source as the API returns it, including what cannot be declared. Credentials, access keys and connection strings are omitted.",
      apiName: "source",
    },
    currentDestination: {
      schema: schemas.destination,
      description:
        "The destination as the API returns it: database, table, table definition and columns.",
      apiName: "destination",
    },
    currentSettings: {
      schema: shownSettings,
      description: "All settings as the API returns them, under the names that `settings` uses.",
      apiName: "settings",
      fromApi: inProgramNames,
    },
    createdAt: {
      schema: z.string(),
      description: "When the pipe was created, in ISO 8601 format.",
      changedBy: [],
    },
    updatedAt: {
      schema: z.string(),
      description: "When the pipe was last changed, in ISO 8601 format.",
    },
  },
  rules: [oneKind],
  read: "getPipe",
  updates: ["updatePipe"],
  findContradiction(current, inputs) {
    const other = otherKind(inputs.source, current.currentSource ?? current.source);
    return other && `its source is ${other.current} but the program declares ${other.inputs}`;
  },
});
