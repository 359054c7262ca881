import { coded, type Message } from "../errors";
import {
  type ChangeKind,
  type CheckResult,
  check as checkArguments,
  diff as diffArguments,
  entriesAt,
  type FieldPath,
  fieldPathsOf,
  hasUnknown,
  isObservable,
  isRecord,
  markedArguments,
  markState,
  newLists,
  newlyMarked,
  nullSecrets,
  type Problem,
  type Properties,
  recordDeclared,
  showEntries,
  UNKNOWN,
  valueAt,
  withoutAbsent,
  withoutKeys,
  withValue,
} from "../fields";
import { parseUrn, REFUSED, SECRETS, stateDeletion } from "../names";
import { missingSettings } from "./connect";
import { isCreated, isMissingOrganization, withId } from "./ids";
import { UNCERTAIN } from "./reads";
import type { Context, Resource } from "./resource";
import type { SettingKey } from "./settings";
import { confirmStored } from "./unresolved-creations";
import { describeNewList, describeReplacement, UserError } from "./user-error";

/*
 * The operations of a preview. They send no requests.
 */

export interface Checked {
  /**
   * As they are applied and stored. An argument with a problem is named under `REFUSED` and not shown: policies see
   * these inputs.
   */
  readonly inputs: Properties;
  /**
   * The only part of a problem that adapters pass to the engine, which prints the value of an argument that a problem
   * names.
   */
  readonly reasons: readonly Message[];
}

/** Validates and completes the declared arguments. `name` is the resource's in the program. */
export function check(resource: Resource, context: Context, name: string, olds: Properties, news: Properties): Checked {
  const { owners, identity, redact } = context;
  const { [SECRETS]: _, ...oldInputs } = userArguments(olds);
  const { [SECRETS]: places, ...newInputs } = userArguments(news);
  owners.declare(identity.urn);
  const { settings, refused, problems: settingProblems, sharingProblems } = context.settings();
  const args = applySettings(resource, context, withoutAbsent(newInputs));
  const { stack } = parseUrn(identity.urn);
  const { inputs: completed, warning } = resource.applyDefaults?.(oldInputs, args, name, stack) ?? { inputs: args };
  const marked = markedArguments(resource, completed, places);
  context.addSecretsOf(resource, withValue(completed, [SECRETS], marked), olds);
  const checked = checkArguments(resource, oldInputs, completed, { ...settings, marked });
  for (const { code, text } of [...checked.warnings, ...(warning ? [warning] : [])])
    context.warn(coded(code, `${name}: ${text}`));
  if (resource.create !== undefined) announce(resource, context, completed, Object.keys(oldInputs).length === 0);
  const unset = missingSettings("management", context.settings());
  const missing = unset.length > 0 && needsRequest(resource, oldInputs, checked) ? unset : [];
  const conflict = owners.claim(identity.urn, resource, completed);
  // An organization that a setting gives, but not as a UUID, is not missing.
  const isRefused = (problem: Problem) => refused.has("organizationId") && isMissingOrganization(problem, completed);
  const invalid = checked.problems.filter((problem) => !isRefused(problem)).map(({ reason }) => reason);
  const reasons = [settingProblems, sharingProblems, missing, conflict ?? [], invalid].flat();
  return {
    inputs: withValue(withoutRefused(checked), [SECRETS], marked),
    reasons: reasons.map(({ code, text }) => coded(code, redact(text))),
  };
}

/** Says which object a new resource adopts, and warns of a name that another resource of the program declares, too. */
function announce(resource: Resource, context: Context, inputs: Properties, isNew: boolean): void {
  const { title, id } = resource;
  const { owners, identity, log, warn } = context;
  const { [id]: existingId, organizationId, name } = inputs;
  if (isNew && typeof existingId === "string" && existingId !== UNKNOWN) {
    const adopted = `Adopting ${title} ${existingId}: \`pulumi up\` reads it, compares it with the program and changes what differs; a preview reads nothing.`;
    const lists = newLists(resource, {}, inputs).map(({ fieldPath }) => fieldPath.name);
    const effect = ` Entries of ${lists.join(" and ")} that the program does not declare are removed.`;
    log(coded("CDB5009", lists.length > 0 ? adopted + effect : adopted));
  }
  if (typeof name !== "string" || hasUnknown([name, organizationId])) return;
  const twin = owners.findNamesake(identity.urn, JSON.stringify([organizationId, name]), isNew);
  if (twin === undefined) return;
  const both = `"${twin}" and "${parseUrn(identity.urn).name}" declare the same name for a ${title}`;
  warn(
    coded("CDB1017", `${both}. The API allows that, but nobody can tell the two apart: give one of them another name.`),
  );
}

