import { isDeepStrictEqual } from "node:util";
import { UNKNOWN } from "../../../facts";
import type { Handlers, Properties } from "../adapters/handlers";
import type { Command } from "./command";
import {
  type Declared,
  findByName,
  nameIn,
  type Stack,
  type StateResource,
  type Stored,
  urnOf,
} from "./state";
import { create, type Goal, note, ProtectedError, replace, type Step, same, update } from "./steps";

/** The engine's plans for registered resources. */

interface Plan {
  readonly goal: Goal;
  readonly action: string;
  readonly step: Step;
}

type Registrations = ReturnType<typeof noRegistrations>;

export const noRegistrations = () => ({
  /** The URNs, with the former ones that aliases have led to. */
  urns: new Set<string>(),
  /** Resources that have been deleted because one that they depend on is being replaced. */
  deleted: new Set<string>(),
  /** Resources that targets have kept from being created. */
  skipped: new Set<string>(),
});

/** Registers a resource: check, diff, and the step that follows from them. */
export async function planFor(
  command: Command,
  declared: Declared,
  registered: Registrations,
  isSkipped: boolean,
): Promise<Plan> {
  const { stack, handlersFor } = command;
  const goal = goalOf(stack, declared, registered);
  const { urn } = goal;
  const old = findOld(stack, urn, declared, registered);
  registered.urns.add(urn).add(old?.urn ?? urn);
  if (isSkipped) return { goal, action: "skipped", step: async () => {} };
  if (declared.isNoTarget) return untargeted(command, goal, old, registered);
  const missing = goal.dependencies?.find((each) => registered.skipped.has(each));
  if (missing) throw new Error(`${nameIn(missing)} is no target and does not exist`);

  const handlers = handlersFor(urn);
  const args = argumentsOf(stack, declared);
  const isRecreated = registered.deleted.has(urn);
  if (old === undefined) {
    const inputs = await check(handlers, {}, args);
    return { goal, action: "create", step: create(command, goal, inputs) };
  }
  const isFresh = isRecreated || declared.replace !== undefined;
  const inputs = isFresh
    ? await check(handlers, {}, args)
    : await check(handlers, old.inputs, withIgnored(args, old.inputs, declared.ignoreChanges));
  if (isRecreated) return replacement(command, goal, old, inputs, true, registered, []);

  const difference = declared.replace
    ? { changes: true, replaces: ["id"], deleteBeforeReplace: declared.replace === "delete first" }
    : await compare(handlers, old, inputs);
  if (difference.replaces.length > 0 || old.isDeleted) {
    if (goal.protect && old.protect) refuse(command, goal);
    const isDeletedFirst = declared.deleteBeforeReplace ?? difference.deleteBeforeReplace;
    const next = declared.replace ? inputs : await check(handlers, {}, args);
    return replacement(command, goal, old, next, isDeletedFirst, registered, difference.replaces);
  }
  if (difference.changes)
    return { goal, action: "update", step: update(command, goal, old, inputs) };
  return { goal, action: "same", step: same(command, goal, old, inputs) };
}

/** The difference to the program: the engine compares inputs if the diff leaves that open. */
export async function compare(handlers: Handlers, old: Stored, inputs: Properties) {
  const difference = await handlers.diff(old.id, old.outputs, inputs, old.inputs);
  const isChanged = difference.changes ?? differ(old.inputs, inputs);
  return { ...difference, changes: isChanged || old.isPartial };
}

function goalOf(stack: Stack, declared: Declared, { urns }: Registrations): Goal {
  const { type, name, isInComponent, protect, retainOnDelete, serviceFrom } = declared;
  const find = (name: string) => [...urns].find((urn) => nameIn(urn) === name) ?? "";
  return {
    urn: urnOf(stack, type, name, isInComponent),
    protect,
    retainOnDelete,
    dependencies: declared.after.map(find),
    serviceFrom: serviceFrom && find(serviceFrom),
  };
}

/** The state of a resource under its URN, or under the one of an alias. */
function findOld(
  stack: Stack,
  urn: string,
  { alias, type }: Declared,
  { urns }: Registrations,
): StateResource | undefined {
  const current = stack.resources.filter(({ isToDelete }) => !isToDelete);
  const former =
    alias === undefined ? [] : [false, true].map((isIn) => urnOf(stack, type, alias, isIn));
  const isFormer = (each: StateResource) => former.includes(each.urn) && !urns.has(each.urn);
  return current.find((each) => each.urn === urn) ?? current.find(isFormer);
}

