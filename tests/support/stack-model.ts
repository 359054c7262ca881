import { isDeepStrictEqual } from "node:util";
import type { Failure, Handlers, Properties } from "./adapters/handlers";

/** A model of the engine's state of one resource, as far as a provider can tell. */

export interface Stored {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** True if the last step failed partially: the next step is an update, whatever diff returns. */
  readonly isPartial: boolean;
}

/** The result of a command for the resource. */
export interface StepResult {
  readonly stored: Stored | undefined;
  readonly error?: Failure;
  readonly action: "create" | "update" | "same" | "replace" | "refresh";
}

/** `pulumi up` for one resource of a program. */
export async function up(
  handlers: Handlers,
  stored: Stored | undefined,
  args: Properties,
): Promise<StepResult> {
  const { inputs, failures } = await handlers.check(stored?.inputs ?? {}, args);
  const reasons = failures.map(({ reason }) => reason);
  if (reasons.length > 0) return { stored, action: "same", error: new Error(reasons.join(" ")) };
  if (stored === undefined) return create(handlers, inputs);
  const { changes, replaces } = await handlers.diff(stored.id, stored.outputs, inputs);
  if (replaces.length > 0) return { stored, action: "replace" };
  const hasChanges = stored.isPartial || (changes ?? !isDeepStrictEqual(stored.inputs, inputs));
  // A step without changes stores the new inputs and the old outputs.
  if (!hasChanges) return { stored: { ...stored, inputs }, action: "same" };
  return update(handlers, stored, inputs);
}

export function create(handlers: Handlers, inputs: Properties): Promise<StepResult> {
  return runStep("create", inputs, undefined, async () => {
    const { id, outs } = await handlers.create(inputs);
    return { id, outputs: outs };
  });
}

export function update(
  handlers: Handlers,
  stored: Stored,
  inputs: Properties,
): Promise<StepResult> {
  return runStep("update", inputs, stored, async () => {
    const { outs } = await handlers.update(stored.id, stored.outputs, inputs);
    return { id: stored.id, outputs: outs };
  });
}

/** `pulumi refresh` for one resource. */
export async function refresh(handlers: Handlers, stored: Stored): Promise<StepResult> {
  try {
    const { id, props = {}, inputs } = await handlers.read(stored.id, stored.outputs);
    if (!id) return { stored: undefined, action: "refresh" };
    const next = { id, inputs: inputs ?? stored.inputs, outputs: props, isPartial: false };
    return { stored: next, action: "refresh" };
  } catch (error) {
    return { stored, action: "refresh", error: error as Failure };
  }
}

async function runStep(
  action: "create" | "update",
  inputs: Properties,
  before: Stored | undefined,
  work: () => Promise<{ id: string; outputs: Properties }>,
): Promise<StepResult> {
  try {
    return { stored: { ...(await work()), inputs, isPartial: false }, action };
  } catch (caught) {
    const error = caught as Failure;
    if (error.id === undefined) return { stored: before, action, error };
    return {
      stored: { id: error.id, inputs, outputs: error.properties ?? {}, isPartial: true },
      action,
      error,
    };
  }
}
