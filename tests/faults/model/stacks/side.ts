import { type Place, placesIn } from "./ledger";
import type { ProgramSpec } from "./scenario";
import { type Declared, findByName, isAccess, type Stack, type StateResource } from "./state";

/** A stack with its program, and what the model knows of both. */
export interface Side {
  readonly stack: Stack;
  program: readonly Declared[];
  spec: ProgramSpec | undefined;
  /** The names of resources in the last program, by slot. */
  readonly names: Map<number, string>;
  hasCreated: boolean;
  /** True if the last command was a successful `up` of the whole program. */
  isSettled: boolean;
  /** Places that others have changed since the stack looked. */
  readonly dirty: Set<Place>;
  /** Places of commands that died or failed, and those of a `Service`: their entries may stay. */
  readonly tainted: Set<Place>;
}

export function createSide(name: string): Side {
  return {
    stack: { name, resources: [] },
    program: [],
    spec: undefined,
    names: new Map(),
    hasCreated: false,
    isSettled: false,
    dirty: new Set(),
    tainted: new Set(),
  };
}

/** Notes the places whose entries may stay after a command, by the states before and after it. */
export function taint(side: Side, states: readonly StateResource[], isDone: boolean): void {
  const isWhole = isDone && !side.program.some(({ isNoTarget }) => isNoTarget);
  const resources = isWhole ? states.filter((resource) => !isAccess(resource)) : states;
  const lists = resources.flatMap(({ id, inputs, outputs }) => [
    { id, ...inputs },
    { id, ...outputs },
  ]);
  const wanted = isWhole ? [] : side.program.map((declared) => listsOf(side, declared));
  for (const each of [...lists, ...wanted]) for (const place of placesIn(each).keys()) side.tainted.add(place);
}

function listsOf({ stack }: Side, { args, serviceFrom = "" }: Declared) {
  return { ...args, serviceId: args.serviceId ?? args.existingServiceId ?? findByName(stack, serviceFrom)?.id };
}
