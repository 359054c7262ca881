import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, type PolicyResult, type Preview, placeOf, type ResourceStep } from "../preview";
import { hideIn, markedSecrets, secretsHider, withoutColors } from "./redactor";
import type { EngineEvent, EngineStep, PolicyFinding, Remediation } from "./schema";
import { createStepCollector, driftIn, isRefreshStep, readStep, withoutInternals } from "./steps";

/** Reads the engine's events one by one, without keeping them, and collects them into a preview. */
export function createEventReader() {
  const steps = createStepCollector();
  const drift: ResourceStep[] = [];
  const findings: PolicyResult[] = [];
  const passed = new Map<string, string>();
  const packs = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  /** Messages from before the first event, which may be why there was none. */
  const early: Diagnostic[] = [];
  const secrets = new Set<string>();
  let place: { stack: string; project: string } | undefined;
  let summary: Preview["summary"];
  let outputs: Preview["outputs"];
  let [hasBegun, hasEnded, hasRefreshed] = [false, false, false];

  return {
    /** True if an event belongs to this run: the next run starts with another prelude. */
    takes: (event: EngineEvent): boolean => !(hasBegun && event.preludeEvent),
    add(event: EngineEvent): void {
      // These contain the program's values in plain text, including secrets.
      if (event.diagnosticEvent?.severity === "debug") return;
      if (event.preludeEvent) hasBegun = true;
      if (event.summaryEvent) summary = event.summaryEvent.resourceChanges;
      if (event.cancelEvent) hasEnded = true;
      if (event.resourcePreEvent) addStep(event.resourcePreEvent.metadata);
      if (event.resOutputsEvent) addOutcome(event.resOutputsEvent.metadata);
      if (event.policyEvent) findings.push(policyResult(event.policyEvent));
      if (event.policyRemediationEvent) findings.push(remediation(event.policyRemediationEvent));
      for (const pack of [event.policyAnalyzeSummaryEvent, event.policyAnalyzeStackSummaryEvent]) {
        if (pack) packs.add(pack.policyPackName);
        for (const name of pack?.passed ?? []) passed.set(name, pack?.policyPackName ?? "");
      }
      if (event.diagnosticEvent) addDiagnostic(event.diagnosticEvent);
    },
    preview(brokenLines = 0): Preview {
      const hide = secretsHider({}, [...secrets]);
      const names = new Set(findings.map(({ policy }) => policy));
      const others = [...passed].filter(([policy]) => !names.has(policy));
      // The engine ends after its summary, or without one if it failed.
      const isFailed = diagnostics.some(({ severity }) => severity === "error") || (hasEnded && !summary);
      const changes = steps.changes();
      // New resources cannot have drifted.
      const isBlind = !hasRefreshed && changes.some(({ before }) => before !== undefined);
      return {
        ...(place ?? { stack: "", project: "" }),
        // The events name neither.
        ...{ organization: "", selection: [] },
        stackOperation: steps.stackOperation(),
        changes,
        drift,
        policies: [
          ...hideIn(hide, findings),
          ...others.map(([policy, pack]): PolicyResult => ({ policy, pack, result: "passed", urn: "", message: "" })),
        ],
        packs: [...packs],
        outputs,
        summary,
        brokenLines,
        notCovered: [...(packs.size === 0 ? (["policies"] as const) : []), ...(isBlind ? (["drift"] as const) : [])],
        diagnostics: hideIn(hide, [...(hasBegun ? [] : early), ...diagnostics]),
        outcome: isFailed ? "failed" : summary ? "succeeded" : "cut off",
      };
    },
  };

  function addStep(step: EngineStep): void {
    addSecrets(step);
    place ??= placeOf(step.urn);
    // A read is complete when its outputs arrive.
    if (step.op !== "read") steps.add(step);
  }

  function addOutcome(step: EngineStep): void {
    addSecrets(step);
    hasRefreshed ||= isRefreshStep(step);
    if (step.type === "pulumi:pulumi:Stack") outputs = stackOutputs(step);
    if (step.op === "read") steps.add(readStep(step));
    else drift.push(...[driftIn(step)].filter((item) => item !== undefined));
  }

  function addSecrets({ old, new: now }: EngineStep): void {
    for (const text of markedSecrets([old?.inputs, old?.outputs, now?.inputs, now?.outputs])) secrets.add(text);
  }

  function addDiagnostic({ urn, message, severity }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    if (severity === "info" && !hasBegun) early.push({ severity: "error", urn, message: withoutColors(message) });
    if (severity !== "warning" && severity !== "error") return;
    if (urn !== "") place ??= placeOf(urn);
    diagnostics.push({ severity, urn, message: withoutColors(message) });
  }
}

/** The engine reports the stack twice: first with its old outputs, at the end with the new ones. */
function stackOutputs({ old, new: now }: EngineStep): Preview["outputs"] {
  return now ? { before: withoutInternals(old?.outputs ?? {}), after: withoutInternals(now.outputs) } : undefined;
}

function policyResult(finding: PolicyFinding): PolicyResult {
  const { policyName: policy, policyPackName: pack, enforcementLevel, resourceUrn: urn } = finding;
  const message = withoutColors(finding.message);
  // Any other level stops the update, whatever its name.
  const isAdvice = ["advisory", "warning"].includes(enforcementLevel);
  // The words of the policy SDK.
  const isOpen = isAdvice && message.startsWith("can't run policy");
  return { policy, pack, result: isOpen ? "not checked" : isAdvice ? "warned" : "failed", urn, message };
}

function remediation({ policyName, policyPackName, resourceUrn, before, after }: Remediation): PolicyResult {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  // Two secrets look the same.
  const message = `changes ${changed.length > 0 ? changed.join(", ") : "secret values"}`;
  return { policy: policyName, pack: policyPackName, result: "remediated", urn: resourceUrn, message };
}
