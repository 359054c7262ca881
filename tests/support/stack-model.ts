import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import type { Failure, Properties } from "../contract/support";

/** The engine's state keeping for one resource, as far as a provider meets it. */

type Handlers = Required<dynamic.ResourceProvider>;

export interface Stored {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** The last step failed in part: the next one is an update, whatever a diff says. */
  readonly isPartial: boolean;
}

/** What a command has made of the resource. */
export interface Step {
  readonly stored: Stored | undefined;
  readonly error?: Failure;
  readonly did: "create" | "update" | "same" | "replace" | "refresh";
}

/** `pulumi up` for one resource of a program. */
export async function up(
  handlers: Handlers,
  stored: Stored | undefined,
  provider: string,
  args: Properties,
): Promise<Step> {
  const given = { __provider: provider, __resourceName: "db", ...args };
  const checked = await handlers.check(stored?.inputs ?? {}, given);
  const reasons = (checked.failures ?? []).map(({ reason }) => reason);
  const inputs = { ...checked.inputs, __provider: provider } as Properties;
  if (reasons.length > 0) return { stored, did: "same", error: new Error(reasons.join(" ")) };
  if (stored === undefined) {
    return stepped("create", inputs, undefined, async () => {
      const { id, outs = {} } = await handlers.create(inputs);
      return { id, outputs: outs };
    });
  }
  const { changes, replaces = [] } = await handlers.diff(stored.id, stored.outputs, inputs);
  if (replaces.length > 0) return { stored, did: "replace" };
  const hasChanges = stored.isPartial || (changes ?? !isDeepStrictEqual(plain(stored.inputs), plain(inputs)));
  // A step without changes stores the new inputs and the old outputs.
  if (!hasChanges) return { stored: { ...stored, inputs }, did: "same" };
  return stepped("update", inputs, stored, async () => {
    const { outs = {} } = await handlers.update(stored.id, stored.outputs, inputs);
    return { id: stored.id, outputs: outs };
  });
}

/** `pulumi refresh` for one resource. */
export async function refresh(handlers: Handlers, stored: Stored): Promise<Step> {
  try {
    const { id, props = {}, inputs } = await handlers.read(stored.id, stored.outputs);
    if (!id) return { stored: undefined, did: "refresh" };
    const next = { id, inputs: (inputs ?? stored.inputs) as Properties, outputs: props, isPartial: false };
    return { stored: next, did: "refresh" };
  } catch (error) {
    return { stored, did: "refresh", error: error as Failure };
  }
}

async function stepped(
  did: "create" | "update",
  inputs: Properties,
  before: Stored | undefined,
  work: () => Promise<{ id: string; outputs: Properties }>,
): Promise<Step> {
  try {
    return { stored: { ...(await work()), inputs, isPartial: false }, did };
  } catch (caught) {
    const error = caught as Failure;
    if (error.id === undefined) return { stored: before, did, error };
    return { stored: { id: error.id, inputs, outputs: error.properties ?? {}, isPartial: true }, did, error };
  }
}

/** What the engine compares: unmarked values without what it keeps for itself. */
function plain({ __provider, ...inputs }: Properties): Properties {
  return inputs;
}
