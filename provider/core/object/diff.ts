import { isDeepStrictEqual } from "node:util";
import { coded, type Message } from "../../errors";
import {
  type ChangeKind,
  diff as diffArguments,
  entriesAt,
  type FieldPath,
  hasUnknown,
  isObservable,
  labelOf,
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
import { stateDeletion } from "../../names";
import { updateBodies } from "../session/secret-values";
import { describeKey, passwordIn } from "./encrypted-password";
import { isCreated, withId } from "./ids";
import {
  contradictionError,
  describeChange,
  describeEntries,
  describeReturning,
  isMarked,
} from "./messages";
import { UNCERTAIN } from "./read-object";
import type { Context, DiffRequest, Resource } from "./resource";
import { UserError } from "./user-error";

/** The effect that an update would have. */
export interface Difference {
  /** `state` if the state differs from unchanged arguments. */
  readonly kind: "none" | "state" | "arguments";
  /** Changed arguments that require replacement. */
  readonly replaces: readonly string[];
  /**
   * Changed arguments that are declared, by their full names, and changed entries of lists that
   * lose entries.
   */
  readonly changed: ReadonlyMap<string, ChangeKind>;
  /** True if the engine, which compares inputs, would show different changes. */
  readonly isHidden: boolean;
}

/** The object of a comparison. */
interface Compared {
  readonly resource: Resource;
  readonly context: Context;
  readonly id: string;
  /** The object's name in sentences. */
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
  if (marked.length > 0 && changed.length === 0) describeMarked(compared, marked);
  describeRotations(compared, changed);
  if (request.isUnchanged) describeHidden(compared, changed);
  const released = changed.filter(({ path }) => valueAt(inputs, path) === undefined);
  if (released.length > 0) giveUp(compared, released);
  const losing = newLists(resource, state, inputs).filter(
    ({ rules, before, after }) => withoutKeys(rules, before, after).length > 0,
  );
  for (const list of losing) context.warn(describeNewList(compared.object, list, inputs));
  if (replacing.length > 0) context.warn(describeReplacement(compared, replacing));
  else {
    assertOwner(compared);
    if (changed.length > 0) foresee(compared, changed);
    describeKey(context, compared.object, state, inputs);
  }
  // An update is needed after a request with an unknown outcome, for an entry that another resource
  // of this command has removed, and to mark outputs as secret.
  const isStale =
    state[UNCERTAIN] !== undefined ||
    context.owners.hasLost(resource, inputs, id) ||
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
  // The entries of an unknown list have no places.
  const located = losing.filter(({ fieldPath }) => valueAt(inputs, fieldPath.path) !== UNKNOWN);
  for (const list of located) showEntries(places, list, state);
  return places;
}

/** The places at which the stored values of a changed argument differ. */
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
  // A value that the program newly declares may be the stored one.
  if (places.length === 0) return [[fieldPath.name, "UPDATE"]];
  return places.map((place) => {
    const isNew = !before.has(place) && place !== fieldPath.name;
    return [place, isNew ? "ADD" : after.has(place) ? "UPDATE" : "DELETE"];
  });
}

/**
 * Leaves out arguments of an adopted object that no response shows: its state holds only their
 * declared values.
 */
function withoutUnseen(
  { resource, context, object }: Compared,
  former: Properties,
  differing: readonly FieldPath[],
) {
  const isAdopted = resource.create !== undefined && !isCreated(resource, former);
  const unseen = isAdopted ? differing.filter(isNeverShown) : [];
  if (unseen.length > 0) {
    const text = `The API does not show ${namesOf(unseen)} of ${object}, which was adopted: the new value is only recorded in the state.`;
    context.log(coded("CDB5010", text));
  }
  return differing.filter((fieldPath) => !unseen.includes(fieldPath));
}

/** Says that a variable has another value than the one that was sent: a preview shows no value. */
function describeRotations(
  { context, object, state, inputs }: Compared,
  changed: readonly FieldPath[],
): void {
  for (const { path, name } of changed) {
    const [before, after] = [state, inputs].map(
      (properties) => referencesIn(valueAt(properties, path))[0],
    );
    if (!before?.isHashed || !after?.isHashed || before.fingerprint === after.fingerprint) continue;
    const text = `\`pulumi up\` sends the value that ${context.secretValues.sourceOf(after.variable)} has on this machine as ${name} of ${object}: it is not the value that was sent last. Different is not newer, so set the variable only where the current value is.`;
    context.log(coded("CDB5017", text));
  }
}

/**
 * Names changes that the engine, which compares inputs, cannot show. A refresh shows drift by
 * itself.
 */
function describeHidden(
  { context, object, state, inputs }: Compared,
  changed: readonly FieldPath[],
): void {
  const changes = changed
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .map((fieldPath) => describeChange(fieldPath, state, inputs));
  if (changes.length === 0 || !context.owners.isDeclared(context.identity.urn)) return;
  const text = `The state of ${object} differs from its unchanged arguments: \`pulumi up\` changes ${changes.join("; ")}.`;
  context.log(coded("CDB5019", text));
}