/** The inputs with the names of invalid arguments instead of their values. */
function withoutRefused({ inputs, problems }: CheckResult): Properties {
  const refused = [...new Set(problems.flatMap(({ argument }) => argument ?? []))];
  const rest = Object.fromEntries(Object.entries(inputs).filter(([name]) => !refused.includes(name)));
  return refused.length > 0 ? { ...rest, [REFUSED]: refused } : rest;
}

/** True where an `up` would certainly send a request. An unknown value may turn out to be the old one. */
function needsRequest(resource: Resource, oldInputs: Properties, { inputs, problems }: CheckResult): boolean {
  if (Object.keys(oldInputs).length === 0) return true;
  if (!problems.every((problem) => isMissingOrganization(problem, inputs))) return false;
  const { changed } = diffArguments(resource, recordDeclared(resource, oldInputs, oldInputs), inputs);
  return changed.some(({ path }) => !hasUnknown(valueAt(inputs, path)));
}

export interface Difference {
  /** Undefined for changed arguments: the engine shows them by itself. */
  readonly changes: boolean | undefined;
  /** Changed arguments that require replacement. */
  readonly replaces: readonly string[];
  /** Changed arguments that are declared, by their full names, and changed entries of lists that lose entries. */
  readonly changed: ReadonlyMap<string, ChangeKind>;
  /** True if the engine, which compares inputs, would show something else. */
  readonly isHidden: boolean;
}

/** Compares the declared arguments with the state. */
export async function diff(
  resource: Resource,
  context: Context,
  id: string,
  state: Properties,
  news: Properties,
): Promise<Difference> {
  const inputs = userArguments(news);
  context.addSecretsOf(resource, state, inputs);
  await confirmStored(resource, context, id, state);
  const known = withId(resource, id, state);
  const { changed, replacing: differing } = diffArguments(resource, known, inputs);
  // Of an adopted object, the state holds only what the program declared of such arguments.
  const isAdopted = resource.create !== undefined && !isCreated(resource, state);
  const unseen = isAdopted ? differing.filter(isNeverShown) : [];
  const replacing = differing.filter((fieldPath) => !unseen.includes(fieldPath));
  const object = `${resource.title} ${id}`;
  if (unseen.length > 0) {
    const text = `The API does not show ${namesOf(unseen)} of ${object}, which was adopted: the new value is only recorded in the state.`;
    context.log(coded("CDB5010", text));
  }
  const marked = newlyMarked(state, inputs);
  if (marked.length > 0 && changed.length === 0) {
    const text = `The program marks ${marked.join(", ")} of ${object} as secret: the update marks it in the state, and sends no request for that.`;
    context.log(coded("CDB5007", text));
  }
  const released = changed.filter(({ path }) => valueAt(inputs, path) === undefined);
  if (released.length > 0) giveUp(context, id, object, state, released);
  const losing = newLists(resource, known, inputs).filter(
    ({ rules, before, after }) => withoutKeys(rules, before, after).length > 0,
  );
  for (const list of losing) context.warn(describeNewList(object, list, inputs));
  if (replacing.length > 0) context.warn(describeReplacement(resource, object, replacing, known, inputs));
  else assertOwner(resource, context, id, inputs);
  // An update is needed after a request with an unknown outcome, for an entry that another resource of this command has
  // removed, and to mark outputs as secret.
  const isStale = state[UNCERTAIN] !== undefined || context.owners.hasLost(resource, inputs, id) || marked.length > 0;
  const places = new Map<string, ChangeKind>();
  for (const fieldPath of changed) if (!released.includes(fieldPath)) places.set(fieldPath.name, "UPDATE");
  // The entries of an unknown list have no places.
  const located = losing.filter(({ fieldPath }) => valueAt(inputs, fieldPath.path) !== UNKNOWN);
  for (const list of located) showEntries(places, list, known);
  return {
    changes: changed.length > 0 ? undefined : isStale,
    replaces: replacing.flatMap(({ path: [name = ""] }) => [name]),
    changed: places,
    isHidden: released.length > 0 || losing.length > 0,
  };
}

const namesOf = (fields: readonly FieldPath[]) => fields.map(({ name }) => name).join(", ");

