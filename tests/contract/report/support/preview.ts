import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Preview, ResourceStep, State } from "../../../../report/preview";
import { readPreviews } from "../../../../report/read/input";

export const recordings = join(__dirname, "..", "previews");

/** A recorded preview of the real engine. */
export async function recorded(name: string): Promise<Preview> {
  const file = join(recordings, `${name}.ndjson`);
  return (await readPreviews(createReadStream(file), file))[0] as Preview;
}

/** A preview with these steps. */
export function previewOf(...changes: ResourceStep[]): Preview {
  return {
    project: "shop",
    stack: "dev",
    stackOperation: "same",
    changes,
    drift: [],
    policies: [],
    packs: [],
    outputs: undefined,
    summary: undefined,
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
) {
  const lists = { differing: [], replacing: [], dependencies: [], sources: {}, parent: "" };
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
