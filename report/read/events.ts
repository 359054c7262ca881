import { isDeepStrictEqual } from "node:util";
import {
  type Diagnostic,
  type PolicyResult,
  type Preview,
  type Properties,
  placeOf,
  type ResourceStep,
} from "../preview";
import { secretsHider } from "./environment";
import { markedSecrets } from "./marked-secrets";
import { isDrift, isRefreshStep } from "./refresh";
import { changeFrom, createStepCollector, type EngineStep, type RawState, withoutInternals } from "./steps";

/** Reads the engine's events one by one, without keeping them. */

interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old: RawState | null;
  readonly new: RawState | null;
  readonly keys?: readonly string[] | null;
  readonly diffs?: readonly string[] | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
  /** Not set for the halves of a replacement and for refreshes. */
  readonly logical?: boolean;
}

interface PolicyEvent {
  readonly resourceUrn?: string;
  readonly message: string;
  readonly policyName: string;
  readonly policyPackName: string;
  readonly enforcementLevel: string;
}

interface RemediationEvent extends Pick<PolicyEvent, "resourceUrn" | "policyName" | "policyPackName"> {
  readonly before?: Properties;
  readonly after?: Properties;
}

interface PolicySummary {
  readonly policyPackName: string;
  readonly passed?: readonly string[];
}

export interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: Metadata };
  readonly resOutputsEvent?: { readonly metadata: Metadata };
  readonly policyEvent?: PolicyEvent;
  readonly policyRemediationEvent?: RemediationEvent;
  readonly policyAnalyzeSummaryEvent?: PolicySummary;
  readonly policyAnalyzeStackSummaryEvent?: PolicySummary;
  readonly diagnosticEvent?: { readonly urn?: string; readonly message: string; readonly severity: string };
  readonly preludeEvent?: object;
  readonly summaryEvent?: { readonly resourceChanges?: Readonly<Record<string, number>> | null };
  readonly cancelEvent?: object;
}

/** Collects events into a preview. */
export function createEventReader() {
  const steps = createStepCollector();
  const drift: ResourceStep[] = [];
  const findings: PolicyResult[] = [];
  const passed = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  let place: { stack: string; project: string } | undefined;
  let hasBegun = false;
  let summary: Readonly<Record<string, number>> | undefined;
  let outputs: Preview["outputs"];
  let hasEnded = false;
  let hasRefreshed = false;
  const packs = new Set<string>();
  const secrets = new Set<string>();
  /** Messages from before the first event, which may be why there was none. */
  const early: Diagnostic[] = [];

  return {
    /** True if an event belongs to this run: the next run starts with another prelude. */
    takes: (event: EngineEvent): boolean => !(hasBegun && event.preludeEvent),
    add(event: EngineEvent): void {
      // These contain the program's values in plain text, including secrets.
      if (event.diagnosticEvent?.severity === "debug") return;
      if (event.preludeEvent) hasBegun = true;
      if (event.summaryEvent) summary = event.summaryEvent.resourceChanges ?? {};
      if (event.cancelEvent) hasEnded = true;
      for (const { metadata } of [event.resourcePreEvent, event.resOutputsEvent].filter((part) => part !== undefined)) {
        const states = [metadata.old, metadata.new].flatMap((state) => [state?.inputs, state?.outputs]);
        for (const text of markedSecrets(states)) secrets.add(text);
      }
      if (event.resourcePreEvent) addStep(event.resourcePreEvent.metadata);
      if (event.resOutputsEvent) addOutcome(event.resOutputsEvent.metadata);
      if (event.policyEvent) findings.push(policyResult(event.policyEvent));
      if (event.policyRemediationEvent) findings.push(remediation(event.policyRemediationEvent));
      for (const summary of [event.policyAnalyzeSummaryEvent, event.policyAnalyzeStackSummaryEvent]) {
        if (summary) packs.add(summary.policyPackName);
        for (const name of summary?.passed ?? []) passed.set(name, summary?.policyPackName ?? "");
      }
      if (event.diagnosticEvent) addDiagnostic(event.diagnosticEvent);
    },
    preview(): Preview {
      const hide = secretsHider({}, [...secrets]);
      const hidden = <Item extends { readonly message: string }>(items: readonly Item[]) =>
        items.map((item) => ({ ...item, message: hide(item.message) }));
      const names = new Set(findings.map(({ policy }) => policy));
      const others = [...passed].filter(([policy]) => !names.has(policy));
      // The engine ends after its summary, or without one if it failed.
      const isFailed = diagnostics.some(({ severity }) => severity === "error") || (hasEnded && !summary);
      const changes = steps.changes();
      // New resources cannot have drifted.
      const isBlind = !hasRefreshed && changes.some(({ before }) => before !== undefined);
      return {
        ...(place ?? { stack: "", project: "" }),
        stackOperation: steps.stackOperation(),
        changes,
        drift,
        policies: [
          ...hidden(findings),
          ...others.map(([policy, pack]): PolicyResult => ({ policy, pack, result: "passed", urn: "", message: "" })),
        ],
        packs: [...packs],
        outputs,
        summary,
        notCovered: [...(packs.size === 0 ? (["policies"] as const) : []), ...(isBlind ? (["drift"] as const) : [])],
        diagnostics: hidden([...(hasBegun ? [] : early), ...diagnostics]),
        outcome: isFailed ? "failed" : summary ? "succeeded" : "cut off",
      };
    },
  };

  function addStep(metadata: Metadata): void {
    place ??= placeOf(metadata.urn);
    // A read is complete when its outputs arrive.
    if (metadata.op !== "read") steps.add(stepFrom(metadata));
  }

  function addOutcome(metadata: Metadata): void {
    hasRefreshed ||= isRefreshStep(metadata);
    if (metadata.type === "pulumi:pulumi:Stack") outputs = outputsOf(metadata);
    if (metadata.op === "read") steps.add(readFrom(metadata));
    else if (isDrift(metadata)) drift.push(changeFrom(stepFrom(metadata), metadata.new ? "update" : "delete"));
  }

  function addDiagnostic({ urn = "", message, severity }: { urn?: string; message: string; severity: string }): void {
    if (severity === "info" && !hasBegun) early.push({ severity: "error", urn, message: withoutColours(message) });
    if (severity !== "warning" && severity !== "error") return;
    if (urn !== "") place ??= placeOf(urn);
    diagnostics.push({ severity, urn, message: withoutColours(message) });
  }
}

