import fc from "fast-check";
import type { FaultEffect, Seed } from "../../simulator/index";
import example from "../../simulator/seeds/example.json";
import type { Properties } from "../contract/support";
import { MANNERS } from "../second-server/manners";
import type { Trouble } from "../support/network";

/** What can happen in a world: a story is data, so that it can be shrunk, printed, kept and told again. */

export const SLOTS = ["first", "second", "adopted", "size", "pipe", "organization"] as const;
export type Slot = (typeof SLOTS)[number];

/** What a program declares, by slot. */
export type Program = Readonly<Partial<Record<Slot, Properties>>>;

/** What a command meets on its way. */
export type Mishap =
  | { readonly effect: FaultEffect; readonly skipped: number; readonly times: number }
  | { readonly trouble: Trouble["kind"]; readonly skipped: number };

/** What others do behind the stack's back, to the service or pipe or organization of a slot. */
export interface Drift {
  readonly slot: Slot;
  readonly body: Properties;
}

export type Step =
  | { readonly up: Program; readonly mishap?: Mishap }
  | { readonly refresh: true; readonly mishap?: Mishap }
  | { readonly drift: Drift }
  /** From now on, the server answers in the manner of that name. */
  | { readonly manner: string };

export type Story = readonly Step[];

const [organization] = example.organizations;
const [analytics, other] = organization?.services ?? [];
export const ADOPTED = analytics?.id ?? "";
export const SIZED = other?.id ?? "";
export const PIPE = "b1b2c3d4-0004-4a53-9c1e-000000000004";

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

const some = <Value>(...values: Value[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const fields = (model: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Properties>;

const entries = fc.uniqueArray(
  fc.record({
    source: fc.constantFrom("203.0.113.0/24", "198.51.100.7", "2001:db8::/32"),
    description: fc.constantFrom("office", "build", ""),
  }),
  { maxLength: 3, selector: ({ source }) => source },
);
const endpoints = some("vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002");
const replicas = fc.constantFrom(2, 3, 4);
const named = (...names: string[]) => fc.constantFrom(...names);

const serviceFields = { ipAccessList: entries, privateEndpointIds: endpoints };
const scaling = { numReplicas: replicas, idleScaling: fc.boolean(), maxReplicaMemoryGb: fc.constantFrom(64, 120) };
const mappings = some("customers", "orders", "refunds").map((tables) =>
  tables.map((table) => ({ sourceSchemaName: "public", sourceTable: table, targetTable: table })),
);

/** Arguments by slot; those that never change are added when they are declared. */
const declared: Record<Slot, fc.Arbitrary<Properties>> = {
  first: fields({ ...serviceFields, ...scaling, name: named("first", "first renamed") }),
  second: fields({ ...serviceFields, numReplicas: replicas }),
  adopted: fields({ ...serviceFields, numReplicas: replicas, name: named("adopted", "adopted renamed") }),
  size: fields(scaling).map((args) => ({ ...args, serviceId: SIZED })),
  pipe: fields({
    name: named("orders", "all orders"),
    settings: fields({ streamingMaxInsertWaitMs: fc.constantFrom(1000, 5000) }),
    source: mappings.map((tableMappings) => ({ postgres: { tableMappings } })),
  }).map((args) => ({ ...args, serviceId: ADOPTED, pipeId: PIPE })),
  organization: fc
    .tuple(
      named("one", "two"),
      fields({
        privateEndpoints: some("vpce-8", "vpce-9").map((ids) => ids.map((id) => ({ id, description: `the ${id}` }))),
      }),
    )
    .map(([name, rest]) => ({ name, ...rest })),
};

const program = fc.record(declared, { requiredKeys: [] }) as fc.Arbitrary<Program>;

const status = (code: number, more: object = {}): FaultEffect => ({ kind: "status", status: code, ...more });
/** What gateways answer instead of the server. */
const gateways = Object.values(MANNERS).flatMap(({ instead }) => (instead ? [instead] : []));

const faults = fc.constantFrom<FaultEffect>(
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
  { weight: 4, arbitrary: faults },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...gateways).map(({ status: code, headers, body }) => status(code, { headers, body })),
  },
);
const skipped = fc.nat({ max: 6 });
const mishap = fc.oneof(
  fc.record({ effect, skipped, times: fc.constantFrom(1, 2, 1000) }),
  fc.record({ trouble: fc.constantFrom<Trouble["kind"]>("refused", "dies before", "dies after"), skipped }),
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

/** The simulator does not know an id in capitals again, nor does it keep what it understands otherwise. */
const manners = Object.entries(MANNERS).flatMap(([name, { shows, takes }]) =>
  shows && !takes && !shows.service?.id ? [name] : [],
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ up: program, mishap }, { requiredKeys: ["up"] }) as fc.Arbitrary<Step> },
  {
    weight: 2,
    arbitrary: fc.record({ refresh: fc.constant(true), mishap }, { requiredKeys: ["refresh"] }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.record({ drift }) },
  { weight: 1, arbitrary: fc.record({ manner: fc.constantFrom(...manners) }) },
);

export const story: fc.Arbitrary<Story> = fc.array(step, { minLength: 1, maxLength: 8 });
