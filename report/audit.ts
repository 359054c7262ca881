import { execFile } from "node:child_process";
import { resolve as absolute } from "node:path";
import { Readable } from "node:stream";
import { type Options, UsageError } from "./options";
import { type Preview, placeOf, type ResourceStep } from "./preview";
import { emptyPreview, projectInFlags, stackIn } from "./read/command";
import { secretsHider } from "./read/environment";
import { readPreviews } from "./read/input";
import { createStepCollector, type RawState } from "./read/steps";
import { NO_CLI, runWithEvents } from "./run";

/** Policies over the stored states of stacks, without their program. */

const USAGE = "usage: clouddb-report audit [--stack NAME]... -- --policy-pack FOLDER";
/** Conditions that an audit can decide: it has no changes. */
const CONDITIONS = ["policy", "attention", "weakened", "unchecked", "failed", "never"];

/** The audit of each stack, worst first; one that failed says why. */
export async function audit({ positionals, stacks, refresh, prices, conditions }: Options): Promise<Preview[]> {
  const [, ...flags] = positionals;
  const hasPack = flags.some((flag) => /^--policy-pack(=|$)/.test(flag));
  if (!hasPack) throw new UsageError(USAGE);
  const answered = refresh ? [...CONDITIONS, "drift"] : CONDITIONS;
  const other = conditions.find((condition) => !answered.includes(condition));
  if (other !== undefined)
    throw new UsageError(`--fail-on ${other} cannot be decided by an audit; use ${answered.join(", ")}`);
  const audits: Preview[] = [];
  try {
    // One after the other: each starts the policy pack, and a fleet's states are often in one database.
    for (const name of await namesOf(stacks)) audits.push(await auditStack(name, { flags, refresh, prices }));
  } catch (error) {
    audits.push(failedAudit("", error as Error));
  }
  return audits.sort((one, other) => badness(other) - badness(one));
}

/** The worst are reported first. */
function badness({ outcome, policies }: Preview): number {
  if (outcome !== "succeeded") return 2;
  return policies.some(({ result }) => result === "failed") ? 1 : 0;
}

async function namesOf(stacks: readonly string[]): Promise<readonly string[]> {
  const selected = process.env.PULUMI_STACK;
  if (stacks.length > 0) return [...new Set(stacks)];
  if (selected) return [selected];
  // In parallel, it may wait forever for a connection to PostgreSQL.
  const list = await pulumi(["stack", "ls", "--json"], { PULUMI_DIY_BACKEND_PARALLEL: "1" });
  const names = (JSON.parse(list) as readonly { readonly name: string }[]).map(({ name }) => name);
  if (names.length === 0) throw new Error("The project has no stacks.");
  return names.sort();
}

interface AuditOptions {
  readonly flags: readonly string[];
  readonly refresh: true | undefined;
  readonly prices: string;
}

async function auditStack(name: string, { flags, refresh, prices }: AuditOptions): Promise<Preview> {
  const stack = ["--stack", name, "--non-interactive"];
  try {
    const drift = refresh ? await driftOf(stack) : undefined;
    // Without decrypted secrets, of which a report has no need.
    const { deployment } = JSON.parse(await pulumi(["stack", "export", ...stack])) as State;
    const { manifest, resources = [] } = deployment;
    if (resources.length === 0) throw new Error("The stack has no resources: there is nothing to audit.");
    // Not `--file`: where that cannot decrypt a secret, policies judge the text "[secret]" in its place.
    const variables = { CLOUDDB_PRICES: prices && absolute(prices) };
    const events = await pulumi(["policy", "analyze", ...stack, "--json", ...flags], variables, isComplete);
    const [result = emptyPreview] = await readPreviews(Readable.from(events), "the output of `pulumi policy analyze`");
    return {
      ...result,
      ...placeOf(resources[0]?.urn ?? ""),
      audit: { updated: timeOf(manifest?.time) },
      changes: unchanged(resources),
      drift: drift ?? [],
      notCovered: drift ? [] : ["drift"],
      policies: violationsIn(result),
      summary: undefined,
    };
  } catch (error) {
    return failedAudit(name, error as Error);
  }
}

/** The part of `pulumi stack export` that is used here. */
interface State {
  readonly deployment: {
    readonly manifest?: { readonly time?: string };
    readonly resources?: readonly (RawState & { readonly urn: string; readonly type: string })[];
  };
}

/** A violation makes the command fail, too, but only after its last event. */
const isComplete = (events: string) => events.includes('"summaryEvent"');

/** Also brings the stored state up to date. */
async function driftOf(stack: readonly string[]): Promise<readonly ResourceStep[]> {
  const { previews, errors, hasFailed } = await runWithEvents(["refresh", "--yes", "--skip-preview", ...stack]);
  if (hasFailed) throw new Error(firstError(errors));
  return previews.flatMap(({ drift }) => drift);
}

function unchanged(resources: NonNullable<State["deployment"]["resources"]>): ResourceStep[] {
  const collector = createStepCollector();
  for (const state of resources)
    collector.add({ op: "same", urn: state.urn, type: state.type, old: state, new: state });
  return collector.changes();
}

/** An audit changes nothing: a remedy is a violation, which most policies report themselves. */
function violationsIn({ policies }: Preview): Preview["policies"] {
  const failed = new Set(
    policies.flatMap(({ result, policy, urn }) => (result === "failed" ? [`${policy} ${urn}`] : [])),
  );
  return policies.flatMap((item) => {
    if (item.result !== "remediated") return [item];
    return failed.has(`${item.policy} ${item.urn}`) ? [] : [{ ...item, result: "failed" as const }];
  });
}

/** A stack that was never updated has a time before all others. */
function timeOf(text: string | undefined): string | undefined {
  const time = new Date(text ?? "");
  return time.getFullYear() > 2000 ? time.toISOString() : undefined;
}

function failedAudit(name: string, error: Error): Preview {
  const message = secretsHider(process.env)(error.message);
  console.error(`clouddb-report: ${name === "" ? "" : `${name}: `}${message}`);
  return {
    ...emptyPreview,
    project: projectInFlags([]),
    stack: stackIn(name),
    audit: {},
    notCovered: [],
    diagnostics: [{ severity: "error", urn: "", message }],
  };
}

function pulumi(
  args: readonly string[],
  variables = {},
  accepts: (output: string) => boolean = () => false,
): Promise<string> {
  const options = { env: { ...process.env, ...variables }, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((resolve, reject) => {
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (!error || accepts(stdout)) resolve(stdout);
      else reject(new Error(error.code === "ENOENT" ? NO_CLI : firstError(stderr)));
    });
  });
}

const OLD_CLI =
  "An audit needs the Pulumi CLI 3.229 or later, whose command `pulumi policy analyze` reads stored states.";

/** One sentence: stack traces and advice follow below. */
function firstError(text: string): string {
  const [, message = "pulumi failed without an error message."] = /^error: (.+)$/m.exec(text) ?? [];
  return message === "unknown flag: --stack" ? OLD_CLI : message;
}
