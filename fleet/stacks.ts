import { PassThrough } from "node:stream";
import {
  CommandError,
  ConcurrentUpdateError,
  type EngineEvent,
  LocalWorkspace,
  type Stack,
} from "@pulumi/pulumi/automation";
import { type Analysis, analyze, readPreviews, secretsHider, withCommand } from "clouddb-report";

/** An operation of the Automation API on one stack. */
export type Operate = (
  stack: Stack,
  options: { readonly onEvent: (event: EngineEvent) => void; readonly color: "never" },
) => Promise<unknown>;

export interface Fleet {
  readonly project: string;
  /** All stacks of the project in the current folder, or those that were named. */
  readonly names: readonly string[];
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
}

export async function findFleet(named: string | undefined, stop: AbortSignal): Promise<Fleet> {
  // In parallel, `pulumi stack ls` may wait forever for a connection to PostgreSQL.
  const workspace = await LocalWorkspace.create({ workDir: ".", envVars: { PULUMI_DIY_BACKEND_PARALLEL: "1" } });
  const { name: project } = await workspace.projectSettings();
  const listed = await workspace.listStacks().catch((error) => {
    throw new Error(`Listing the stacks failed: ${reasonOf(error, "")}`);
  });
  const all = listed.map(({ name }) => name).sort();
  const names = named?.split(",").map((name) => name.trim()) ?? all;
  for (const name of names) if (!all.includes(name)) throw new Error(`The project has no stack ${name}.`);
  if (names.length === 0) throw new Error("The project has no stacks: create them with `pulumi stack init`.");
  return { project, names: [...new Set(names)], stop };
}

/** Runs a task for each stack, several at a time, in order, until `mayStart` is false. */
export async function runAll(
  names: readonly string[],
  concurrency: number,
  mayStart: () => boolean,
  run: (name: string) => Promise<void>,
): Promise<void> {
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined && mayStart(); name = waiting.shift()) await run(name);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** An operation on one stack. A failure is a result, not an exception. */
export async function runStack({ project, stop }: Fleet, name: string, operate: Operate): Promise<Analysis> {
  const events = new PassThrough();
  const reading = readPreviews(events, name);
  const onEvent = (event: EngineEvent) => void events.write(`${JSON.stringify(event)}\n`);
  console.log(`${name}: started`);
  let failure = "";
  try {
    // With confirmations skipped, `pulumi refresh --preview-only` fails: it would have nothing to confirm.
    const envVars = { PULUMI_SKIP_CONFIRMATIONS: "false" };
    const stack = await LocalWorkspace.selectStack({ workDir: ".", stackName: name }, { envVars });
    stop.throwIfAborted();
    await operate(stack, { onEvent, color: "never" });
  } catch (error) {
    failure = reasonOf(error, name);
  }
  events.end();
  // A stack that failed before its first event has none to read.
  const previews = await reading.catch(() => []);
  const place = { project, stack: name };
  const facts = { overrides: place, fallback: place, environment: process.env };
  const [preview] = withCommand(previews, { ...facts, errors: failure, hasFailed: failure !== "" });
  if (preview === undefined) throw new Error(`${name}: no events`);
  return analyze(preview);
}

function reasonOf(error: unknown, name: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConcurrentUpdateError)
    return `error: The stack is locked by another update, or by one that was killed. If no other update is running, run \`pulumi cancel --yes --stack ${name}\`, then the same command again.`;
  if (message.includes("spawn pulumi ENOENT")) return "Could not run pulumi: install it, or add it to PATH.";
  const [, reason = message] = (error instanceof CommandError && /^\s*(error: .+)$/m.exec(message)) || [];
  return secretsHider(process.env)(reason);
}
