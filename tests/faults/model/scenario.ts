import fc from "fast-check";
import type { FaultEffect, Seed } from "../../../simulator/index";
import example from "../../../simulator/seeds/example.json";
import type { Properties, ResourceType } from "../../support/adapters/handlers";
import { EXAMPLE, table } from "../../support/example";
import { SERVER_VARIANTS } from "../../support/variants/variants";
import { status } from "../expectation";
import { type History, moment, type Resources, type StepSpec, seldom } from "./history";
import type { Fault } from "./schedule";

/**
 * Random histories of one stack with a resource of every type, on servers that fail in every way.
 */

const [organization] = example.organizations;
const [analytics, other] = organization?.services ?? [];
export const ADOPTED = EXAMPLE.service;
export const SCALED = EXAMPLE.otherService;
export const PIPE = EXAMPLE.pipes.postgres;

export const seed = {
  organizations: [
    {
      ...organization,
      services: [
        { ...analytics, pipes: analytics?.pipes?.filter(({ id }) => id === PIPE) },
        { ...other, pipes: [] },
      ],
    },
  ],
} as unknown as Seed;

const someOf = <Value>(...values: Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const optional = (model: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Properties>;

const entriesFrom = (minLength: number, office = "office") =>
  fc.uniqueArray(
    fc.record({
      source: fc.constantFrom("203.0.113.0/24", "198.51.100.7", "2001:db8::/32"),
      description: fc.constantFrom(office, "build", ""),
    }),
    { minLength, maxLength: 3, selector: ({ source }) => source },
  );
const entries = entriesFrom(0);
const endpoints = someOf("vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002");
const replicas = fc.constantFrom(2, 3, 4);
const named = (...names: string[]) => fc.constantFrom(...names);

const serviceFields = { ipAccessList: entries, privateEndpointIds: endpoints };
const scaling = {
  numReplicas: replicas,
  idleScaling: fc.boolean(),
  maxReplicaMemoryGb: fc.constantFrom(64, 120),
};
const mappings = someOf("customers", "orders", "refunds").map((tables) =>
  tables.map((name) => table(name)),
);

/** A resource of a program, its arguments, and those that it always declares. */
const slot = (type: ResourceType, args: fc.Arbitrary<Properties>, always: Properties = {}) => ({
  type,
  args,
  always,
});

/** The resources of a program. */
export const slots = {
  first: slot(
    "Service",
    optional({ ...serviceFields, ...scaling, name: named("first", "first renamed") }),
  ),
  second: slot("Service", optional({ ...serviceFields, numReplicas: replicas }), {
    name: "second",
  }),
  adopted: slot(
    "Service",
    optional({
      ...serviceFields,
      numReplicas: replicas,
      name: named("adopted", "adopted renamed"),
    }),
    { existingServiceId: ADOPTED },
  ),
  size: slot("ServiceScaling", optional(scaling), { serviceId: SCALED }),
  access: slot(
    "ServiceAccess",
    // An entry that others add with the same source and description would count as the resource's
    // own.
    fc
      .tuple(entriesFrom(1, "our office"), optional({ privateEndpointIds: endpoints }))
      .map(([ipAccessList, rest]) => ({ ...rest, ipAccessList })),
    { serviceId: SCALED },
  ),
  pipe: slot(
    "Pipe",
    optional({
      name: named("orders", "all orders"),
      settings: optional({ streamingMaxInsertWaitMs: fc.constantFrom(1000, 5000) }),
      source: mappings.map((tableMappings) => ({ postgres: { tableMappings } })),
    }),
    { serviceId: ADOPTED, pipeId: PIPE },
  ),
  organization: slot(
    "Organization",
    fc
      .tuple(
        named("one", "two"),
        optional({
          privateEndpoints: someOf("vpce-8", "vpce-9").map((ids) =>
            ids.map((id) => ({ id, description: `the ${id}` })),
          ),
        }),
      )
      .map(([name, rest]) => ({ name, ...rest })),
  ),
};

export type Slot = keyof typeof slots;

const program = optional(
  Object.fromEntries(Object.entries(slots).map(([name, { args }]) => [name, args])),
) as fc.Arbitrary<Resources>;

/** Responses that gateways send instead of the server. */
const gatewayResponses = Object.values(SERVER_VARIANTS).flatMap(({ gateway }) =>
  gateway ? [gateway.effect] : [],
);

const effects: readonly FaultEffect[] = [
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
  { kind: "truncated" },
  { kind: "malformed" },
  { kind: "answer", result: null },
  { kind: "addFirst" },
  { kind: "normalised" },
  status(408),
  status(429, { headers: { "retry-after": "30" } }),
  status(429),
  status(500),
  status(502, { body: "<html>Bad gateway</html>" }),
  status(504, { when: "after" }),
  status(400),
  status(403),
  status(409),
];
const fault: fc.Arbitrary<Fault> = fc.record({
  ending: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...effects) },
    { weight: 2, arbitrary: fc.constantFrom(...gatewayResponses) },
    { weight: 8, arbitrary: fc.constantFrom("refused", "crash before", "crash after") },
  ),
  skipped: fc.nat(6),
  times: fc.constantFrom(1, 2, 1000),
});

const drift = fc.oneof(
  fc.record({
    slot: fc.constantFrom<Slot>("first", "second", "adopted"),
    body: fc.oneof(
      fc.constant({ name: "changed by hand" }),
      entries.map((add) => ({ ipAccessList: { add } })),
      entries.map((remove) => ({ ipAccessList: { remove } })),
    ),
  }),
  fc.record({
    slot: fc.constant<Slot>("size"),
    body: replicas.map((numReplicas) => ({ numReplicas })),
  }),
);

/**
 * The variants that the simulator can imitate: not ids in capitals, nor requests that are read
 * differently.
 */
const variants = Object.entries(SERVER_VARIANTS).flatMap(([name, { responses, requests }]) =>
  responses && !requests && !responses.service?.id ? [name] : [],
);

const up = fc.record({
  program: program.map((resources) => ({ resources })),
  seed: fc.oneof(fc.constant(0), fc.nat(1_000_000)),
  parallel: fc.constantFrom(1, 4),
  refresh: fc.nat(3).map((number) => number === 3),
  continuesOnError: fc.nat(3).map((number) => number > 0),
  fault: seldom(2, fault),
  diesAt: seldom(6, moment),
});

const step: fc.Arbitrary<StepSpec> = fc.oneof(
  { weight: 7, arbitrary: fc.record({ up }) },
  { weight: 1, arbitrary: fc.constant({ refresh: {} }) },
  { weight: 1, arbitrary: fc.record({ drift }) },
  { weight: 1, arbitrary: fc.record({ variant: fc.constantFrom(...variants) }) },
);

export const scenario: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  addsFirst: fc.constant(false),
});
