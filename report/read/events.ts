import { operationOn } from "../kinds";
import {
  type Change,
  type Diagnostic,
  nameOf,
  type Operation,
  type PolicyResult,
  type Preview,
  type Properties,
  placeOf,
  type State,
} from "../preview";

/** The engine's events, one after the other: what each says is kept, and the event let go. */

interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old: RawState | null;
  readonly new: RawState | null;
  readonly keys?: readonly string[] | null;
  readonly diffs?: readonly string[] | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
}

/** A resource's state as the engine writes it. */
export interface RawState {
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
}

interface PolicyEvent {
  readonly resourceUrn?: string;
  readonly message: string;
  readonly policyName: string;
  readonly policyPackName: string;
  readonly enforcementLevel: string;
}

interface PolicySummary {
  readonly policyPackName: string;
  readonly passed?: readonly string[];
}

export interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: Metadata };
  readonly resOutputsEvent?: { readonly metadata: Metadata };
  readonly policyEvent?: PolicyEvent;
  readonly policyAnalyzeSummaryEvent?: PolicySummary;
  readonly policyAnalyzeStackSummaryEvent?: PolicySummary;
  readonly diagnosticEvent?: { readonly urn?: string; readonly message: string; readonly severity: string };
  readonly summaryEvent?: object;
  readonly cancelEvent?: object;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "delete-replaced": "replace",
  "discard-replaced": "replace",
  read: "read",
  "read-replacement": "read",
  import: "import",
  "import-replacement": "import",
  same: "same",
};

/** A reader that is given events and tells at the end what they were about. */
export function createEventReader() {
  const changes = new Map<string, Change>();
  const drift: Change[] = [];
  const findings: PolicyResult[] = [];
  const passed = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  let place: { stack: string; project: string } | undefined;
  let hasEnded = false;

  return {
    add(event: EngineEvent): void {
      // These hold what the program passed on in plain text, secrets too.
      if (event.diagnosticEvent?.severity === "debug") return;
      if (event.summaryEvent) hasEnded = true;
      if (event.resourcePreEvent) addChange(event.resourcePreEvent.metadata);
      if (event.resOutputsEvent) addDrift(event.resOutputsEvent.metadata);
      if (event.policyEvent) findings.push(policyResult(event.policyEvent));
      for (const summary of [event.policyAnalyzeSummaryEvent, event.policyAnalyzeStackSummaryEvent]) {
        for (const name of summary?.passed ?? []) passed.set(name, summary?.policyPackName ?? "");
      }
      if (event.diagnosticEvent) addDiagnostic(event.diagnosticEvent);
    },
    preview(): Preview {
      const found = new Set(findings.map(({ policy }) => policy));
      const others = [...passed].filter(([policy]) => !found.has(policy));
      const isFailed = diagnostics.some(({ severity }) => severity === "error");
      return {
        ...(place ?? { stack: "", project: "" }),
        changes: [...changes.values()].filter(({ type }) => !type.startsWith("pulumi:")),
        drift,
        policies: [
          ...findings,
          ...others.map(([policy, pack]): PolicyResult => ({ policy, pack, result: "passed", urn: "", message: "" })),
        ],
        diagnostics,
        outcome: isFailed ? "failed" : hasEnded ? "succeeded" : "cut off",
      };
    },
  };

  function addChange(metadata: Metadata): void {
    place ??= placeOf(metadata.urn);
    const operation = operationOf(metadata);
    if (operation === undefined) return;
    const known = changes.get(metadata.urn);
    // A replacement comes as three events, of which `replace` tells all.
    if (known?.operation === "replace" && metadata.op !== "replace") return;
    // What an earlier update has left to delete has the URN of what replaced it.
    if (known !== undefined && operation === "delete") return;
    changes.set(metadata.urn, changeFrom(metadata, operation));
  }

  function addDrift(metadata: Metadata): void {
    if (metadata.op !== "refresh" || metadata.type.startsWith("pulumi:")) return;
    if (metadata.new && (metadata.diffs ?? []).length === 0) return;
    drift.push(changeFrom(metadata, metadata.new ? "update" : "delete"));
  }

  function addDiagnostic({ urn = "", message, severity }: { urn?: string; message: string; severity: string }): void {
    if (severity !== "warning" && severity !== "error") return;
    if (urn !== "") place ??= placeOf(urn);
    diagnostics.push({ severity, urn, message: message.trim() });
  }
}

function operationOf({ op, old, type }: Metadata): Operation | undefined {
  const operation = OPERATIONS[op];
  return operation && operationOn(type, operation, old?.retainOnDelete ?? false);
}

function changeFrom(metadata: Metadata, operation: Operation): Change {
  const detailed = Object.keys(metadata.detailedDiff ?? {});
  return {
    urn: metadata.urn,
    type: metadata.type,
    name: nameOf(metadata.urn),
    operation,
    before: metadata.old ? stateFrom(metadata.old) : undefined,
    after: metadata.new ? stateFrom(metadata.new) : undefined,
    differing: detailed.length > 0 ? detailed : (metadata.diffs ?? []),
    replacing: metadata.keys ?? [],
    dependencies: [],
    sources: {},
  };
}

export function stateFrom(raw: RawState): State {
  return {
    id: raw.id ?? "",
    inputs: withoutInternals(raw.inputs ?? {}),
    outputs: withoutInternals(raw.outputs ?? {}),
    isProtected: raw.protect ?? false,
    isRetained: raw.retainOnDelete ?? false,
  };
}

function withoutInternals(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

function policyResult({
  policyName,
  policyPackName,
  enforcementLevel,
  message,
  resourceUrn = "",
}: PolicyEvent): PolicyResult {
  const isOpen = message.startsWith("can't run policy");
  return {
    policy: policyName,
    pack: policyPackName,
    result: isOpen ? "not checked" : enforcementLevel === "mandatory" ? "failed" : "warned",
    urn: resourceUrn,
    message: message.trim(),
  };
}
