import { PassThrough } from "node:stream";
import { ConcurrentUpdateError, type EngineEvent } from "@pulumi/pulumi/automation";
import { type Preview, readPreviews, secretsHider, withCommand } from "clouddb-report";
import { cliReason, plainText } from "./stacks";
import { OPERATIONS } from "./table";

export interface Outcome {
  readonly result: "succeeded" | "failed" | "canceled";
  /** The number of resources by operation, also if it failed later. */
  readonly changes: Readonly<Record<string, number>>;
  /** Why it failed; empty otherwise. */
  readonly reason: string;
  readonly seconds: number;
  /** The input of the report. */
  readonly preview: Preview;
}

/** Options that each operation of the Automation API accepts. */
export interface OperationOptions {
  readonly onEvent: (event: EngineEvent) => void;
  readonly color: "never";
}

interface OperationContext {
  readonly project: string;
  /** The stack. */
  readonly name: string;
  readonly stop: AbortSignal;
}

/** Runs an update, preview or refresh of a stack. A failure is an outcome, not an exception. */
export async function runOperation(
  { project, name, stop }: OperationContext,
  operate: (options: OperationOptions) => Promise<unknown>,
): Promise<Outcome> {
  const start = Date.now();
  const events = new PassThrough();
  const reading = readPreviews(events, name);
  const report = (event: EngineEvent) => events.write(`${JSON.stringify(event)}\n`);
  const changed = new Map<string, string>();
  const errors: string[] = [];
  const generalErrors: string[] = [];
  let hasBegun = false;

  const onEvent = (event: EngineEvent) => {
    hasBegun = true;
    report(event);
    const { op, urn, type } = event.resOutputsEvent?.metadata ?? {};
    // Not the stack itself and its providers.
    if (op && urn && OPERATIONS.includes(op) && !type?.startsWith("pulumi:")) changed.set(urn, op);
    errors.push(...errorsIn(event));
    generalErrors.push(...generalErrorsIn(event));
    // A resource of which only a part was changed has an error, too.
    if (event.diagnosticEvent?.severity === "error") changed.delete(event.diagnosticEvent.urn ?? "");
  };
  let failure: string | undefined;
  try {
    await operate({ onEvent, color: "never" });
  } catch (error) {
    const isLocked = error instanceof ConcurrentUpdateError;
    failure = errors[0] ?? (isLocked ? lockedText(name) : (generalErrors[0] ?? cliReason(error)));
  }
  if (errors.length + generalErrors.length === 0 && failure !== undefined) report(errorEvent(failure));
  events.end();

  const previews = hasBegun || failure !== undefined ? await reading : [];
  // The events of a stack without resources do not name it.
  const place = { project, stack: name };
  const facts = { overrides: place, fallback: place, errors: "", hasFailed: false, environment: process.env };
  const [preview] = withCommand(previews, facts);
  const isCanceled = failure !== undefined && stop.aborted && errors.length === 0;
  return {
    result: failure === undefined ? "succeeded" : isCanceled ? "canceled" : "failed",
    changes: countsOf(changed.values()),
    reason: isCanceled ? "" : secretsHider(process.env)(failure ?? ""),
    seconds: (Date.now() - start) / 1000,
    preview: preview as Preview,
  };
}

function lockedText(name: string): string {
  return `The stack is locked by another update, or by one that was killed. If no other update is running, run \`pulumi cancel --yes --stack ${name}\`, then the same command again.`;
}

function countsOf(operations: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

/** Errors of resources and of policies. */
function errorsIn({ diagnosticEvent, policyEvent }: EngineEvent): string[] {
  if (policyEvent?.enforcementLevel === "mandatory") {
    return [`Policy ${policyEvent.policyName}: ${plainText(policyEvent.message)}`];
  }
  const { severity, urn, message = "" } = diagnosticEvent ?? {};
  return severity === "error" && urn ? [plainText(message)] : [];
}

/** Errors of the program and of the engine. Those after an error of a resource follow from it. */
function generalErrorsIn({ diagnosticEvent }: EngineEvent): string[] {
  const { severity, urn, message = "" } = diagnosticEvent ?? {};
  return severity === "error" && !urn ? [plainText(message)] : [];
}

function errorEvent(message: string): EngineEvent {
  const diagnosticEvent = { message, severity: "error", color: "never" } as const;
  return { sequence: 0, timestamp: 0, diagnosticEvent };
}
