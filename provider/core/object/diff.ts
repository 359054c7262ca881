import { isDeepStrictEqual } from "node:util";
import {
  type ChangeKind,
  diff as diffArguments,
  editedLists,
  entriesAt,
  type FieldPath,
  isObservable,
  type NewList,
  newLists,
  newlyMarked,
  type Properties,
  referencesIn,
  type StoredValues,
  showEntries,
  storedValues,
  UNKNOWN,
  valueAt,
  withoutKeys,
} from "../../fields";
import { UNCERTAIN } from "../../names";
import { updateBodies } from "../session/secret-values";
import { describeKey, passwordIn } from "./encrypted-password";
import { isCreated, withId } from "./ids";
import { contradictionError, describeChange, describeReturning } from "./messages";
import {
  describeHidden,
  describeImportedTwice,
  describeMarked,
  describeNewList,
  describeReleased,
  describeReplacement,
  describeRotation,
  describeUnseen,
} from "./preview-messages";
import type { Context, DiffRequest, Resource } from "./resource";
import { UserError } from "./user-error";

/** The effect of an update. */
export interface Difference {
  /** `state` if the state differs although the arguments did not change. */
  readonly kind: "none" | "state" | "arguments";
  /** Changed arguments that require replacement. */
  readonly replaces: readonly string[];
  /**
   * Changed declared arguments by their full names, and changed entries of lists that lose entries.
   */
  readonly changed: ReadonlyMap<string, ChangeKind>;
  /** True if the engine's own comparison of inputs would show different changes. */
  readonly isHidden: boolean;
}

interface Compared {
  readonly resource: Resource;
  readonly context: Context;
  readonly id: string;
  /** The object's name in messages. */
  readonly object: string;
  readonly state: Properties;
  readonly inputs: Properties;
}

/** Compares inputs with a state, without a request. */
export async function diff(
  resource: Resource,
  context: Context,
  request: DiffRequest,
): Promise<Difference> {
  const { id, inputs } = request;
  if (resource.create !== undefined) {
    const hasPassword = passwordIn(request.state) !== undefined;
    await context.journal().confirm(id, hasPassword, context.identity.urn);
  }
  const state = withId(resource, id, request.state);
  const compared = { resource, context, id, object: `${resource.title} ${id}`, state, inputs };
  const { changed, replacing: differing } = diffArguments(resource, state, inputs);
  const replacing = withoutUnseen(compared, request.state, differing);
  const marked = newlyMarked(state, inputs);
  if (marked.length > 0 && changed.length === 0)
    context.log(describeMarked(compared.object, marked));
  logRotations(compared, changed);
  if (request.isUnchanged) logHidden(compared, changed);
  const released = changed.filter(({ path }) => valueAt(inputs, path) === undefined);
  if (released.length > 0) giveUp(compared, released);
  const losing = newLists(resource, state, inputs).filter(
    ({ rules, before, after }) => withoutKeys(rules, before, after).length > 0,
  );
  for (const list of losing) context.warn(describeNewList(compared.object, list, inputs));
  if (replacing.length > 0)
    context.warn(describeReplacement(resource, compared.object, replacing, state, inputs));
  else {
    assertOwner(compared);
    if (changed.length > 0) foresee(compared, changed);
    describeKey(context, compared.object, state, inputs);
  }
  // A state also needs an update after an unknown outcome, if another resource of this command
  // removed one of its entries, or to mark outputs as secret.
  const isStale =
    state[UNCERTAIN] !== undefined ||
    context.ledger.lacks(id, resource, inputs) ||
    marked.length > 0;
  const shown = changed.filter((fieldPath) => !released.includes(fieldPath));
  return {
    kind: changed.length > 0 ? "arguments" : isStale ? "state" : "none",
    replaces: replacing.flatMap(({ path: [name = ""] }) => [name]),
    changed: changesOf(compared, shown, losing),
    isHidden: released.length > 0 || losing.length > 0,
  };
}

/** The places of changed arguments, and of changed entries in lists that lose entries. */
function changesOf(
  compared: Compared,
  changed: readonly FieldPath[],
  losing: readonly NewList[],
): Map<string, ChangeKind> {
  const { state, inputs } = compared;
  const places = new Map(changed.flatMap((fieldPath) => placesOf(compared, fieldPath)));
  // Entries of an unknown list have no places.
  const located = losing.filter(({ fieldPath }) => valueAt(inputs, fieldPath.path) !== UNKNOWN);
  for (const list of located) showEntries(places, list, state);
  return places;
}

