import fc from "fast-check";
import type { resources } from "../../../provider/resources";
import type { FaultEffect, Seed } from "../../../simulator/index";
import example from "../../../simulator/seeds/example.json";
import type { Properties } from "../../support/adapters/handlers";
import { EXAMPLE } from "../../support/example";
import type { NetworkFault } from "../../support/network";
import { SERVER_VARIANTS } from "../../support/variants/variants";

/** Scenarios of a stack, as data that can be shrunk, printed, stored and run again. */

/** The declarations of a program, by slot. */
export type Program = Readonly<Partial<Record<Slot, Properties>>>;

/** A fault during a command. */
export type Fault =
  | { readonly effect: FaultEffect; readonly skipped: number; readonly times: number }
  | { readonly networkFault: NetworkFault["kind"]; readonly skipped: number }
  /** The engine dies before it writes the result of one resource. */
  | { readonly engineDies: true; readonly skipped: number };

/** A change made outside the stack, to the object of a slot. */
export interface Drift {
  readonly slot: Slot;
  readonly body: Properties;
}

export type Step =
  | { readonly up: Program; readonly fault?: Fault }
  | { readonly refresh: true; readonly fault?: Fault }
  | { readonly drift: Drift }
  /** Makes the server behave like the variant of that name in all later commands. */
  | { readonly variant: string };

export type Scenario = readonly Step[];

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

const someOf = <Value>(...values: Value[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
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
const scaling = { numReplicas: replicas, idleScaling: fc.boolean(), maxReplicaMemoryGb: fc.constantFrom(64, 120) };
const mappings = someOf("customers", "orders", "refunds").map((tables) =>
  tables.map((table) => ({ sourceSchemaName: "public", sourceTable: table, targetTable: table })),
);

/** A resource of a program. Arguments that never change are added to these. */
const slot = (type: keyof typeof resources, args: fc.Arbitrary<Properties>) => ({ type, args });

/** The resources of a program. */
export const slots = {
  first: slot("Service", optional({ ...serviceFields, ...scaling, name: named("first", "first renamed") })),
  second: slot("Service", optional({ ...serviceFields, numReplicas: replicas })),
  adopted: slot(
    "Service",
    optional({ ...serviceFields, numReplicas: replicas, name: named("adopted", "adopted renamed") }),
  ),
  size: slot(
    "ServiceScaling",
    optional(scaling).map((args) => ({ ...args, serviceId: SCALED })),
  ),
  access: slot(
    "ServiceAccess",
    fc
      // An entry that others add with the same source and description would count as the resource's own.
      .tuple(entriesFrom(1, "our office"), optional({ privateEndpointIds: endpoints }))
      .map(([ipAccessList, rest]) => ({ ...rest, ipAccessList, serviceId: SCALED })),
  ),
  pipe: slot(
    "Pipe",
    optional({
      name: named("orders", "all orders"),
      settings: optional({ streamingMaxInsertWaitMs: fc.constantFrom(1000, 5000) }),
      source: mappings.map((tableMappings) => ({ postgres: { tableMappings } })),
    }).map((args) => ({ ...args, serviceId: ADOPTED, pipeId: PIPE })),
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

const program = fc.record(Object.fromEntries(Object.entries(slots).map(([name, { args }]) => [name, args])), {
  requiredKeys: [],
}) as fc.Arbitrary<Program>;

const status = (code: number, more: object = {}): FaultEffect => ({ kind: "status", status: code, ...more });
/** Responses that gateways send instead of the server. */
const gatewayResponses = Object.values(SERVER_VARIANTS).flatMap(({ gateway }) => (gateway ? [gateway] : []));

const faultEffects = fc.constantFrom<FaultEffect>(
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
);
const effect = fc.oneof(
  { weight: 4, arbitrary: faultEffects },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...gatewayResponses)
      .map(({ status: code, headers, body }) => status(code, { headers, body })),
  },
);
const skipped = fc.nat({ max: 6 });
const fault = fc.oneof(
  fc.record({ effect, skipped, times: fc.constantFrom(1, 2, 1000) }),
  fc.record({
    networkFault: fc.constantFrom<NetworkFault["kind"]>("refused", "crashes before", "crashes after"),
    skipped,
  }),
  fc.record({ engineDies: fc.constant(true as const), skipped: fc.nat({ max: 3 }) }),
);

const drift = fc.oneof(
  fc.record({
    slot: fc.constantFrom<Slot>("first", "second", "adopted"),
    body: fc.oneof(
      fc.constant({ name: "changed by hand" }),
      entries.map((add) => ({ ipAccessList: { add } })),
      entries.map((remove) => ({ ipAccessList: { remove } })),
    ),
  }),
  fc.record({ slot: fc.constant<Slot>("size"), body: replicas.map((numReplicas) => ({ numReplicas })) }),
);

/** The variants that the simulator can imitate: not ids in capitals, nor requests that are read differently. */
const variants = Object.entries(SERVER_VARIANTS).flatMap(([name, { responses, requests }]) =>
  responses && !requests && !responses.service?.id ? [name] : [],
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ up: program, fault }, { requiredKeys: ["up"] }) as fc.Arbitrary<Step> },
  {
    weight: 2,
    arbitrary: fc.record({ refresh: fc.constant(true), fault }, { requiredKeys: ["refresh"] }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.record({ drift }) },
  { weight: 1, arbitrary: fc.record({ variant: fc.constantFrom(...variants) }) },
);

export const scenario: fc.Arbitrary<Scenario> = fc.array(step, { minLength: 1, maxLength: 8 });
