import { operationOn } from "../kinds";
import { type Change, type Diagnostic, nameOf, type Operation, type Preview, placeOf } from "../preview";
import { type RawState, stateFrom } from "./events";

/** The one JSON object that `pulumi preview --json` prints. It has no policy results, but it has dependencies. */

interface Step {
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
  readonly steps?: readonly Step[];
  readonly diagnostics?: readonly { readonly urn?: string; readonly message: string; readonly severity: string }[];
  readonly changeSummary?: object;
}

const OPERATIONS: readonly Operation[] = ["create", "update", "replace", "delete", "read", "import", "same"];

export function previewFrom({ steps = [], diagnostics = [], changeSummary }: Digest): Preview {
  const severe = diagnostics.flatMap(({ urn = "", message, severity }): Diagnostic[] =>
    severity === "warning" || severity === "error" ? [{ severity, urn, message: message.trim() }] : [],
  );
  const isFailed = severe.some(({ severity }) => severity === "error");
  return {
    ...placeOf(steps[0]?.urn ?? ""),
    changes: steps.flatMap(changeFrom).filter(({ type }) => !type.startsWith("pulumi:")),
    drift: [],
    policies: [],
    diagnostics: severe,
    outcome: isFailed ? "failed" : changeSummary ? "succeeded" : "cut off",
  };
}

function changeFrom(step: Step): Change[] {
  const operation = OPERATIONS.find((each) => each === step.op);
  if (operation === undefined) return [];
  const detailed = Object.keys(step.detailedDiff ?? {});
  const { oldState, newState } = step;
  const type = newState?.type ?? oldState?.type ?? "";
  return [
    {
      urn: step.urn,
      type,
      name: nameOf(step.urn),
      operation: operationOn(type, operation, oldState?.retainOnDelete ?? false),
      before: oldState && stateFrom(oldState),
      after: newState && stateFrom(newState),
      differing: detailed.length > 0 ? detailed : (step.diffReasons ?? []),
      replacing: step.replaceReasons ?? [],
      dependencies: newState?.dependencies ?? [],
      sources: Object.fromEntries(
        Object.entries(newState?.propertyDependencies ?? {}).map(([name, urns]) => [name, urns ?? []]),
      ),
    },
  ];
}
