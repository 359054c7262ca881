import { CALM, type History, type ProgramSpec, type SlotSpec, type StepSpec, type UpSpec } from "./scenario";

/** Histories that once failed, in a release or in a change to one. */

const NOTHING: readonly (readonly number[])[] = [[], [], []];

function slot(name: number, more: Partial<SlotSpec> = {}): SlotSpec {
  const none = { hasAlias: false, isInComponent: false, ignoresChanges: false, isNoTarget: false, staysEmpty: false };
  return { name, service: 0, ...none, ...more };
}

/** Three resources `n0`, `n1` and `n2` of the first service, which has the networks of `owners`. */
function program(owners: readonly number[], more: Partial<ProgramSpec> = {}): ProgramSpec {
  return {
    slots: [slot(0), slot(1), slot(2)],
    owners: [owners, [], []],
    endpointOwners: NOTHING,
    isWhole: [],
    hasWholeEndpoints: [],
    texts: [],
    order: [0],
    isChained: false,
    hasCreated: false,
    numReplicas: 2,
    ...more,
  };
}

const spec = (of: ProgramSpec, more: Partial<UpSpec>) => ({
  ...CALM,
  isAgain: false,
  isRetry: false,
  program: of,
  ...more,
});
const up = (of: ProgramSpec, more: Partial<UpSpec> = {}): StepSpec => ({ up: spec(of, more) });
const twin = (of: ProgramSpec): StepSpec => ({ twin: spec(of, {}) });
const preview = (of: ProgramSpec, more: Partial<UpSpec> = {}): StepSpec => ({ preview: spec(of, more) });

const loop = program([1, 2, 3]);
const renamed = { slots: [slot(3), slot(1), slot(2)] };
const inServiceList = { isWhole: [true] };

const histories: Readonly<Record<string, readonly StepSpec[]>> = {
  "a loop by index whose first address leaves": [up(loop), up(program([0, 1, 2]))],
  "a loop by index, with the steps in another order": [up(loop), up(program([0, 1, 2]), { seed: 5, parallel: 4 })],
  "a rename without an alias": [up(loop), up(program([1, 2, 3], renamed))],
  "entries that move into the list of the Service": [up(loop), up(program([1, 2, 3], inServiceList))],
  "entries that move out of the list of the Service": [up(program([1, 2, 3], inServiceList)), up(loop)],
  "an entry of another stack in a list that a Service gives up": [
    up(program([1], inServiceList)),
    twin(program([0, 1])),
    up(program([0, 1]), { refresh: true }),
  ],
  "an entry of others that no read has shown when a Service begins to declare the list": [
    up(program([])),
    { edits: [{ kind: "add", service: 0, entry: 0 }] },
    up(program([0, 1], inServiceList)),
  ],
  "a preview in which a resource moves to a service that is not created yet": [
    up(program([0, 1])),
    preview(
      program([0, 2], { slots: [slot(0, { service: 2 }), slot(1)], owners: [[0, 2], [], [0, 1]], hasCreated: true }),
    ),
  ],
  "a preview with a refresh after a death and an import": [
    up(program([], { hasCreated: true }), { diesAt: 12 }),
    { import: { machine: 0 } },
    preview(program([], { hasCreated: true }), { refresh: true, hasTwoProcesses: true }),
  ],
};

export const regressions: Readonly<Record<string, History>> = Object.fromEntries(
  Object.entries(histories).flatMap(([name, steps]) => [
    [name, { steps, addsFirst: false }],
    [`${name}; the server adds first`, { steps, addsFirst: true }],
  ]),
);
