import { type Diagnostic, type Preview, placeOf } from "../preview";
import { createStepCollector, type EngineStep, type RawState } from "./steps";

/** The JSON object that `pulumi preview --json` prints: with dependencies, but without policy results and drift. */

interface DigestStep {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: StepState;
  readonly newState?: StepState;
  readonly replaceReasons?: readonly string[] | null;
  readonly diffReasons?: readonly string[] | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
}

interface StepState extends RawState {
  readonly type?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
}

export interface Digest {
  readonly steps?: readonly DigestStep[];
  readonly diagnostics?: readonly { readonly urn?: string; readonly message: string; readonly severity: string }[];
  readonly changeSummary?: Readonly<Record<string, number>>;
}

export function previewFrom({ steps = [], diagnostics = [], changeSummary }: Digest): Preview {
  const severe = diagnostics.flatMap(({ urn = "", message, severity }): Diagnostic[] =>
    severity === "warning" || severity === "error" ? [{ severity, urn, message: message.trim() }] : [],
  );
  const collector = createStepCollector();
  for (const step of steps) collector.add(stepFrom(step));
  const isFailed = severe.some(({ severity }) => severity === "error");
  // Without --show-sames, unchanged resources are only counted; a digest that ends early does not even count them.
  const { same = 0 } = changeSummary ?? { same: 1 };
  const hidesSome = steps.filter(({ op }) => op === "same").length < same;
  return {
    ...placeOf(steps[0]?.urn ?? ""),
    stackOperation: collector.stackOperation(),
    changes: collector.changes(),
    drift: [],
    policies: [],
    packs: [],
    outputs: undefined,
    summary: changeSummary,
    notCovered: ["policies", "drift", "outputs", ...(hidesSome ? (["unchanged resources"] as const) : [])],
    diagnostics: severe,
    positions: new Map(steps.flatMap(({ urn, newState }) => positionOf(urn, newState))),
    outcome: isFailed ? "failed" : changeSummary ? "succeeded" : "cut off",
  };
}

function positionOf(urn: string, state: StepState | null | undefined): [string, string][] {
  return state?.sourcePosition === undefined ? [] : [[urn, state.sourcePosition]];
}

function stepFrom({ op, urn, oldState, newState, detailedDiff, diffReasons, replaceReasons }: DigestStep): EngineStep {
  const sources = Object.entries(newState?.propertyDependencies ?? {}).map(([name, urns]) => [name, urns ?? []]);
  return {
    // The digest does not show the differences of a read.
    op: op === "read" ? "same" : op,
    urn,
    type: newState?.type ?? oldState?.type ?? "",
    old: oldState ?? null,
    new: newState ?? null,
    detailedDiff: detailedDiff ?? null,
    differing: diffReasons ?? null,
    replacing: replaceReasons ?? null,
    dependencies: newState?.dependencies ?? [],
    sources: Object.fromEntries(sources),
  };
}
