import { valueAt } from "../../../provider/fields";
import type { Properties } from "../../support/adapters/handlers";
import type { Result } from "../../support/engine/command";
import {
  type Declared,
  isAccess,
  nameIn,
  type ResourceType,
  type StateResource,
  urnOf,
} from "../../support/engine/state";
import type { Api, Sent } from "./api";
import {
  type Change,
  ENDPOINTS,
  type Entry,
  listOf,
  type Place,
  placesIn,
  serviceOf,
} from "./ledger";
import { reach } from "./values";
import type { Side } from "./world";

/** The invariants of the entries on services. */

/**
 * Expects entries of others to stay, unless a `Service` has a complete list and its state has shown
 * them.
 */
export function expectRespect(
  side: Side,
  known: readonly StateResource[],
  changes: readonly Change[],
): void {
  const meanwhile = new Set<Place>();
  for (const { place, by, before, after } of changes) {
    // No command can see a change between its read and its write.
    if (by !== side.stack.name) meanwhile.add(place);
    if (by !== side.stack.name || meanwhile.has(place) || before === undefined || before.by === by)
      continue;
    if (isRight(side.program, known, place) || (before.by === "others" && isGivenUp(known, place)))
      continue;
    const act = after ? `overwrites it with "${after.description}"` : "removes it";
    throw new Error(`${place} "${before.description}" is of ${before.by}, and ${by} ${act}`);
  }
}

/**
 * True for a change by a `Service`: it declares the entry itself, its state has shown it, or the
 * change is an adoption.
 */
function isRight(
  program: readonly Declared[],
  known: readonly StateResource[],
  place: Place,
): boolean {
  return program.some(({ name, type, args }) => {
    if (type !== "Service" || args[listOf(place)] === undefined) return false;
    const stored = known.find(({ urn }) => nameIn(urn) === name);
    const id = stored?.id ?? args.existingServiceId;
    if (id !== serviceOf(place)) return false;
    return (
      stored === undefined ||
      placesIn({ ...args, id }).has(place) ||
      placesIn({ ...stored.outputs, id }).has(place)
    );
  });
}

/**
 * True for an entry in the complete list of a `Service`: where the program drops the list, others
 * may declare it.
 */
export function isGivenUp(known: readonly StateResource[], place: Place): boolean {
  return known.some(
    (resource) =>
      !isAccess(resource) && placesIn({ id: resource.id, ...resource.inputs }).has(place),
  );
}

/**
 * Expects the services to have the declared entries after a successful command, and outputs to name
 * their owners.
 */
export function expectDeclared(
  side: Side,
  { actions }: Result,
  known: readonly StateResource[],
  { ledger, changes }: Api,
): void {
  const { stack, program, dirty, drifted } = side;
  const order = [...actions.keys()];
  const edited = new Set(changes().flatMap(({ by, place }) => (by === stack.name ? [] : [place])));
  for (const declared of program) {
    const { name, type } = declared;
    const action = actions.get(name);
    // A state from before a crash does not show what the last update has done to the lists of a
    // Service.
    if (action === "no target" || (type === "Service" && drifted.has(name))) continue;
    const stored = storedFor(side, declared);
    const isSure = action !== "same" && type === "ServiceAccess";
    for (const [place, description] of placesIn({ id: stored.id, ...stored.inputs })) {
      if (edited.has(place) || (dirty.has(place) && !isSure)) continue;
      const entry = ledger.entries.get(place);
      if (entry === undefined) expectSeen(side, place, name);
      else if (type === "ServiceAccess") {
        const before = order.slice(0, order.indexOf(name));
        // An entry that a Service gives up belongs to its next owner.
        if (isSure && !dirty.has(place) && isReleased(program, known, place, before))
          side.tainted.delete(place);
        expectOwnership(side, place, entry, description, stored);
      } else expect([place, entry.description]).toEqual([place, description]);
    }
  }
}

/**
 * True for an entry of a Service that no longer declares the list, and that was registered before.
 */
function isReleased(
  program: readonly Declared[],
  known: readonly StateResource[],
  place: Place,
  before: readonly string[],
): boolean {
  const owner = known.find(
    (each) => !isAccess(each) && placesIn({ id: each.id, ...each.inputs }).has(place),
  );
  const name = nameIn(owner?.urn ?? "");
  const hasList = program.some(
    (each) => each.name === name && each.args[listOf(place)] !== undefined,
  );
  return owner !== undefined && !hasList && before.includes(name);
}

/** The state of a declared resource, with all entries of the program. */
function storedFor(
  { stack }: Side,
  { name, type, args, isInComponent, ignoreChanges = [] }: Declared,
): StateResource {
  const urn = urnOf(stack, type, name, isInComponent);
  const stored = stack.resources.find((each) => each.urn === urn && !each.isToDelete);
  if (stored === undefined) throw new Error(`${name} is not in the state`);
  const { id, inputs } = stored;
  const has = placesIn({ id, ...inputs });
  const wanted = [...placesIn({ serviceId: inputs.serviceId, id, ...args }).keys()];
  const lost = wanted.filter((place) => !ignoreChanges.includes(listOf(place)) && !has.has(place));
  if (lost.length > 0) throw new Error(`check of ${name} drops ${lost}`);
  return stored;
}

/**
 * Fails because of a missing entry, unless the program has a resource that was no target: it may
 * have removed the entry.
 */
