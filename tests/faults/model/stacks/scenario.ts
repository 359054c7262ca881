import fc from "fast-check";
import type { Fault } from "./schedule";

/** Random histories of two stacks on shared services, as data that can be shrunk, printed, stored and run again. */

export const NETWORKS = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.16/28"] as const;
export const ENDPOINT_IDS = ["vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002"] as const;
export const NAMES = ["n0", "n1", "n2", "n3", "n4"] as const;
/** Services: two that are adopted, and one that the stack creates. */
export const SERVICES = 3;
const SLOTS = 3;

/** One ServiceAccess of a program. */
export interface SlotSpec {
  readonly name: number;
  readonly hasAlias: boolean;
  readonly service: number;
  readonly replace?: "create first" | "delete first" | undefined;
  readonly isInComponent: boolean;
  readonly ignoresChanges: boolean;
  readonly isNoTarget: boolean;
  /** Without entries, the resource stays in the program with an empty list, like a loop over no addresses. */
  readonly staysEmpty: boolean;
}

export interface ProgramSpec {
  readonly slots: readonly SlotSpec[];
  /** The slot, from 1 on, that declares each network of each service; for a Service with the list, any number but 0. */
  readonly owners: readonly (readonly number[])[];
  readonly endpointOwners: readonly (readonly number[])[];
  /** True for each service whose list belongs to the program's Service. */
  readonly isWhole: readonly boolean[];
  readonly hasWholeEndpoints: readonly boolean[];
  /** The form of the description of each network. */
  readonly texts: readonly number[];
  readonly order: readonly number[];
  readonly isChained: boolean;
  readonly hasCreated: boolean;
  readonly numReplicas: number;
}

export interface Edit {
  readonly kind: "add" | "remove" | "describe";
  readonly service: number;
  /** The number of a network; endpoints have the numbers after those of networks. */
  readonly entry: number;
}

export interface UpSpec {
  readonly program: ProgramSpec;
  /** True for the program of the previous `up`, without replacements and targets. */
  readonly isAgain: boolean;
  /** True for the same program, if the previous `up` has failed. */
  readonly isRetry: boolean;
  readonly seed: number;
  readonly parallel: number;
  readonly refresh: boolean;
  /** True if the refresh runs in a process of its own. */
  readonly hasTwoProcesses: boolean;
  readonly machine: number;
  readonly lags: boolean;
  readonly fault?: Fault | undefined;
  readonly diesAt?: number | undefined;
  readonly interruption?: { readonly at: number; readonly edit: Edit } | undefined;
}

/** An `up` of the same program, without disturbances. */
export const CALM: Omit<UpSpec, "program"> = {
  isAgain: true,
  isRetry: true,
  seed: 0,
  parallel: 1,
  refresh: false,
  hasTwoProcesses: false,
  machine: 0,
  lags: false,
};

export type StepSpec =
  | { readonly up: UpSpec }
  | { readonly twin: UpSpec }
  | { readonly preview: UpSpec }
  | { readonly refresh: Pick<UpSpec, "machine" | "seed"> }
  /** After a death, `pulumi import` of the service that exists. */
  | { readonly import: Pick<UpSpec, "machine"> }
  | { readonly edits: readonly Edit[] };

export interface History {
  readonly steps: readonly StepSpec[];
  /** True if the server adds before it removes. */
  readonly addsFirst: boolean;
}

const list = <Value>(item: fc.Arbitrary<Value>, length: number) =>
  fc.array(item, { minLength: length, maxLength: length });
/** True once in this number of times. */
const once = (times: number) => fc.nat(times - 1).map((number) => number === times - 1);
const seldom = <Value>(times: number, value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const slotSpec: fc.Arbitrary<SlotSpec> = fc.record({
  name: fc.constant(0),
  hasAlias: fc.boolean(),
  // The first service is drawn more often, so that several resources meet there.
  service: fc.constantFrom(0, 0, 0, 1, 2),
  replace: seldom(6, fc.constantFrom("create first", "delete first")),
  isInComponent: once(6),
  ignoresChanges: once(10),
  isNoTarget: fc.constant(false),
  staysEmpty: once(3),
});

const slots: fc.Arbitrary<readonly SlotSpec[]> = fc
  .tuple(list(slotSpec, SLOTS), fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: SLOTS, maxLength: SLOTS }), once(12))
  .map(([specs, names, hasTargets]) =>
    specs.map((spec, index) => ({ ...spec, name: names[index] ?? 0, isNoTarget: hasTargets && index > 0 })),
  );

const program: fc.Arbitrary<ProgramSpec> = fc.record({
  slots,
  owners: list(list(fc.nat(SLOTS), NETWORKS.length), SERVICES),
  endpointOwners: list(list(fc.nat(SLOTS), ENDPOINT_IDS.length), SERVICES),
  isWhole: list(once(5), SERVICES),
  hasWholeEndpoints: list(once(5), SERVICES),
  texts: list(fc.nat(3), NETWORKS.length),
  order: list(fc.nat(100), SLOTS + SERVICES),
  isChained: fc.boolean(),
  hasCreated: once(4),
  numReplicas: fc.constantFrom(2, 3),
});

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("add", "remove", "describe"),
  service: fc.nat(SERVICES - 1),
  entry: fc.nat(NETWORKS.length + ENDPOINT_IDS.length - 1),
});

const fault: fc.Arbitrary<Fault> = fc.record({
  ending: fc.constantFrom("refused", "unavailable", "lost before", "lost after"),
  method: fc.constantFrom("PATCH", "PATCH", "GET", "POST"),
  skipped: fc.nat(5),
  times: fc.constantFrom(1, 1, 2, 9),
});

const up: fc.Arbitrary<UpSpec> = fc.record({
  program,
  isAgain: once(5),
  isRetry: fc.boolean(),
  seed: fc.nat(1_000_000),
  parallel: fc.constantFrom(1, 2, 4, 4),
  refresh: fc.boolean(),
  hasTwoProcesses: once(4),
  machine: fc.nat(1),
  lags: once(4),
  fault: seldom(5, fault),
  diesAt: seldom(5, fc.integer({ min: 1, max: 30 })),
  interruption: seldom(6, fc.record({ at: fc.integer({ min: 1, max: 30 }), edit })),
});

const step: fc.Arbitrary<StepSpec> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ up }) },
  { weight: 1, arbitrary: fc.record({ twin: up }) },
  { weight: 1, arbitrary: fc.record({ preview: up }) },
  { weight: 1, arbitrary: fc.record({ refresh: up }) },
  { weight: 1, arbitrary: fc.record({ import: fc.record({ machine: fc.nat(1) }) }) },
  { weight: 1, arbitrary: fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }) },
);

export const history: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 7 }),
  addsFirst: once(3),
});
