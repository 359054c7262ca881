import { resolve as absolute } from "node:path";
import { Readable } from "node:stream";
import { isRecord } from "pulumi-clouddb-facts";
import { startFailure, startPulumi, stopSignal } from "./child";
import { type Options, UsageError } from "./options";
import { type Preview, placeOf, type ResourceStep } from "./preview";
import { emptyPreview, projectInFlags, stackIn, withoutColours } from "./read/command";
import { secretsHider } from "./read/environment";
import { withoutSecrets } from "./read/secrets";
import { createStepCollector, type RawState } from "./read/steps";
import { parsed } from "./read/text";
import { previewsIn, runWithEvents } from "./run";

/** Policies over the stored states of stacks, without their program. */

const USAGE = "usage: clouddb-report audit [--stack NAME]... -- --policy-pack FOLDER";
/** Conditions that an audit can decide: it has no changes. */
const CONDITIONS = ["policy", "attention", "weakened", "unchecked", "failed", "never"];
/** Flags of `pulumi policy analyze` that would select another state or output; `-es prod` has one of them, too. */
const OWN_FLAG = /^(?:-\w*[sjC]|--(?:stack|file|json|diff|cwd)(?:=|$))/;

/** The stack cannot be audited; the message says why. */
class AuditFailure extends Error {}

/** The audit of each stack, worst first; one that failed says why. */
export async function audit({
  positionals,
  stacks,
  refresh,
  prices,
  conditions,
  commentIf,
}: Options): Promise<Preview[]> {
  const [, ...flags] = positionals;
  checkFlags(flags);
  const answered = refresh ? [...CONDITIONS, "drift"] : CONDITIONS;
  const other = [...conditions, ...commentIf].find((condition) => !answered.includes(condition));
  if (other !== undefined) throw new UsageError(`${other} cannot be decided by an audit; use ${answered.join(", ")}`);
  const audits: Preview[] = [];
  const selected = process.env.PULUMI_STACK;
  const named = stacks.length > 0 ? [...new Set(stacks)] : selected ? [selected] : undefined;
  try {
    const names = named ?? (await allStacks());
    // One after the other: each starts the policy pack, and a fleet's states are often in one database.
    for (const [index, name] of names.entries()) {
      console.error(`Auditing ${name} (${index + 1} of ${names.length})`);
      audits.push(await auditStack(name, { flags, refresh, prices, mayBeEmpty: named === undefined }));
    }
  } catch (error) {
    audits.push(failedAudit("", error));
  }
  return audits.sort((one, other) => badness(other) - badness(one));
}

function checkFlags(flags: readonly string[]): void {
  if (flags[0] !== undefined && !flags[0].startsWith("-")) throw new UsageError(`${USAGE}; got the word ${flags[0]}`);
  const own = flags.find((flag) => OWN_FLAG.test(flag));
  if (own !== undefined)
    throw new UsageError(
      `${own} cannot follow \`--\`: name stacks with --stack before it, and run the audit in the folder of the project`,
    );
  if (!flags.some((flag) => /^--policy-pack(=|$)/.test(flag))) throw new UsageError(USAGE);
}

/** The worst are reported first. */
function badness({ outcome, policies }: Preview): number {
  if (outcome !== "succeeded") return 2;
  return policies.some(({ result }) => result === "failed") ? 1 : 0;
}

async function allStacks(): Promise<readonly string[]> {
  // In parallel, it may wait forever for a connection to PostgreSQL.
  const output = await outputOf(["stack", "ls", "--json"], { PULUMI_DIY_BACKEND_PARALLEL: "1" });
  const list = jsonIn(output, Array.isArray) as readonly { readonly name: string }[] | undefined;
  if (!list) throw new AuditFailure("`pulumi stack ls --json` did not print a list of stacks.");
  if (list.length === 0) throw new AuditFailure("The project has no stacks.");
  return list.map(({ name }) => name).sort();
}

interface AuditOptions {
  readonly flags: readonly string[];
  readonly refresh: true | undefined;
  readonly prices: string;
  /** Nobody has asked for this stack by its name. */
  readonly mayBeEmpty: boolean;
}

