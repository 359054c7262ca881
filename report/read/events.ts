import { isDeepStrictEqual } from "node:util";
import { parseUrn } from "pulumi-clouddb-facts";
import type { Diagnostic, PolicyResult, Preview, Properties } from "../preview";
import { hideIn, markedSecrets, secretsHider, withMarksOf, withoutColors } from "./redactor";
import type { EngineEvent, EngineStep, PolicyFinding, Remediation } from "./schema";
import { createStepCollector } from "./steps";

/** Collects the engine's events into a preview, without storing them. */
export function createEventReader() {
  const steps = createStepCollector();
  const policies = createPolicyCollector();
  const messages = createMessageCollector();
  const secrets = new Set<string>();
  /** The arguments of resources before remediations, by URN. */
  const remediated = new Map<string, Properties>();
  let firstUrn = "";
  let summary: Preview["summary"];
  let hasEnded = false;

  /** Registers the secrets of a step, so that messages hide them. */
  function read(step: EngineStep): EngineStep {
    const { urn, old, new: now } = step;
    firstUrn ||= urn;
    const declared = remediated.get(urn);
    const states = [declared, old?.inputs, old?.outputs, now?.inputs, now?.outputs];
    for (const text of markedSecrets(states)) secrets.add(text);
    if (!now || !declared) return step;
    const [inputs, outputs] = [now.inputs, now.outputs].map((properties) =>
      withMarksOf(declared, properties),
    ) as [Properties, Properties];
    return { ...step, new: { ...now, inputs, outputs } };
  }

  return {
    /** True if the event belongs to this run. Each run starts with a prelude. */
    takes: (event: EngineEvent): boolean => !(messages.hasPrelude() && event.preludeEvent),
    add(event: EngineEvent): void {
      // Debug messages contain the program's values in plain text, including secrets.
      if (event.diagnosticEvent?.severity === "debug") return;
      if (event.summaryEvent) summary = event.summaryEvent.resourceChanges;
      if (event.cancelEvent) hasEnded = true;
      const { resourceUrn = "", before } = event.policyRemediationEvent ?? {};
      if (before && !remediated.has(resourceUrn)) remediated.set(resourceUrn, before);
      if (event.resourcePreEvent) steps.begin(read(event.resourcePreEvent.metadata));
      if (event.resOutputsEvent) steps.finish(read(event.resOutputsEvent.metadata));
      policies.add(event);
      messages.add(event);
    },
    preview(brokenLines = 0): Preview {
      const hide = secretsHider({}, [...secrets]);
      const diagnostics = messages.diagnostics();
      // The engine prints a summary before its last event, unless it failed.
      const isFailed =
        diagnostics.some(({ severity }) => severity === "error") || (hasEnded && !summary);
      const changes = steps.changes();
      // Only existing resources can have drifted.
      const isBlind = !steps.hasRefreshed() && changes.some(({ before }) => before !== undefined);
      const { stack, project } = parseUrn(
        firstUrn || (diagnostics.find(({ urn }) => urn !== "")?.urn ?? ""),
      );
      const packs = policies.packs();
      return {
        stack,
        project,
        // Events contain neither the organization nor the selection.
        organization: "",
        selection: [],
        stackOperation: steps.stackOperation(),
        changes,
        drift: steps.drift,
        policies: hideIn(hide, policies.results()),
        packs,
        outputs: steps.outputs(),
        summary,
        brokenLines,
        notCovered: [
          ...(packs.length === 0 ? (["policies"] as const) : []),
          ...(isBlind ? (["drift"] as const) : []),
        ],
        diagnostics: hideIn(hide, diagnostics),
        outcome: isFailed ? "failed" : summary ? "succeeded" : "cut off",
      };
    },
  };
}

const AWAITED =
  "The object was not ready in time: the state lacks this change, and the next update sends it again. After a creation, look for the object first: the next update creates another one.";

/** The engine reports a program's state migration only as this message. */
const MIGRATION = /^(<{%\w+%}>)?State migration planned/;

function createMessageCollector() {
  const diagnostics: Diagnostic[] = [];
  /** Messages before the first event, which may explain why no event followed. */
  const early: Diagnostic[] = [];
  let hasPrelude = false;

  return {
    hasPrelude: () => hasPrelude,
    add({ preludeEvent, diagnosticEvent, resOpFailedEvent }: EngineEvent): void {
      if (preludeEvent) hasPrelude = true;
      if (resOpFailedEvent?.awaited)
        diagnostics.push({
          severity: "error",
          urn: resOpFailedEvent.metadata.urn,
          message: AWAITED,
        });
      if (!diagnosticEvent) return;
      const { urn, severity, message } = diagnosticEvent;
      if (severity === "info" && !hasPrelude)
        early.push({ severity: "error", urn, message: withoutColors(message) });
      const isShown = severity === "info" && MIGRATION.test(message);
      if (severity === "warning" || severity === "error" || isShown)
        diagnostics.push({ severity, urn, message: withoutColors(message) });
    },
    diagnostics: () => [...(hasPrelude ? [] : early), ...diagnostics],
  };
}

function createPolicyCollector() {
  const findings: PolicyResult[] = [];
  /** For each pack, policies without a finding for some resource. */
  const passed = new Map<string, Set<string>>();

  return {
    add(event: EngineEvent): void {
      if (event.policyEvent) findings.push(policyResult(event.policyEvent));
      if (event.policyRemediationEvent) findings.push(remediation(event.policyRemediationEvent));
      for (const pack of [event.policyAnalyzeSummaryEvent, event.policyAnalyzeStackSummaryEvent]) {
        if (!pack) continue;
        const names = passed.get(pack.policyPackName) ?? new Set();
        passed.set(pack.policyPackName, names);
        for (const name of pack.passed) names.add(name);
      }
    },
    packs: () => [...passed.keys()],
    results(): PolicyResult[] {
      const keyOf = ({ policy, pack }: Pick<PolicyResult, "policy" | "pack">) =>
        JSON.stringify([policy, pack]);
      const found = new Set(findings.map(keyOf));
      const silent = [...passed].flatMap(([pack, names]) =>
        [...names].map(
          (policy): PolicyResult => ({ policy, pack, result: "passed", urn: "", message: "" }),
        ),
      );
      return [...findings, ...silent.filter((result) => !found.has(keyOf(result)))];
    },
  };
}

function policyResult(finding: PolicyFinding): PolicyResult {
  const { policyName: policy, policyPackName: pack, resourceUrn: urn, severity } = finding;
  const exceptions = finding.exceptions.map(({ id, reason }) => `${id} (${reason})`).join(", ");
  const message = withoutColors(finding.message);
  // Every other level fails the update.
  const isAdvice = ["advisory", "warning"].includes(finding.enforcementLevel);
  // The policy SDK starts the message of a skipped check with these words.
  const isOpen = isAdvice && message.startsWith("can't run policy");
  const found = { policy, pack, severity, urn, message };
  if (isOpen) return { ...found, result: "not checked" };
  if (exceptions !== "") return { ...found, result: "excepted", exceptions };
  return { ...found, result: isAdvice ? "warned" : "failed" };
}

function remediation({ before, after, ...remediated }: Remediation): PolicyResult {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  // Secrets look equal, so the list of changed names may be empty.
  const message = `changes ${changed.length > 0 ? changed.join(", ") : "secret values"}`;
  const cleared: string[] = [];
  withMarksOf(before, after, cleared);
  return {
    policy: remediated.policyName,
    pack: remediated.policyPackName,
    result: "remediated",
    urn: remediated.resourceUrn,
    message,
    ...(cleared.length > 0 && { cleared }),
  };
}