/** The arguments with the ID of another resource. */
function argumentsOf(stack: Stack, { args, serviceFrom }: Declared): Properties {
  if (serviceFrom === undefined) return args;
  return { ...args, serviceId: findByName(stack, serviceFrom)?.id ?? UNKNOWN };
}

async function check(
  handlers: Handlers,
  oldInputs: Properties,
  args: Properties,
): Promise<Properties> {
  const { inputs, failures } = await handlers.check(oldInputs, args);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join(" "));
  return inputs;
}

function untargeted(
  command: Command,
  goal: Goal,
  old: StateResource | undefined,
  { skipped, urns }: Registrations,
): Plan {
  if (old) {
    const kept = [...leftBehind(command.stack, old, urns), old];
    const step = async () => {
      for (const each of kept) await same(command, each, each, each.inputs)();
    };
    return { goal, action: "no target", step };
  }
  skipped.add(goal.urn);
  const step = async () => void note(command, "same", goal.urn);
  return { goal, action: "no target", step };
}

/**
 * The dependencies that left the program, each after its own: the state keeps them before what
 * depends on them.
 */
function leftBehind(
  stack: Stack,
  { dependencies = [] }: StateResource,
  urns: Set<string>,
): StateResource[] {
  return dependencies.flatMap((urn) => {
    const found = stack.resources.find((each) => each.urn === urn && !each.isToDelete);
    if (found === undefined || urns.has(urn)) return [];
    urns.add(urn);
    return [...leftBehind(stack, found, urns), found];
  });
}

/** A preview shows the replacement that it refuses. */
function refuse({ isPreview, result }: Command, { urn }: Goal): void {
  const error = new ProtectedError(urn);
  if (!isPreview) throw error;
  result.failures.push({ urn, error });
}

async function replacement(
  command: Command,
  goal: Goal,
  old: StateResource,
  inputs: Properties,
  isDeletedFirst: boolean,
  registered: Registrations,
  keys: readonly string[],
): Promise<Plan> {
  const isRecreated = registered.deleted.has(goal.urn);
  const dependents =
    isDeletedFirst && !isRecreated ? await replacedWith(command, old, registered) : [];
  for (const { urn } of dependents) registered.deleted.add(urn);
  const action = isDeletedFirst ? "delete, create" : "replace";
  const step = replace(command, goal, old, inputs, isDeletedFirst, dependents, keys);
  return { goal, action, step };
}

/** The dependents that a new ID replaces, too; the newest first. */
async function replacedWith(
  { stack, handlersFor }: Command,
  { urn }: StateResource,
  { urns }: Registrations,
): Promise<StateResource[]> {
  const replaced: StateResource[] = [];
  for (const each of stack.resources) {
    if (each.serviceFrom !== urn || urns.has(each.urn) || each.isDeleted) continue;
    const inputs = { ...each.inputs, serviceId: UNKNOWN };
    const { replaces } = await compare(handlersFor(each.urn), each, inputs);
    if (replaces.length === 0) continue;
    if (each.protect) throw new ProtectedError(each.urn);
    replaced.unshift(each);
  }
  return replaced;
}

/** True if the engine finds a difference where a diff leaves that open. Null counts as absent. */
function differ(one: Properties, other: Properties): boolean {
  return !isDeepStrictEqual(withoutNull(one), withoutNull(other));
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(present.map(([name, item]) => [name, withoutNull(item)]));
}

/**
 * The program's arguments with the stored inputs in the places of `ignoreChanges`. A place that one
 * of them lacks stays as declared, except at the end of a path: there the argument is added or
 * removed.
 */
function withIgnored(
  args: Properties,
  stored: Properties,
  ignoreChanges: readonly string[] = [],
): Properties {
  const result = structuredClone(args);
  for (const path of ignoreChanges) reset(path.match(/[^.[\]"]+/g) ?? [], stored, result);
  return result;
}

function reset([key = "", ...rest]: readonly string[], from: unknown, to: unknown): void {
  if (!isContainer(from) || !isContainer(to)) return;
  const isList = Array.isArray(to);
  if (isList !== Array.isArray(from)) return;
  if (key === "*") {
    for (const name of new Set([...Object.keys(from), ...(isList ? [] : Object.keys(to))]))
      reset([name, ...rest], from, to);
  } else if (rest.length > 0) reset(rest, from[key], to[key]);
  else if (isList) {
    if (key in from && key in to) to[key] = from[key];
  } else if (from[key] === undefined) delete to[key];
  else to[key] = from[key];
}

const isContainer = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null;
