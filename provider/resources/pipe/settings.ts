import { z } from "zod";
import * as schemas from "../../api/schemas";
import type { Field, Group } from "../../fields";
import { flag } from "../../fields/shapes";

/** The specification shows no bounds and no defaults for these. */
const amount = (doc: string, unit?: string) => setting(z.number("use a number"), doc, unit);
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
  streamingMaxInsertWaitMs: amount("How long a streaming pipe gathers rows before it inserts them.", "milliseconds"),
  objectStorageConcurrency: amount("How many objects are read at a time."),
  objectStoragePollingIntervalMs: amount("How often the object storage is looked at for new objects.", "milliseconds"),
  objectStorageMaxInsertBytes: amount("How much of the object storage's data goes into one insert.", "bytes"),
  objectStorageMaxFileCount: amount("How many files go into one insert."),
  engineMaxThreads: amount("How many threads a query of the pipe may use."),
  engineMaxInsertThreads: amount("How many threads an insert may use."),
  engineMinInsertBlockSizeBytes: amount("The least size of a block that is inserted.", "bytes"),
  engineMaxDownloadThreads: amount("How many threads a download may use."),
  engineParallelDistributedInsertSelect: amount("How inserts from selects are spread over replicas."),
  objectStorageUseClusterFunction: choice("Whether all replicas share the reading of the object storage."),
  engineParallelViewProcessing: choice("Whether dependent views are filled at the same time."),
} as const;

/** On the wire they are written with underscores. */
function onTheWire(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const settingsGroup: Group = {
  doc: "How the pipe is tuned. Those that are not declared are left alone.",
  observedAs: "currentSettings",
  fields: Object.fromEntries(
    Object.entries(settings).map(([name, field]) => [name, { ...field, apiName: onTheWire(name) }]),
  ),
};

/** Settings as answers show them, under the names of the program. */
export const shownSettings = z.object(
  Object.fromEntries(
    Object.keys(settings).map((name) => [
      name,
      schemas.pipeSettings.shape[onTheWire(name) as keyof typeof schemas.pipeSettings.shape],
    ]),
  ),
);

/** The settings of an answer under the names of the program. */
export function inProgramNames(shown: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = Object.keys(settings).filter((name) => shown[onTheWire(name)] !== undefined);
  return Object.fromEntries(present.map((name) => [name, shown[onTheWire(name)]]));
}