async function auditStack(name: string, { flags, refresh, prices, mayBeEmpty }: AuditOptions): Promise<Preview> {
  const stack = ["--stack", name, "--non-interactive"];
  // Known also if a later step fails: a refresh has already stored the drift, so that no other will find it.
  let drift: readonly ResourceStep[] | undefined;
  let policies: Preview["policies"] = [];
  let hide = secretsHider(process.env);
  try {
    if (stopSignal()) throw new AuditFailure("The stack was not audited.");
    if (refresh) {
      const { previews, errors, hasFailed } = await runWithEvents(["refresh", "--yes", "--skip-preview", ...stack], {
        isUnattended: true,
      });
      drift = previews.flatMap((preview) => preview.drift);
      if (hasFailed) throw new AuditFailure(firstError(errors));
      if (!previews.some(({ outcome }) => outcome === "succeeded"))
        throw new AuditFailure("`pulumi refresh` wrote no complete events: the drift is not known.");
    }
    const { deployment, secrets } = await stateOf(name, stack);
    // A policy may report a secret that it was given.
    hide = secretsHider(process.env, secrets);
    const { manifest, resources = [] } = deployment;
    const audited = {
      ...placeOf(resources[0]?.urn ?? ""),
      drift: drift ?? [],
      notCovered: drift ? [] : (["drift"] as const),
      diagnostics: [],
      outcome: "succeeded",
    } as const;
    if (resources.length === 0) {
      if (!mayBeEmpty) throw new AuditFailure("The stack has no resources: there is nothing to audit.");
      return {
        ...emptyPreview,
        ...audited,
        project: projectInFlags([]),
        stack: stackIn(name),
        audit: { isEmpty: true },
      };
    }
    if (audited.stack !== stackIn(name))
      throw new AuditFailure(`The stored state is that of the stack ${audited.stack}.`);
    // Not `--file`: where that cannot decrypt a secret, policies judge the text "[secret]" in its place.
    const variables = { CLOUDDB_PRICES: prices && absolute(prices) };
    const { output, failure } = await pulumi(["policy", "analyze", ...stack, "--json", ...flags], variables);
    // Its outcome is judged below.
    const [result = emptyPreview] = await previewsIn(Readable.from(output));
    policies = violationsIn(result).map((item) => ({ ...item, message: hide(item.message) }));
    const reason = failureOf(output, failure, result);
    if (reason !== undefined) throw new AuditFailure(reason);
    return {
      ...result,
      ...audited,
      audit: { updated: timeOf(manifest?.time) },
      changes: unchanged(resources),
      policies,
      diagnostics: result.diagnostics.map((item) => ({ ...item, message: hide(item.message) })),
      summary: undefined,
    };
  } catch (error) {
    return failedAudit(name, error, { drift, policies, hide });
  }
}

async function stateOf(name: string, stack: readonly string[]) {
  const output = await outputOf(["stack", "export", "--show-secrets", ...stack]);
  const state = jsonIn(output, (json) => isRecord(json) && isRecord(json.deployment)) as State | undefined;
  if (!state) throw new AuditFailure(`\`pulumi stack export\` did not print the state of ${name}.`);
  const secrets: string[] = [];
  return { ...withoutSecrets(state, secrets), secrets };
}

const VIOLATIONS = "one or more mandatory policy violations were found";

/** The reason that policies have not judged everything. The CLI ends with a summary then, too. */
function failureOf(output: string, failure: string | undefined, { policies, outcome }: Preview): string | undefined {
  const isViolated = policies.some(({ result }) => result === "failed");
  if (failure !== undefined && !(isViolated && failure === VIOLATIONS)) return failure;
  if (outcome === "succeeded" && (isViolated || !/^\{.*"summaryEvent":.*"result":"failed"/m.test(output)))
    return undefined;
  return "`pulumi policy analyze` ended before it had judged all resources, and did not say why.";
}

/** The part of `pulumi stack export` that is used here. */
interface State {
  readonly deployment: {
    readonly manifest?: { readonly time?: string };
    readonly resources?: readonly (RawState & { readonly urn: string; readonly type: string })[];
  };
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

interface Found {
  readonly drift?: readonly ResourceStep[] | undefined;
  readonly policies?: Preview["policies"];
  readonly hide?: (text: string) => string;
}

/** Other errors are defects. */
function failedAudit(name: string, error: unknown, found: Found = {}): Preview {
  if (!(error instanceof AuditFailure)) throw error;
  const { drift = [], policies = [], hide = secretsHider(process.env) } = found;
  const message = hide(stopSignal() ? `Stopped by ${stopSignal()}. ${error.message}` : error.message);
  console.error(`clouddb-report: ${name === "" ? "" : `${name}: `}${message}`);
  return {
    ...emptyPreview,
    project: projectInFlags([]),
    stack: stackIn(name),
    audit: {},
    drift,
    policies,
    notCovered: [],
    diagnostics: [{ severity: "error", urn: "", message }],
  };
}

async function outputOf(args: readonly string[], variables = {}): Promise<string> {
  const { output, failure } = await pulumi(args, variables);
  if (failure !== undefined) throw new AuditFailure(failure);
  return output;
}

interface Ended {
  readonly output: string;
  /** The reason if it failed. */
  readonly failure: string | undefined;
}

/** It cannot read standard input, where it could wait forever. */
function pulumi(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<Ended> {
  const child = startPulumi(args, { env: { ...process.env, ...variables }, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ output: "", failure: startFailure(error) }));
    child.on("close", (code, signal) => {
      const failure = code === 0 ? undefined : signal ? `pulumi was ended by ${signal}.` : firstError(texts.stderr);
      resolve({ output: texts.stdout, failure });
    });
  });
}

/** The JSON in an output, which warnings may precede. */
function jsonIn(output: string, isExpected: (json: unknown) => boolean): unknown {
  const json = parsed(output.slice(Math.max(output.search(/^[[{]/m), 0)));
  return isExpected(json) ? json : undefined;
}

const OLD_CLI =
  "An audit needs the Pulumi CLI 3.229 or later, whose command `pulumi policy analyze` reads stored states.";

/** One sentence, such as a policy's and its reason: stack traces and advice follow below. */
function firstError(text: string): string {
  const [, message = "pulumi failed without an error message."] =
    /^error: (.+:\n.+|.+)$/m.exec(withoutColours(text)) ?? [];
  return message === "unknown flag: --stack" ? OLD_CLI : message.replace("\n", " ");
}