function stepFrom({ keys, diffs, ...metadata }: Metadata): EngineStep {
  return { ...metadata, replacing: keys ?? null, differing: diffs ?? null };
}

/** As the engine counts: a first read, or one without differences, is not a change. */
function readFrom(metadata: Metadata): EngineStep {
  const hasChanged = metadata.old && !isDeepStrictEqual(metadata.old.outputs, metadata.new?.outputs);
  return { ...stepFrom(metadata), op: hasChanged ? "read" : "same" };
}

/** The engine reports the stack twice: first with its old outputs, at the end with the new ones. */
function outputsOf({ old, new: now }: Metadata): Preview["outputs"] {
  return now ? { before: withoutInternals(old?.outputs ?? {}), after: withoutInternals(now.outputs ?? {}) } : undefined;
}

/** An event log contains colour directives. None has a percent sign: an unfinished one is not searched to the end. */
function withoutColours(message: string): string {
  return message.replace(/<\{%[^%\n]*%\}>/g, "").trim();
}

function policyResult({
  policyName,
  policyPackName,
  enforcementLevel,
  message: coloured,
  resourceUrn = "",
}: PolicyEvent): PolicyResult {
  const message = withoutColours(coloured);
  // Any other level stops the update, whatever its name.
  const isAdvice = ["advisory", "warning"].includes(enforcementLevel);
  // The words of the policy SDK.
  const isOpen = isAdvice && message.startsWith("can't run policy");
  return {
    policy: policyName,
    pack: policyPackName,
    result: isOpen ? "not checked" : isAdvice ? "warned" : "failed",
    urn: resourceUrn,
    message,
  };
}

function remediation({
  policyName,
  policyPackName,
  resourceUrn = "",
  before = {},
  after = {},
}: RemediationEvent): PolicyResult {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  // Two secrets look the same.
  const message = `changes ${changed.length > 0 ? changed.join(", ") : "secret values"}`;
  return { policy: policyName, pack: policyPackName, result: "remediated", urn: resourceUrn, message };
}
