import { execFile } from "node:child_process";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import {
  CommandError,
  ConcurrentUpdateError,
  type EngineEvent,
  LocalWorkspace,
  Stack,
} from "@pulumi/pulumi/automation";
import {
  type Analysis,
  analyze,
  exitCodeText,
  readPreviews,
  secretsHider,
  withCommand,
} from "clouddb-report";

/** An operation of the Automation API on one stack. */
export type Operate = (
  stack: Stack,
  options: { readonly onEvent: (event: EngineEvent) => void; readonly color: "never" },
) => Promise<unknown>;

export interface StackRun {
  /** Canceled: failed after Ctrl-C without another reason. */
  readonly outcome: "succeeded" | "failed" | "canceled";
  readonly analysis: Analysis;
  /** The reasons of a failure. */
  readonly reasons: readonly string[];
}

/** Opens the project in the current folder. */
export async function openProject(): Promise<{
  readonly workspace: LocalWorkspace;
  readonly project: string;
}> {
  // With parallel requests, `pulumi stack ls` may wait forever for PostgreSQL.
  const envVars = { PULUMI_DIY_BACKEND_PARALLEL: "1" };
  const workspace = await LocalWorkspace.create({ workDir: ".", envVars });
  const { name } = await workspace.projectSettings();
  return { workspace, project: name };
}

interface Wanted {
  readonly stacks?: string | undefined;
  readonly canary?: string | undefined;
}

/** All stacks of the project in one organization, or only the named ones. */
export async function findStacks(
  { workspace, project }: Awaited<ReturnType<typeof openProject>>,
  wanted: Wanted,
) {
  const all = await workspace.listStacks().catch((error) => {
    throw new Error(`Listing the stacks failed: ${reasonOf(error)}`);
  });
  const listed = all.map(({ name }) => name).sort();
  const isQualified = [...listed, wanted.stacks, wanted.canary].some((name) => name?.includes("/"));
  // Backends without organizations use this name.
  const { stdout } = isQualified
    ? await promisify(execFile)("pulumi", ["org", "get-default"]).catch(() => ({
        stdout: "organization",
      }))
    : { stdout: "" };
  return selectStacks(listed, { ...wanted, organization: stdout.trim(), project });
}

/**
 * Selects stacks of one organization. The CLI lists stacks of the default organization without its
 * name.
 */
export function selectStacks(
  listed: readonly string[],
  { organization, project, stacks, canary }: Wanted & Record<"organization" | "project", string>,
) {
  if (listed.length === 0)
    throw new Error("The project has no stacks: create them with `pulumi stack init`.");
  const organizationOf = (name: string) =>
    name.includes("/") ? name.replace(/\/.*/, "") : organization;
  const find = (name: string) => {
    const stack = name.trim().replace(`/${project}/`, "/");
    const found = stack.startsWith(`${organization}/`)
      ? stack.slice(organization.length + 1)
      : stack;
    if (listed.includes(found)) return found;
    throw new Error(`The project has no stack ${name.trim()}.`);
  };
  const named = stacks?.split(",").map(find);
  const first = canary === undefined ? undefined : find(canary);
  const chosen = [named ?? [], first ?? []].flat();
  const organizations = [
    ...new Set((chosen.length > 0 ? chosen : listed).map(organizationOf)),
  ].sort();
  const [only = ""] = organizations;
  if (organizations.length > 1)
    throw new Error(
      `The stacks are of ${organizations.length} organizations: ${organizations.join(", ")}. Name those of one with --stacks, such as --stacks ${only}/${project}/NAME.`,
    );
  const names = [...new Set(named ?? listed.filter((name) => organizationOf(name) === only))];
  if (first !== undefined && !names.includes(first))
    throw new Error(`--canary must be one of the stacks; got ${canary}.`);
  // Titles and markers omit the default organization.
  return { names, canary: first, organization: only === organization ? "" : only };
}

/** Runs an operation on a stack. Returns failures instead of throwing. */
export async function runStack(
  place: { readonly project: string; readonly stack: string },
  operate: Operate,
  stop: AbortSignal,
): Promise<StackRun> {
  const { stack: stackName } = place;
  const events = new PassThrough();
  // A stack may fail before its first event.
  const reading = readPreviews(events, stackName).catch(() => []);
  const onEvent = (event: EngineEvent) => void events.write(`${JSON.stringify(event)}\n`);
  let failure = "";
  try {
    // `pulumi refresh --preview-only` fails if confirmations are skipped, because it has none.
    const envVars = { PULUMI_SKIP_CONFIRMATIONS: "false" };
    const workspace = await LocalWorkspace.create({ workDir: ".", envVars });
    // Keeps the user's selected stack. Each command names its stack, and fails if it does not
    // exist.
    workspace.selectStack = async () => {};
    const stack = await Stack.select(stackName, workspace);
    stop.throwIfAborted();
    await operate(stack, { onEvent, color: "never" });
  } catch (error) {
    failure = reasonOf(error, stackName);
  }
  events.end();
  const previews = await reading;
  const isExplained = previews.some(({ diagnostics }) =>
    diagnostics.some(({ severity }) => severity === "error"),
  );
  const facts = { overrides: place, fallback: place, environment: process.env };
  const errors = isExplained ? "" : failure;
  const [preview] = withCommand(previews, { ...facts, errors, hasFailed: failure !== "" });
  if (preview === undefined) throw new Error(`${stackName}: no events`);
  const analysis = analyze(preview);
  if (analysis.outcome === "succeeded") return { outcome: "succeeded", analysis, reasons: [] };
  const violations = analysis.policies
    .filter(({ result }) => result === "failed")
    .flatMap(({ policy, findings }) => findings.map(({ message }) => `${policy}: ${message}`));
  const hasReason = preview.diagnostics.some(
    ({ severity, urn }) => severity === "error" && urn !== "",
  );
  if (stop.aborted && !hasReason && violations.length === 0)
    return { outcome: "canceled", analysis, reasons: [] };
  return { outcome: "failed", analysis, reasons: [...violations, ...analysis.errors] };
}

/** An error's message without the environment's secrets. */
export function reasonOf(error: unknown, stack = ""): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConcurrentUpdateError)
    return `The stack is locked by another update, or by one that was killed. If no other update is running, run \`pulumi cancel --yes --stack ${stack}\`, then the same command again.`;
  if (message.includes("spawn pulumi ENOENT"))
    return "Could not run pulumi: install it, or add it to PATH.";
  const command = error instanceof CommandError ? message : "";
  const [, reason] = /^\s*(?:stderr: )?error: (.+)$/m.exec(command) ?? [];
  const [, code] = /^\s*code: (\d+)$/m.exec(command) ?? [];
  return secretsHider(process.env)(reason ?? exitCodeText(Number(code)) ?? message);
}