/** Releases undeclared arguments; other resources of this command may own the entries of released lists. */
function giveUp(context: Context, id: string, object: string, state: Properties, released: readonly FieldPath[]): void {
  const { owners, identity, log } = context;
  for (const { name, path, field } of owners.isDeclared(identity.urn) ? released : []) {
    if (field.list?.send !== "addRemove") continue;
    for (const entry of entriesAt(state, path)) owners.factsAbout(id, name, field.list.key(entry)).isPassed = true;
  }
  log(coded("CDB5005", `The ${object} keeps what the program does not declare: ${namesOf(released)}.`));
}

/** True for an argument that only a creation sends, and that no response shows. */
function isNeverShown(fieldPath: FieldPath): boolean {
  return !isObservable(fieldPath) && !fieldPath.field.inPath;
}

/** Throws if another resource already manages the object. */
function assertOwner(resource: Resource, context: Context, id: string, inputs: Properties): void {
  const { owners, canImport, identity } = context;
  // A refresh also compares what is left of resources that the program has renamed or moved. A resource that moves to an
  // object that is not known yet does not own the former one.
  if (!owners.isDeclared(identity.urn) || inputs[resource.id] === UNKNOWN) return;
  const imported = canImport ? owners.claimObject(identity.urn, resource, id) : undefined;
  if (imported !== undefined) {
    const [first, second] = [imported.ownerUrn, identity.urn].map((urn) => `\`${stateDeletion(urn)}\``);
    const advice = `If it was imported twice, remove the newer one from the state, with ${first} or ${second}: an import brings no password.`;
    throw new UserError(coded("CDB4010", `${imported.text} ${advice}`));
  }
  const conflict = owners.claim(identity.urn, resource, inputs, id);
  if (conflict !== undefined) throw new UserError(conflict);
}

/** The outputs of an object to be created or adopted that a preview knows: its arguments. */
export function planCreation(resource: Resource, inputs: Properties): Properties {
  const { fields, outputs, create, id } = resource;
  // The API fills in an argument that is left out, and returns it.
  const filled = fieldPathsOf(fields)
    .filter(({ path, field }) => path.length === 1 && field.inResponse && field.list?.unmanaged !== "keep")
    .map(({ name }) => name);
  const known = { ...recordDeclared(resource, {}, inputs), ...inputs };
  const isAdopted = create !== undefined && typeof inputs[id] === "string" && inputs[id] !== UNKNOWN;
  // An adopted object lacks the outputs that only a creation returns.
  const missing = isAdopted ? nullSecrets(resource) : {};
  return markState(resource, { ...unknown([...filled, ...Object.keys(outputs)]), ...missing, ...known }, inputs);
}

/**
 * The planned state of an update. Outputs that only a creation returns stay, and those that no changed argument can
 * change; any other may change.
 */
export function planUpdate(resource: Resource, id: string, state: Properties, inputs: Properties): Properties {
  const { changed } = diffArguments(resource, withId(resource, id, state), inputs);
  const uncertain = Array.isArray(state[UNCERTAIN]) ? state[UNCERTAIN] : [];
  const changing = new Set([...changed.map(({ path: [name] }) => name), ...uncertain]);
  const pending = Object.entries(resource.outputs).filter(([name, { secret, changedBy }]) => {
    return !secret && !(isComplete(state[name]) && changedBy?.every((argument) => !changing.has(argument)));
  });
  const known = { ...recordDeclared(resource, state, inputs), ...inputs };
  // Outputs that are kept may show the former text of an argument that is a secret.
  return markState(resource, { ...known, ...unknown(pending.map(([name]) => name)) }, state);
}

/** False for a value that the API may still fill, such as the endpoints of a new service. */
function isComplete(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isComplete);
  return isRecord(value)
    ? Object.values(value).every(isComplete)
    : value !== undefined && value !== null && value !== "";
}

function unknown(names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}

/** The arguments with the settings that stand in for undeclared ones. */
export function applySettings(resource: Resource, context: Context, inputs: Properties): Properties {
  const { settings } = context.settings();
  let args = inputs;
  for (const { path, field } of fieldPathsOf(resource.fields)) {
    const setting = field.setting === undefined ? undefined : settings[field.setting as SettingKey];
    if (setting !== undefined && valueAt(args, path) === undefined) args = withValue(args, path, setting);
  }
  return args;
}

/** The arguments, with the names of those that are marked as secret; strips other internal `__` properties. */
export function userArguments(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name === SECRETS || !name.startsWith("__")));
}
