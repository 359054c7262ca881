import { isDeepStrictEqual } from "node:util";
import { type Message, withSentence } from "../../errors";
import type { Properties } from "../../fields";
import { passwordIn } from "./encrypted-password";
import type { Updating } from "./read-object";
import type { DeclaredTarget, ManagedObject } from "./resource";
import { applyUpdates } from "./updates";
import { PartialFailure, UserError } from "./user-error";

/** An object that was created or found, and is not yet as declared. */
export interface Start {
  readonly target: DeclaredTarget;
  readonly updating: Updating;
  readonly next: Properties;
  /**
   * The error of a creation without a password, which is reported even if everything else succeeds.
   */
  readonly noPassword?: Message;
  /** True if that is only a warning. */
  readonly isPasswordOptional?: boolean;
  /** Called once the object is certain to be stored. */
  readonly onStored?: () => Promise<void>;
}

/** The updates that follow a creation. */
export const CREATING: Updating = { verb: "Creating", isCreation: true };

/** True for an object that joins others, and may have no password of its own. */
export function mayLackPassword({ resource, inputs }: DeclaredTarget): boolean {
  const { passwordOptionalWith } = resource.create ?? {};
  return passwordOptionalWith !== undefined && inputs[passwordOptionalWith] !== undefined;
}

/** Sends the remaining differences. A failure leaves a created object in the stack. */
export async function finishCreation(start: Start): Promise<ManagedObject> {
  const { target, updating, next, onStored } = start;
  const { id, context } = target;
  const noPassword = passwordIn(next) === undefined ? start.noPassword : undefined;
  let state: Properties;
  try {
    state = await applyUpdates(target, updating, next);
  } catch (error) {
    if (noPassword !== undefined) context.warn(noPassword);
    const failure = failureOf(start, error);
    if (failure instanceof PartialFailure) await onStored?.();
    throw failure;
  }
  await onStored?.();
  if (noPassword !== undefined && !start.isPasswordOptional)
    throw new PartialFailure(id, state, noPassword);
  if (noPassword !== undefined) context.warn(noPassword);
  return { id, state };
}

/** The error to report. An existing object that was not changed is not stored. */
function failureOf({ updating, next }: Start, error: unknown): unknown {
  if (!(error instanceof PartialFailure)) return error;
  if (!updating.isCreation && isDeepStrictEqual(error.state, next))
    return new UserError(error.coded);
  const text = withSentence(error.coded, "It is in the stack; the next `pulumi up` completes it.");
  return new PartialFailure(error.id, error.state, text);
}
