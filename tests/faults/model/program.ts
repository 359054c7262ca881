import type { Properties } from "../../support/adapters/handlers";
import {
  type Declared,
  findByName,
  type Stack,
  type StateResource,
  urnOf,
} from "../../support/engine/state";
import {
  ENDPOINT_IDS,
  NAMES,
  NETWORKS,
  type ProgramSpec,
  type Resources,
  SERVICES,
  type Slotted,
  type Spec,
  slotsOf,
} from "./history";
import { ACCESS, ENDPOINTS, type Place, placeOf, placesIn } from "./ledger";
import { ADOPTED, SCALED, type Slot, slots } from "./scenario";

/**
 * Turns a drawn program into one that the engine and the provider take: each entry has one owner.
 */

export const SERVICE_IDS: readonly string[] = [ADOPTED, SCALED];
export const CREATED = "db";
const SERVICE_NAMES = ["service-0", "service-1", CREATED];

/** What the stack knows of earlier programs. */
export interface Past {
  readonly stack: Stack;
  /** The former names of resources, by slot. */
  readonly names: ReadonlyMap<number, string>;
  /** True if the program has declared the created service: nothing may remove it. */
  readonly hasCreated: boolean;
  /** The arguments to adopt the services whose creation was lost, once the user has found them. */
  readonly found: ReadonlyMap<string, Properties>;
}

interface Drawn {
  readonly spec: ProgramSpec;
  readonly past: Past;
  readonly hasServices: boolean;
  /** The entries that `ignoreChanges` keeps, with their owners. */
  readonly kept: ReadonlyMap<Place, string>;
}

export function buildProgram(spec: Spec, past: Past, hasServices: boolean): Declared[] {
  const program =
    "resources" in spec ? declareSlots(spec.resources) : shareServices(spec, past, hasServices);
  return program.map((declared) => ({
    ...declared,
    args: { ...declared.args, ...past.found.get(declared.name) },
  }));
}

export const nameOfSlot = (slot: Slot) => `db ${slot}`;

function declareSlots(resources: Resources): Declared[] {
  return (Object.keys(slots) as Slot[]).flatMap((slot) => {
    const { type, always } = slots[slot];
    const args = resources[slot];
    return args ? [{ name: nameOfSlot(slot), type, args: { ...args, ...always }, after: [] }] : [];
  });
}

function shareServices(spec: ProgramSpec, past: Past, hasServices: boolean): Declared[] {
  const hasCreated = spec.hasCreated || past.hasCreated;
  const services = hasServices
    ? Array.from({ length: hasCreated ? SERVICES : 2 }, (_, n) => serviceIn(spec, n))
    : [];
  const drawn = { spec, past, hasServices, kept: keptPlaces(spec, past) };
  const accesses = slotsOf(spec).flatMap((slot, index) => {
    const isUsable = slot.service < 2 || (hasServices && hasCreated);
    return isUsable ? accessIn(drawn, slot, index) : [];
  });
  const { order = [0] } = spec;
  const rank = (index: number) => order[index % order.length] ?? 0;
  const ordered = [...services, ...accesses]
    .map((declared, index) => [rank(index), declared] as const)
    .sort(([one], [other]) => one - other)
    .map(([, declared]) => declared);
  return withoutCircles(ordered, spec.isChained);
}

const textOf = (spec: ProgramSpec, owner: string, network: number) =>
  [undefined, `text ${network}`, `of ${owner}`, `text ${network} (shop/dev)`][
    spec.texts?.[network] ?? 0
  ];

function entriesOf(
  spec: ProgramSpec,
  owner: string,
  isOwned: (network: number) => boolean,
): Properties[] {
  return NETWORKS.flatMap((source, network) => {
    const description = textOf(spec, owner, network);
    return isOwned(network) ? [{ source, ...(description !== undefined && { description }) }] : [];
  });
}

function serviceIn(spec: ProgramSpec, service: number): Declared {
  const owner = (network: number) => spec.owners?.[service]?.[network] ?? 0;
  const endpoints = ENDPOINT_IDS.filter(
    (_, index) => (spec.endpointOwners?.[service]?.[index] ?? 0) > 0,
  );
  const isCreated = service === 2;
  return {
    name: SERVICE_NAMES[service] ?? "",
    type: "Service",
    args: {
      ...(isCreated
        ? { numReplicas: spec.numReplicas ?? 2 }
        : { existingServiceId: SERVICE_IDS[service] }),
      ...(spec.isWhole?.[service] && {
        [ACCESS]: entriesOf(spec, "service", (network) => owner(network) > 0),
      }),
      ...(spec.hasWholeEndpoints?.[service] && { [ENDPOINTS]: endpoints }),
    },
    after: [],
  };
}

