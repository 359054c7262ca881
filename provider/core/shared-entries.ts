import { coded } from "../errors";
import {
  type Properties,
  recordDeclared,
  sharedFields,
  withEmptiedLists,
  withOwnEntries,
  withoutEntries,
} from "../fields";
import { findAdopted, finishAdoption } from "./create";
import type { Earlier } from "./creation-journal";
import { declaredId, withId, withOrganization } from "./ids";
import { ADDED, describeGone, describeObject, isNotFound, refresh, UNCERTAIN } from "./reads";
import type { Context, Resource, Stored, Target } from "./resource";
import { findUnstored } from "./unresolved-creations";
import { applyUpdates, updateObject } from "./updates";
import { PartialFailure, UserError } from "./user-error";

/*
 * The lifecycle of entries in lists that others share, with the journal's memory of those that a command was about to add.
 */

/** Adds the declared entries. Those that an earlier command has added count as the resource's own. */
export async function addEntries(resource: Resource, context: Context, inputs: Properties): Promise<Stored> {
  const target = { resource, context, id: declaredId(resource, inputs), inputs };
  const earlier = await context.journal()?.find(context.identity);
  const known = earlier && (await findEarlierEntries(target, earlier));
  if (known === undefined) return finishAdoption(target, "Adding", await findAdopted(target, "Adding"));
  const declared = withEmptiedLists(resource, known, inputs);
  const completed = { ...target, inputs: declared };
  const { id, state } = await finishAdoption(completed, "Adding", recordDeclared(resource, known, declared));
  return { id, state: recordDeclared(resource, state, inputs) };
}

/** The state with the entries that the earlier command has added; those that it added to another object are removed. */
async function findEarlierEntries(target: Target, earlier: Earlier): Promise<Properties | undefined> {
  const { resource, id, inputs } = target;
  const { id: earlierId, ...entries } = entriesIn(earlier);
  if (earlierId !== id) {
    const other = { ...target, id: String(earlierId), inputs: withId(resource, String(earlierId), entries) };
    if (!(await removeEntries(other))) throw new UserError(describeUnseen(earlier));
    await earlier.end();
    return undefined;
  }
  const located = withId(resource, id, { organizationId: inputs.organizationId });
  const current = await refresh({ ...target, inputs: withOwnEntries(resource, located, entries) });
  return current && { ...current, [ADDED]: earlier.record.token };
}

/** Changes the entries in the stack, after a read of those that an earlier command may have added. */
export async function updateEntries(target: Target, state: Properties): Promise<Stored> {
  const { resource, context, inputs, id } = target;
  const known = withEntriesOf(target, state, await findUnstored(resource, context, state));
  const declared = withEmptiedLists(resource, known, inputs);
  const { state: updated } = await updateObject({ ...target, inputs: declared }, known);
  return { id, state: recordDeclared(resource, updated, inputs) };
}

/** Removes the resource's own entries, also those that an earlier command may have added. */
export async function deleteEntries(target: Target): Promise<void> {
  const { resource, context, id, inputs: state } = target;
  const earlier = await findUnstored(resource, context, state);
  const known = withEntriesOf(target, state, earlier);
  const isRemoved = await removeEntries({ ...target, inputs: withId(resource, id, known) });
  if (isRemoved && known !== state) await earlier?.end();
}

/** Reads the entries in the stack, and those that an earlier command may have added. */
export async function readEntries(target: Target): Promise<Properties | undefined> {
  const { resource, context, inputs: state } = target;
  const earlier = await findUnstored(resource, context, state);
  if (earlier === undefined) return refresh(target);
  context.journal()?.recovered.add(String(earlier.record.token));
  // The next update refuses entries that only another API key can read.
  return refresh(earlier.inputs === undefined ? target : { ...target, inputs: withEntriesOf(target, state, earlier) });
}

/** The state with the entries that an earlier command may have added: uncertain until the next read. */
function withEntriesOf({ resource, id }: Target, state: Properties, earlier: Earlier | undefined): Properties {
  if (earlier === undefined) return state;
  const { id: earlierId, ...entries } = entriesIn(earlier);
  if (earlierId !== id) return state;
  const names = sharedFields(resource).map(({ fieldPath }) => fieldPath.name);
  return { ...withOwnEntries(resource, state, entries), [ADDED]: earlier.record.token, [UNCERTAIN]: names };
}

/** The recorded entries, if this API key can read them. */
function entriesIn({ inputs, record: { target, sentAt }, discardCommand }: Earlier): Properties {
  if (inputs !== undefined) return inputs;
  const text = `Access to service ${target}: an earlier command, with another API key, ended while it added entries, at ${sentAt}, and only that key can read which. Nothing was changed. Use that key once, or run \`${discardCommand}\`: entries that are there then count as shared.`;
  throw new UserError(coded("CDB4012", text));
}

function describeUnseen({ record: { target, sentAt }, discardCommand }: Earlier) {
  const text = `Access to service ${target}: an earlier command ended while it added entries, at ${sentAt}, and the API does not show that service. Nothing was added. If the service exists, use a key that can see it, and run \`pulumi up\` again. If the service is gone, run \`${discardCommand}\`.`;
  return coded("CDB4012", text);
}

/** Removes the resource's own entries from lists that others share; false if the API does not show the object. */
async function removeEntries(target: Target): Promise<boolean> {
  const { resource, context } = target;
  const located = withOrganization(context, target.inputs);
  const object = { ...target, inputs: withoutEntries(resource, located) };
  try {
    await applyUpdates(object, "Removing", located);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    if (!isNotFound(error)) throw new UserError(error.coded);
    context.log(describeGone({ ...target, inputs: located }));
    return false;
  }
  const left = sharedFields(resource).flatMap(({ rules: { sharedAs } }) => located[sharedAs] ?? []);
  const kept = `The ${describeObject(object)} keeps ${left.length} of the declared entries: others had added them.`;
  if (left.length > 0) context.log(coded("CDB5004", kept));
  return true;
}
