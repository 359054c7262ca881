import { z } from "zod";
import * as schemas from "../../api/schemas";
import type { Field, Group } from "../../fields";
import { flag, wholeNumber } from "../../fields/shapes";
import { inSnakeCase } from "../../names";

/** The specification defines neither bounds nor defaults for these. */
const count = (doc: string, unit?: string) => setting(wholeNumber(), doc, unit);
const bytes = (doc: string) => setting(wholeNumber(), doc, "bytes");
const choice = (doc: string) => setting(flag(), doc);

function setting(schema: Field["schema"], doc: string, unit?: string) {
  return {
    schema,
    doc,
    ...(unit && { unit }),
    onChange: "update",
    operations: ["updatePipe"],
    inResponse: true,
  } as const;
}

const settings = {
  streamingMaxInsertWaitMs: count(
    "How long a streaming pipe waits at most before it inserts the rows it has collected.",
    "milliseconds",
  ),
  objectStorageConcurrency: count("The number of objects read in parallel from object storage."),
  objectStoragePollingIntervalMs: count("How often object storage is polled for new objects.", "milliseconds"),
  objectStorageMaxInsertBytes: bytes("The maximum amount of object storage data in one insert."),
  objectStorageMaxFileCount: count("The maximum number of object storage files in one insert."),
  engineMaxThreads: count("The maximum number of threads of a query of the pipe."),
  engineMaxInsertThreads: count("The maximum number of threads of an insert."),
  engineMinInsertBlockSizeBytes: bytes("The minimum size of an inserted block."),
  engineMaxDownloadThreads: count("The maximum number of threads of a download."),
  engineParallelDistributedInsertSelect: count("How `INSERT … SELECT` queries are distributed over replicas."),
  objectStorageUseClusterFunction: choice("Whether the replicas share the work of reading object storage."),
  engineParallelViewProcessing: choice("Whether dependent views are updated in parallel."),
} as const;

export const settingsGroup: Group = {
  doc: "Performance settings of the pipe. Settings that are not declared are left unchanged.",
  observedAs: "currentSettings",
  fields: Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [name, { ...field, apiName: inSnakeCase(name) }]),
  ),
};

/** The settings in responses, under the names that programs use. */
export const shownSettings = z.object(
  Object.fromEntries(
    Object.keys(settings).map((name) => [
      name,
      schemas.pipeSettings.shape[inSnakeCase(name) as keyof typeof schemas.pipeSettings.shape],
    ]),
  ),
);

/** Renames the settings of a response to the names that programs use. */
export function inProgramNames(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = Object.keys(settings).filter((name) => response[inSnakeCase(name)] !== undefined);
  return Object.fromEntries(present.map((name) => [name, response[inSnakeCase(name)]]));
}