/**
 * A ServiceAccess with its slot's entries, except those in a list of a Service, and those that
 * other resources keep.
 */
function accessIn(
  { spec, past, hasServices, kept }: Drawn,
  slot: Slotted,
  index: number,
): Declared[] {
  const {
    service,
    hasAlias,
    isInComponent = false,
    replace,
    isNoTarget = false,
    staysEmpty,
  } = slot;
  const name: string = NAMES[slot.name] ?? "";
  const id = SERVICE_IDS[service] ?? findByName(past.stack, CREATED)?.id;
  const isFree = (list: string, key: string) => (kept.get(placeOf(id, list, key)) ?? name) === name;
  const isIn = (owners: number[][] | undefined, entry: number) =>
    owners?.[service]?.[entry] === index + 1;
  const hasNetworks = !(hasServices && spec.isWhole?.[service]);
  const hasEndpoints = hasServices && !spec.hasWholeEndpoints?.[service];
  const networks = entriesOf(
    spec,
    name,
    (network) =>
      hasNetworks && isIn(spec.owners, network) && isFree(ACCESS, NETWORKS[network] ?? ""),
  );
  const endpoints = ENDPOINT_IDS.filter(
    (endpoint, entry) =>
      hasEndpoints && isIn(spec.endpointOwners, entry) && isFree(ENDPOINTS, endpoint),
  );
  const isEmpty = networks.length + endpoints.length === 0;
  if (isEmpty && !(hasNetworks && staysEmpty)) return [];
  const former = past.names.get(index);
  return [
    {
      name,
      type: "ServiceAccess",
      args: {
        ...(service < 2 && { serviceId: SERVICE_IDS[service] }),
        ...((networks.length > 0 || isEmpty) && { [ACCESS]: networks }),
        ...(endpoints.length > 0 && { [ENDPOINTS]: endpoints }),
      },
      ...(service === 2 && { serviceFrom: CREATED }),
      ...(hasAlias && former !== undefined && former !== name && { alias: former }),
      isInComponent,
      replace,
      ignoreChanges: findIgnoring(spec, slot, past) ? [ACCESS, ENDPOINTS] : [],
      isNoTarget,
      after: service === 2 ? [CREATED] : [],
    },
  ];
}

/** The resource in the state whose lists `ignoreChanges` keeps. */
function findIgnoring(
  spec: ProgramSpec,
  slot: Slotted,
  { stack }: Past,
): StateResource | undefined {
  const { service, ignoresChanges, replace, hasAlias, isInComponent } = slot;
  if (
    !ignoresChanges ||
    replace ||
    hasAlias ||
    spec.isWhole?.[service] ||
    spec.hasWholeEndpoints?.[service]
  )
    return undefined;
  const urn = urnOf(stack, "ServiceAccess", NAMES[slot.name] ?? "", isInComponent);
  return stack.resources.find(
    (each) =>
      each.urn === urn && !each.isToDelete && each.inputs.serviceId === SERVICE_IDS[service],
  );
}

/** The entries that `ignoreChanges` keeps, with their owners. */
function keptPlaces(spec: ProgramSpec, past: Past): Map<Place, string> {
  const kept = new Map<Place, string>();
  for (const slot of slotsOf(spec)) {
    const stored = findIgnoring(spec, slot, past);
    for (const place of placesIn(stored?.inputs ?? {}).keys())
      kept.set(place, NAMES[slot.name] ?? "");
  }
  return kept;
}

/** The engine refuses a program in which the alias of a resource is the name of another one. */
function withoutCircles(program: readonly Declared[], isChained = false): Declared[] {
  return program.map((declared, index) => {
    const { alias, ...rest } = declared;
    const isTaken = program.some(({ name }) => name === alias);
    const before = program[index - 1];
    // The engine refuses a target that depends on a resource which targets keep from being created.
    const canFollow = before && !before.isNoTarget && !before.after.includes(declared.name);
    const follows = isChained && index % 2 === 1 && canFollow;
    const after = follows ? [...declared.after, before.name] : declared.after;
    return { ...rest, ...(alias !== undefined && !isTaken && { alias }), after };
  });
}
