import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { SECRET_MARK, SIGNATURE } from "../../../../facts";
import { type AnalysisOptions, analyze } from "../../../../report/analyze/analyze";
import { verdictOn } from "../../../../report/analyze/gates";
import type { Preview, ResourceStep, State } from "../../../../report/preview";
import { readPreviews } from "../../../../report/read/input";
import { type RenderOptions, renderMarkdown } from "../../../../report/render/markdown";
import { type Format, render } from "../../../../report/render/render";
import { root } from "../../../support/root";
import { temporaryFolder } from "../../../support/temporary-folder";

const file = join(__dirname, "../previews.ndjson");

/**
 * The recorded previews by name. In the file, a line with its name stands before the events of
 * each.
 */
function recordings(): Record<string, string> {
  const parts = readFileSync(file, "utf8")
    .split(/^\{"preview":"(.*)"\}\n/m)
    .slice(1);
  const entries = parts.flatMap((name, index) =>
    index % 2 === 0 ? [[name, parts[index + 1] ?? ""]] : [],
  );
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
  writeFileSync(
    file,
    all.map(([name, events]) => `${JSON.stringify({ preview: name })}\n${events}`).join(""),
  );
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

export function previewsIn(text: string): Promise<readonly Preview[]> {
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
  const stack = {
    organization: "",
    project: "shop",
    stack: "dev",
    stackOperation: "same",
  } as const;
  const findings = {
    drift: [],
    policies: [],
    packs: [],
    diagnostics: [],
    outputs: undefined,
    summary: undefined,
  };
  return {
    ...stack,
    changes,
    ...findings,
    selection: [],
    notCovered: [],
    brokenLines: 0,
    outcome: "succeeded",
  };
}

/** The parts of a state that tests set; the rest is that of a protected resource. */
export interface Side extends Partial<Omit<State, "inputs" | "outputs">> {
  readonly inputs?: object;
  readonly outputs?: object;
}

function stateOf(side: Side): State {
  const options = { isProtected: true, isRetained: false, isPendingDeletion: false, provider: "" };
  return { id: "a", inputs: {}, outputs: {}, ...options, ...side } as State;
}

export function stepOf(
  type: string,
  name: string,
  operation: ResourceStep["operation"],
  before?: Side,
  after?: Side,
): ResourceStep {
  const urn = `urn:pulumi:dev::shop::clouddb:index:${type}::${name}`;
  const states = { before: before && stateOf(before), after: after && stateOf(after) };
  return {
    urn,
    type: `clouddb:index:${type}`,
    name,
    operation,
    ...states,
    differing: [],
    replacing: [],
    parent: "",
  };
}

/** A value that the program marks as secret, as an event shows it. */
export const SECRET = { [SIGNATURE]: SECRET_MARK, ciphertext: "[secret]" };

type Options = AnalysisOptions & RenderOptions;

export function markdownOf(preview: Preview, options: Options = {}): string {
  return renderMarkdown(analyze(preview, options), options);
}

/** One report of several previews. */
export function renderReport(
  previews: readonly Preview[],
  format: Format,
  options: Options = {},
): string {
  return render(
    previews.map((preview) => analyze(preview, options)),
    format,
    options,
  );
}

export const irreversibleReasons = (preview: Preview) =>
  analyze(preview).irreversible.map(({ reason }) => reason);

export function verdictsOn(preview: Preview, ...conditions: string[]) {
  const analysis = analyze(preview);
  return conditions.map((condition) => {
    const verdict = verdictOn(analysis, condition);
    return typeof verdict === "object" && "holds" in verdict ? "holds" : verdict;
  });
}

const COMMAND = join(root, "report/dist/cli.js");
/** A command that has not ended by then hangs. */
const LIMITS = { timeout: 120_000, killSignal: "SIGKILL", maxBuffer: 100_000_000 } as const;

interface Run {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the built command, with these environment variables only. */
export function runCli({ args, env = {}, input = "" }: Run) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...args],
      { env, ...LIMITS },
      (error, stdout, stderr) => resolve({ status: error ? error.code : 0, stdout, stderr }),
    );
    // A command may end without reading all of it.
    child.stdin?.on("error", () => {}).end(input);
  });
}
