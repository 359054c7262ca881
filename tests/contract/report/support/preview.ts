import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Preview, ResourceStep, State } from "../../../../report/preview";
import { readPreviews } from "../../../../report/read/input";
import { temporaryFolder } from "../../../support/temporary-folder";

const file = join(__dirname, "../previews.ndjson");

/** The recorded previews by name. In the file, a line with its name stands before the events of each. */
function recordings(): Record<string, string> {
  const parts = readFileSync(file, "utf8")
    .split(/^\{"preview":"(.*)"\}\n/m)
    .slice(1);
  const entries = parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ""]] : []));
  return Object.fromEntries(entries);
}

export const recordingNames = Object.keys(recordings());

/** The events of a recorded preview of the real engine, one per line. */
export function recording(name: string): string {
  const text = recordings()[name];
  if (text === undefined) throw new Error(`no preview ${name} is recorded`);
  return text.trim();
}

export function storeRecording(name: string, text: string): void {
  const all = Object.entries({ ...recordings(), [name]: text }).sort();
  writeFileSync(file, all.map(([name, events]) => `${JSON.stringify({ preview: name })}\n${events}`).join(""));
}

const folder = temporaryFolder("previews");

/** A file with the events of a recorded preview. */
export function recordingFile(name: string): string {
  const path = join(folder, `${name}.ndjson`);
  writeFileSync(path, recording(name));
  return path;
}

export function recorded(name: string): Promise<Preview> {
  return previewIn(recording(name));
}

export function previewsIn(text: string): Promise<Preview[]> {
  return readPreviews(Readable.from([text]), "the test");
}

export async function previewIn(text: string): Promise<Preview> {
  return (await previewsIn(text))[0] as Preview;
}

export function textOf(events: readonly object[]): string {
  return events.map((event) => JSON.stringify({ sequence: 0, ...event })).join("\n");
}

/** A preview with these steps. */
export function previewOf(...changes: ResourceStep[]): Preview {
  return {
    organization: "",
    project: "shop",
    stack: "dev",
    selection: [],
    stackOperation: "same",
    changes,
    drift: [],
    policies: [],
    packs: [],
    outputs: undefined,
    summary: undefined,
    brokenLines: 0,
    notCovered: [],
    diagnostics: [],
    outcome: "succeeded",
  };
}

export function stepOf(
  type: string,
  name: string,
  operation: ResourceStep["operation"],
  before?: State,
  after?: State,
): ResourceStep {
  const lists = { differing: [], replacing: [], parent: "" };
  const urn = `urn:pulumi:dev::shop::clouddb:index:${type}::${name}`;
  return { urn, type: `clouddb:index:${type}`, name, operation, before, after, ...lists };
}

/** The parts of a state that tests set; the rest is that of a protected resource. */
export interface Side {
  readonly inputs?: object;
  readonly outputs?: object;
  readonly id?: string;
}

export function stateOf({ inputs = {}, outputs = {}, id = "a" }: Side): State {
  return {
    id,
    inputs: inputs as State["inputs"],
    outputs: outputs as State["outputs"],
    isProtected: true,
    isRetained: false,
    isPendingDeletion: false,
    provider: "",
  };
}