function describeMarked({ context, object }: Compared, marked: readonly string[]): void {
  const text = `The program marks ${marked.join(", ")} of ${object} as secret: the update marks it in the state, and sends no request for that.`;
  context.log(coded("CDB5007", text));
}

const namesOf = (fields: readonly FieldPath[]) => fields.map(({ name }) => name).join(", ");

/**
 * Releases undeclared arguments; other resources of this command may own the entries of released
 * lists.
 */
function giveUp({ context, id, object, state }: Compared, released: readonly FieldPath[]): void {
  const { owners, identity, log } = context;
  for (const { name, path, field } of owners.isDeclared(identity.urn) ? released : []) {
    if (field.list?.send !== "addRemove") continue;
    for (const entry of entriesAt(state, path))
      owners.factsAbout(id, name, field.list.key(entry)).isPassed = true;
  }
  log(
    coded(
      "CDB5005",
      `The ${object} keeps what the program does not declare: ${namesOf(released)}.`,
    ),
  );
}

/** True for an argument that only a creation sends, and that no response shows. */
function isNeverShown(fieldPath: FieldPath): boolean {
  return !isObservable(fieldPath) && !fieldPath.field.inPath;
}

/** Throws if another resource already manages the object. */
function assertOwner({ resource, context, id, inputs }: Compared): void {
  const { owners, canImport, identity } = context;
  // A refresh also compares the former states of resources that the program has renamed or moved. A
  // resource that moves to an unknown object does not own its former object.
  if (!owners.isDeclared(identity.urn) || inputs[resource.id] === UNKNOWN) return;
  const imported = canImport ? owners.claimObject(identity.urn, resource, id) : undefined;
  if (imported !== undefined) {
    const [first, second] = [imported.ownerUrn, identity.urn].map(
      (urn) => `\`${stateDeletion(urn)}\``,
    );
    const advice = `If it was imported twice, remove the newer one from the state, with ${first} or ${second}: an import brings no password.`;
    throw new UserError(coded("CDB4010", `${imported.text} ${advice}`));
  }
  const conflict = owners.claim(identity.urn, resource, inputs, id);
  if (conflict !== undefined) throw new UserError(conflict);
}

/**
 * Throws if an update would fail, and warns of entries that it removes and adds again and of
 * secrets that it cannot send. A refresh compares inputs that the program may have changed
 * meanwhile.
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

/** The effect of a replacement by changes such as `region from "a" to "b"`. */
function describeReplacement(
  { resource, object, state, inputs }: Compared,
  replacing: readonly FieldPath[],
): Message {
  const { title, create, lifecycle } = resource;
  const changes = replacing.map((fieldPath) => describeChange(fieldPath, state, inputs));
  const isMoved = replacing.some(({ name }) => name === "organizationId");
  const typingError = isMoved ? "If the new organizationId is a typing error, correct it. " : "";
  const change = `${typingError}Changing ${changes.join(" and ")} of ${object}`;
  if (create !== undefined && replacing.some(({ name }) => name === resource.id)) {
    const effect = `makes the stack release this ${title} and adopt the other; nothing is created or deleted on the server. Without \`retainOnDelete: true\`, which has to be applied first, a protected ${title} refuses this. The released ${title} keeps running and costing money, and its password leaves the stack: save the password first.`;
    return coded("CDB5003", `${change} ${effect}`);
  }
  if (create !== undefined) {
    const effect = `requires a new, empty ${title}, with another host and password. Without \`retainOnDelete: true\`, which has to be applied first, this is refused: the API cannot delete ${title}s. With it, the old one leaves the stack with the only copy of its password, and keeps running and costing money: save the password first.`;
    return coded("CDB5002", `${change} ${effect}`);
  }
  const effect =
    "makes the stack release this object and adopt the other; nothing is created or deleted on the server.";
  return coded("CDB5003", `${change} ${lifecycle?.replacement ?? effect}`);
}

/** The effect of a newly declared list, which the engine cannot show because it compares inputs. */
function describeNewList(
  object: string,
  { fieldPath, rules, before, after }: NewList,
  inputs: Properties,
): Message {
  const { name, path } = fieldPath;
  const entries = describeEntries(
    withoutKeys(rules, before, after).map((entry) => labelOf(rules, entry)),
    isMarked(name, inputs),
  );
  const fact = `The program declares ${name} of ${object} for the first time, as the complete list: \`pulumi up\` removes ${entries}`;
  const isUnknown = hasUnknown(valueAt(inputs, path));
  return coded(
    "CDB5016",
    `${fact}${isUnknown ? ", unless values that are not known yet declare them" : ""}.`,
  );
}
