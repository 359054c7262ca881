import { basename } from "node:path";
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

/** The name of the project in the current folder, or else of the folder. */
export async function projectName(): Promise<string> {
  try {
    const workspace = await LocalWorkspace.create({ workDir: "." });
    return (await workspace.projectSettings()).name;
  } catch {
    return basename(process.cwd());
  }
}

/** All stacks of the project, or those with these names. */
export async function findStacks(wanted: string | undefined, canary: string | undefined): Promise<string[]> {
  // In parallel, `pulumi stack ls` may wait forever for a connection to PostgreSQL.
  const envVars = { PULUMI_DIY_BACKEND_PARALLEL: "1" };
  const listing = LocalWorkspace.create({ workDir: ".", envVars }).then((workspace) => workspace.listStacks());
  const listed = await listing.catch((error) => {
    throw new Error(`Listing the stacks failed: ${reasonOf(error)}`);
  });
  const all = listed.map(({ name }) => name).sort();
  if (all.length === 0) throw new Error("The project has no stacks: create them with `pulumi stack init`.");
  const names = wanted?.split(",").map((name) => name.trim()) ?? all;
  for (const name of names) if (!all.includes(name)) throw new Error(`The project has no stack ${name}.`);
  if (canary !== undefined && !names.includes(canary))
    throw new Error(`--canary must be one of the stacks; got ${canary}.`);
  return [...new Set(names)];
}

/** Runs an operation on a stack. A failure is a result, not an exception; after Ctrl-C, a failure without a reason is a cancellation. */
export async function runStack(
  place: { readonly project: string; readonly stack: string },
  operate: Operate,
  stop: AbortSignal,
): Promise<{ readonly analysis: Analysis; readonly isCanceled: boolean }> {
  const { stack: stackName } = place;
  const events = new PassThrough();
  // A stack that fails before its first event has none to read.
  const reading = readPreviews(events, stackName).catch(() => []);
  const onEvent = (event: EngineEvent) => void events.write(`${JSON.stringify(event)}\n`);
  let failure = "";
  try {
    // With confirmations skipped, `pulumi refresh --preview-only` fails: it would have nothing to confirm.
    const envVars = { PULUMI_SKIP_CONFIRMATIONS: "false" };
    const stack = await LocalWorkspace.selectStack({ workDir: ".", stackName }, { envVars });
    stop.throwIfAborted();
    await operate(stack, { onEvent, color: "never" });
  } catch (error) {
    failure = reasonOf(error, stackName);
  }
  events.end();
  const previews = await reading;
  const isExplained = previews.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === "error"));
  const facts = { overrides: place, fallback: place, environment: process.env };
  const errors = isExplained ? "" : failure;
  const [preview] = withCommand(previews, { ...facts, errors, hasFailed: failure !== "" });
  if (preview === undefined) throw new Error(`${stackName}: no events`);
  const hasReason = preview.diagnostics.some(({ severity, urn }) => severity === "error" && urn !== "");
  const isRefused = preview.policies.some(({ result }) => result === "failed");
  return { analysis: analyze(preview), isCanceled: stop.aborted && !hasReason && !isRefused };
}

function reasonOf(error: unknown, stack = ""): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConcurrentUpdateError)
    return `The stack is locked by another update, or by one that was killed. If no other update is running, run \`pulumi cancel --yes --stack ${stack}\`, then the same command again.`;
  if (message.includes("spawn pulumi ENOENT")) return "Could not run pulumi: install it, or add it to PATH.";
  const [, reason = message] = (error instanceof CommandError && /^\s*error: (.+)$/m.exec(message)) || [];
  return secretsHider(process.env)(reason);
}

/** Runs a task for each stack, several at a time, in order, as long as more may start. */
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
