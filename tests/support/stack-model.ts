import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import type { Failure, Properties } from "../contract/support";

/** How the engine keeps the state of one resource, as far as a provider can tell. */

type Handlers = Required<dynamic.ResourceProvider>;

export interface Stored {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The last step failed partially: the next one is an update, whatever diff returns. */
  readonly isPartial: boolean;
}

/** What a command did to the resource. */
export interface StepResult {
  readonly stored: Stored | undefined;
  readonly error?: Failure;
  readonly action: "create" | "update" | "same" | "replace" | "refresh";
}

/** `pulumi up` for one resource of a program. */
export async function up(
  handlers: Handlers,
  stored: Stored | undefined,
  provider: string,
  args: Properties,
): Promise<StepResult> {
  const given = { __provider: provider, __resourceName: "db", ...args };
  const checked = await handlers.check(stored?.inputs ?? {}, given);
  const reasons = (checked.failures ?? []).map(({ reason }) => reason);
  const inputs = { ...checked.inputs, __provider: provider } as Properties;
  if (reasons.length > 0) return { stored, action: "same", error: new Error(reasons.join(" ")) };
  if (stored === undefined) {
    return runStep("create", inputs, undefined, async () => {
      const { id, outs = {} } = await handlers.create(inputs);
      return { id, outputs: outs };
    });
  }
  const { changes, replaces = [] } = await handlers.diff(stored.id, stored.outputs, inputs);
  if (replaces.length > 0) return { stored, action: "replace" };
  const hasChanges =
    stored.isPartial || (changes ?? !isDeepStrictEqual(withoutProvider(stored.inputs), withoutProvider(inputs)));
  // A step without changes stores the new inputs and the old outputs.
  if (!hasChanges) return { stored: { ...stored, inputs }, action: "same" };
  return runStep("update", inputs, stored, async () => {
    const { outs = {} } = await handlers.update(stored.id, stored.outputs, inputs);
    return { id: stored.id, outputs: outs };
  });
}

/** `pulumi refresh` for one resource. */
export async function refresh(handlers: Handlers, stored: Stored): Promise<StepResult> {
  try {
    const { id, props = {}, inputs } = await handlers.read(stored.id, stored.outputs);
    if (!id) return { stored: undefined, action: "refresh" };
    const next = { id, inputs: (inputs ?? stored.inputs) as Properties, outputs: props, isPartial: false };
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
    return { stored: { id: error.id, inputs, outputs: error.properties ?? {}, isPartial: true }, action, error };
  }
}

/** What the engine compares: plain values without the engine's own entries. */
function withoutProvider({ __provider, ...inputs }: Properties): Properties {
  return inputs;
}
