import fc from "fast-check";
import type { FaultEffect } from "../../../simulator/index";
import type { Properties } from "../../support/adapters/handlers";
import type { Slot } from "./scenario";
import type { Fault } from "./schedule";

/**
 * Histories as data that can be shrunk, printed, stored and run again; and random ones of stacks
 * that share services.
 */

export const NETWORKS = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.16/28"] as const;
export const ENDPOINT_IDS = ["vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002"] as const;
export const NAMES = ["n0", "n1", "n2", "n3", "n4"] as const;
/** Services: two that are adopted, and one that the stack creates. */
export const SERVICES = 3;
const SLOTS = 3;

/** The values that an arbitrary draws. */
export type Drawn<Items> = Items extends fc.Arbitrary<infer Item> ? Item : never;

const list = <Value>(item: fc.Arbitrary<Value>, length: number) =>
  fc.array(item, { minLength: length, maxLength: length });
/** True once in this number of times. */
const once = (times: number) => fc.nat(times - 1).map((number) => number === times - 1);
export const seldom = <Value>(times: number, value: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: times - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );

/** One ServiceAccess of a program. */
export type SlotSpec = Partial<Drawn<typeof slotSpec>>;
const slotSpec = fc.record({
  name: fc.constant<number>(0),
  hasAlias: fc.boolean(),
  // The first service is drawn more often, so that several resources meet there.
  service: fc.constantFrom<number>(0, 0, 0, 1, 2),
  replace: seldom(6, fc.constantFrom("create first", "delete first")),
  isInComponent: once(6),
  ignoresChanges: once(10),
  isNoTarget: fc.constant<boolean>(false),
  /**
   * Without entries, the resource stays in the program with an empty list, like a loop over no
   * addresses.
   */
  staysEmpty: once(3),
});

const slotSpecs = fc
  .tuple(
    list(slotSpec, SLOTS),
    fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: SLOTS, maxLength: SLOTS }),
    once(12),
  )
  .map(([specs, names, hasTargets]) =>
    specs.map((spec, index) => ({
      ...spec,
      name: names[index] ?? 0,
      isNoTarget: hasTargets && index > 0,
    })),
  );

export type ProgramSpec = Partial<Omit<Drawn<typeof program>, "slots">> & {
  readonly slots?: readonly SlotSpec[];
};
const program = fc.record({
  slots: slotSpecs,
  /**
   * The slot, from 1 on, that declares each network of each service; for a Service with the list,
   * any number but 0.
   */
  owners: list(list(fc.nat(SLOTS), NETWORKS.length), SERVICES),
  endpointOwners: list(list(fc.nat(SLOTS), ENDPOINT_IDS.length), SERVICES),
  /** True for each service whose list belongs to the program's Service. */
  isWhole: list(once(5), SERVICES),
  hasWholeEndpoints: list(once(5), SERVICES),
  /** The form of the description of each network. */
  texts: list(fc.nat(3), NETWORKS.length),
  order: list(fc.nat(100), SLOTS + SERVICES),
  isChained: fc.boolean(),
  hasCreated: once(4),
  numReplicas: fc.constantFrom(2, 3),
});

export type Slotted = SlotSpec & Required<Pick<SlotSpec, "name" | "service">>;

/** The slots of a program, by default three of the first service. */
export function slotsOf({ slots = [{}, {}, {}] }: ProgramSpec): Slotted[] {
  return slots.map((slot, name) => ({ name, service: 0, ...slot }));
}

/** The arguments of a program's resources, by slot; others stay as they are. */
export type Resources = Readonly<Partial<Record<Slot, Properties>>>;

/** A program of stacks that share services, or one with a resource of any type. */
export type Spec = ProgramSpec | { readonly resources: Resources };

export type Edit = Drawn<typeof edit>;
const edit = fc.record({
  kind: fc.constantFrom("add", "remove", "describe"),
  service: fc.nat(SERVICES - 1),
  /** The number of a network; endpoints have the numbers after those of networks. */
  entry: fc.nat(NETWORKS.length + ENDPOINT_IDS.length - 1),
});

const fault: fc.Arbitrary<Fault> = fc.record({
  ending: fc.constantFrom<FaultEffect>(
    { kind: "status", status: 400 },
    { kind: "status", status: 500 },
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
  ),
  method: fc.constantFrom("PATCH", "PATCH", "GET", "POST"),
  skipped: fc.nat(5),
  times: fc.constantFrom(1, 1, 2, 9),
});

/** The number of an event. */
export const moment = fc.integer({ min: 1, max: 30 });

/** An `up`; without disturbances, if nothing but the program is given. */
export type UpSpec = Partial<Omit<Drawn<typeof up>, "program">> & {
  readonly program: Spec;
  /** True for `--continue-on-error`. */
  readonly continuesOnError?: boolean;
};
const up = fc.record({
  program,
  /** True for the program of the previous `up`, without replacements and targets. */
  isAgain: once(5),
  /** True for the same program, if the previous `up` has failed. */
  isRetry: fc.boolean(),
  seed: fc.nat(1_000_000),
  parallel: fc.constantFrom(1, 2, 4, 4),
  refresh: fc.boolean(),
  /** True if the refresh runs in a process of its own. */
  hasTwoProcesses: once(4),
  machine: fc.nat(1),
  lags: once(4),
  fault: seldom(5, fault),
  diesAt: seldom(5, moment),
  interruption: seldom(6, fc.record({ at: moment, edit })),
});

export type StepSpec =
  | { readonly up: UpSpec }
  | { readonly twin: UpSpec }
  | { readonly preview: UpSpec }
  | { readonly refresh: Pick<UpSpec, "machine" | "seed"> }
  /** After a death, `pulumi import` of the service that exists. */
  | { readonly import: Pick<UpSpec, "machine"> }
  | { readonly edits: readonly Edit[] }
  /** A change by others of the object of a slot. */
  | { readonly drift: { readonly slot: Slot; readonly body: Properties } }
  /** Makes the server behave like the variant of that name from now on. */
  | { readonly variant: string };

export interface History {
  readonly steps: readonly StepSpec[];
  /** True if the server adds before it removes. */
  readonly addsFirst: boolean;
}

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