function expectSeen({ program, dirty }: Side, place: Place, name: string): void {
  if (!program.some(({ isNoTarget }) => isNoTarget))
    throw new Error(`${place}, which ${name} declares, is LOST`);
  reach("an entry that was lost with --target");
  dirty.add(place);
}

/** Expects own entries to be as declared, and outputs to name the entries of others. */
function expectOwnership(
  { stack, dirty, tainted }: Side,
  place: Place,
  { by, description }: Entry,
  declared: string,
  stored: StateResource,
): void {
  const isOwn = ownPlaces(stored).has(place);
  if (isOwn) tainted.delete(place);
  if (dirty.has(place)) return;
  if (isOwn && by !== stack.name)
    throw new Error(`${place} is of ${by}, and ${stack.name} takes it for its own`);
  if (isOwn && description !== declared)
    throw new Error(`${place} has the description "${description}" and not "${declared}"`);
  // Private endpoints and the entries of a `Service` do not name the stack.
  const isNamed = description.includes(`shop/${stack.name}`);
  const isUnknown = listOf(place) === ENDPOINTS || (tainted.has(place) && !isNamed);
  if (!isOwn && by === stack.name && !isUnknown)
    throw new Error(`${place} is of ${by}, and the outputs name it as shared`);
}

/** The entries that a ServiceAccess has added, as its state says, with their descriptions. */
export function ownPlaces({ id, outputs }: StateResource): Map<Place, string> {
  const shared = [outputs.sharedSources, outputs.sharedPrivateEndpointIds].flatMap(
    (keys) => (keys ?? []) as string[],
  );
  const isShared = (place: Place) => shared.some((key) => place.endsWith(` ${key}`));
  return new Map([...placesIn({ id, ...outputs })].filter(([place]) => !isShared(place)));
}

/** Expects own entries that nothing declares any more to be gone after a successful command. */
export function expectRemoved(
  { stack }: Side,
  known: readonly StateResource[],
  { ledger, changes }: Api,
): void {
  const edited = new Set(changes().flatMap(({ by, place }) => (by === stack.name ? [] : [place])));
  const declared = declaredPlaces(stack.resources);
  for (const resource of known.filter(isAccess)) {
    for (const [place, description] of ownPlaces(resource)) {
      const entry = ledger.entries.get(place);
      if (entry === undefined || declared.has(place) || edited.has(place)) continue;
      // A command that died may have given the entry to another resource.
      if (entry.by !== stack.name || entry.description !== description) continue;
      throw new Error(
        `${place} was own by ${nameIn(resource.urn)}, and nothing declares it: it is left`,
      );
    }
  }
}

/** Expects the last command to have no steps and no requests. */
export function expectEmpty({ actions }: Result, { requests }: Api): void {
  const steps = [...actions].filter(([, action]) => action !== "same");
  if (steps.length + requests().length > 0)
    throw new Error(`the next up is not empty: ${JSON.stringify([steps, requests()])}`);
}

function declaredPlaces(resources: readonly StateResource[]): Set<Place> {
  return new Set(resources.flatMap(({ id, inputs }) => [...placesIn({ id, ...inputs }).keys()]));
}

/** The objects that two requests update, if several of their fields change. */
const IN_TWO_UPDATES: readonly ResourceType[] = ["Service", "Organization"];

/** Expects one read and one update per step; a server that adds first is corrected. */
export function expectFew(
  { program }: Side,
  { actions }: Result,
  requests: readonly Sent[],
  addsFirst: boolean,
): void {
  const steps = [...actions].filter(([, action]) => !["same", "no target"].includes(action));
  const hasTwo = (name: string) =>
    program.some((each) => each.name === name && IN_TWO_UPDATES.includes(each.type));
  const parts = steps.reduce(
    (sum, [name, action]) => sum + (action === "delete, create" || hasTwo(name) ? 2 : 1),
    0,
  );
  const gets = requests.filter(({ method }) => method === "GET").length;
  const patches = requests.filter(
    ({ method, body }) => method === "PATCH" && !addsRemovedTable(body, requests),
  ).length;
  if (gets > parts) throw new Error(`${gets} reads for ${parts} steps`);
  if (patches > parts * (addsFirst ? 2 : 1))
    throw new Error(`${patches} updates for ${parts} steps`);
}

/** True for the second request of a changed table mapping: another one has removed the table. */
function addsRemovedTable(body: Properties, requests: readonly Sent[]): boolean {
  const tables = (sent: Properties, list: string): string[] => {
    const entries = valueAt(sent, ["source", "postgres", list]) as Properties[] | undefined;
    return (entries ?? []).map(({ targetTable }) => String(targetTable));
  };
  const removed = requests.flatMap((sent) => tables(sent.body, "tableMappingsToRemove"));
  const added = tables(body, "tableMappingsToAdd");
  return added.length > 0 && added.every((table) => removed.includes(table));
}

/** Expects no entry on the server that the stack has added and no longer declares. */
export function expectNothingLeft({ stack, tainted }: Side, { ledger }: Api, moment: string): void {
  const declared = declaredPlaces(stack.resources);
  for (const [place, { by, description }] of ledger.entries) {
    if (by !== stack.name || declared.has(place)) continue;
    if (listOf(place) === ENDPOINTS) reach("a private endpoint that stays");
    else if (tainted.has(place))
      reach("an entry that stays after a failure, or from the list of a Service");
    else throw new Error(`after ${moment}, ${place} "${description}" of ${by} is left`);
  }
}
