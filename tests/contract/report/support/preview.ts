import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Preview, ResourceStep, State } from "../../../../report/preview";
import { readPreviews } from "../../../../report/read/input";

export const recordings = join(__dirname, "..", "previews");

export const recordingNames = readdirSync(recordings).flatMap((name) => /^(.*)\.ndjson$/.exec(name)?.[1] ?? []);

/** The events of a recorded preview of the real engine, one per line. */
export function recording(name: string): string {
  return readFileSync(join(recordings, `${name}.ndjson`), "utf8").trim();
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