/** The places where a changed argument differs from its stored values. */
function placesOf(
  { resource, state, inputs }: Compared,
  fieldPath: FieldPath,
): [string, ChangeKind][] {
  const [before, after] = [state, inputs].map((properties) =>
    storedValues(resource, fieldPath, properties),
  ) as [StoredValues, StoredValues];
  const places = [...new Set([...before.keys(), ...after.keys()])].filter(
    (place) => !isDeepStrictEqual(before.get(place), after.get(place)),
  );
  // The stored value may equal a newly declared value.
  if (places.length === 0) return [[fieldPath.name, "UPDATE"]];
  return places.map((place) => {
    const isNew = !before.has(place) && place !== fieldPath.name;
    return [place, isNew ? "ADD" : after.has(place) ? "UPDATE" : "DELETE"];
  });
}

/**
 * Excludes arguments of an adopted object that no response shows, since its state only has declared
 * values.
 */
function withoutUnseen(
  { resource, context, object }: Compared,
  former: Properties,
  differing: readonly FieldPath[],
) {
  const isAdopted = resource.create !== undefined && !isCreated(resource, former);
  const unseen = isAdopted ? differing.filter(isNeverShown) : [];
  if (unseen.length > 0) context.log(describeUnseen(object, unseen));
  return differing.filter((fieldPath) => !unseen.includes(fieldPath));
}

/** Logs variables whose value differs from the sent value, since a preview shows no value. */
function logRotations(
  { context, object, state, inputs }: Compared,
  changed: readonly FieldPath[],
): void {
  for (const { path, name } of changed) {
    const [before, after] = [state, inputs].map(
      (properties) => referencesIn(valueAt(properties, path))[0],
    );
    if (!before?.isHashed || !after?.isHashed || before.fingerprint === after.fingerprint) continue;
    const source = context.secretValues.sourceOf(after.variable);
    context.log(describeRotation(object, name, source));
  }
}

/**
 * Logs changes that the engine cannot show, because it only compares inputs. A refresh shows drift
 * itself.
 */
function logHidden(
  { context, object, state, inputs }: Compared,
  changed: readonly FieldPath[],
): void {
  const changes = changed
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .map((fieldPath) => describeChange(fieldPath, state, inputs));
  if (changes.length > 0 && context.owners.isDeclared(context.identity.urn))
    context.log(describeHidden(object, changes));
}

/** Releases undeclared arguments. Other resources may own entries of released lists. */
function giveUp(
  { resource, context, id, object, state }: Compared,
  released: readonly FieldPath[],
): void {
  const { owners, ledger, identity, log } = context;
  for (const list of owners.isDeclared(identity.urn) ? editedLists(resource) : []) {
    const { fieldPath } = list;
    if (released.includes(fieldPath)) ledger.of(id, list).pass(entriesAt(state, fieldPath.path));
  }
  log(describeReleased(object, released));
}

/** True for a create-only argument that no response shows. */
function isNeverShown(fieldPath: FieldPath): boolean {
  return !isObservable(fieldPath) && !fieldPath.field.inPath;
}

/** Throws if another resource already manages the object. */
function assertOwner({ resource, context, id, inputs }: Compared): void {
  const { owners, canImport, identity } = context;
  // A refresh also compares former states of renamed or moved resources. A resource that moves to
  // an unknown object does not own its former object.
  if (!owners.isDeclared(identity.urn) || inputs[resource.id] === UNKNOWN) return;
  const imported = canImport ? owners.claimObject(identity.urn, resource, id) : undefined;
  if (imported !== undefined)
    throw new UserError(describeImportedTwice(imported.text, [imported.ownerUrn, identity.urn]));
  const conflict = owners.claim(identity.urn, resource, inputs, id);
  if (conflict !== undefined) throw new UserError(conflict);
}

/**
 * Throws if an update would fail. Warns of entries that it removes and adds again, and of secrets
 * without a value. A refresh skips this, since the program may no longer declare the stored inputs.
 */
function foresee(compared: Compared, changed: readonly FieldPath[]): void {
  const { resource, context, object, state, inputs } = compared;
  if (!context.owners.isDeclared(context.identity.urn)) return;
  const contradiction = resource.findContradiction?.(state, inputs);
  if (contradiction !== undefined) throw contradictionError(`Updating ${object}`, contradiction);
  for (const returning of describeReturning(object, changed, state, inputs))
    context.warn(returning);
  for (const { variable } of referencesIn(updateBodies(resource, state, inputs)))
    context.secretValues.readOrWarn(variable);
}
