import type { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import fc from "fast-check";
import schema from "../../../provider/schema.json";
import { member } from "../../contract/plugin/wire";
import { secret, UNKNOWN } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { CANARY, texts } from "./fuzz";

/** Random requests of the plugin's protocol, as bytes: no other encoder would send all of these values. */

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const SIGNATURES = ["1b47061264138c4ac30d75fd1eb44270", OUTPUT, ASSET, ARCHIVE, RESOURCE, "other"];

/** A value that is too deep or too large to be data. */
class Repeated {
  constructor(
    readonly how: "deep list" | "deep object" | "long list" | "long object",
    readonly times: number,
    readonly value: unknown,
  ) {}
  toString() {
    return `${this.times} times ${this.how} of ${fc.stringify(this.value)}`;
  }
}
/** Bytes that are no text. */
class Broken {
  toString() {
    return "broken text";
  }
}

const markers = fc.constantFrom(
  UNKNOWN,
  ...["1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "da295ad6-3a4a-4b8c-9c1b-6ad8b6d5c1ab"],
);
const scalars = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.integer(),
  texts,
  markers,
  fc.constant(new Broken()),
  fc.constantFrom(...Object.values(EXAMPLE.pipes), EXAMPLE.service, "203.0.113.0/24", "0.0.0.0/0"),
);
const names = fc.oneof(
  { weight: 1, arbitrary: texts },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "value",
      "secret",
      SIGNATURE,
      "source",
      "id",
      "urn",
      "dependencies",
      "__secrets",
      "__declared",
      "__provider",
      "__uncertain",
    ),
  },
);

const deep = fc.record({
  how: fc.constantFrom("deep list", "deep object" as const),
  times: fc.nat(3000),
  value: scalars,
});

const { any } = fc.letrec<{ any: unknown }>((tie) => {
  const inner = tie("any");
  return {
    any: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 10, arbitrary: scalars },
      { weight: 4, arbitrary: fc.array(inner, { maxLength: 4 }) },
      { weight: 4, arbitrary: fc.dictionary(names, inner, { maxKeys: 4 }) },
      { weight: 6, arbitrary: signed(inner) },
      // One takes as long as many others.
      { weight: 1, arbitrary: deep.map(repeated) },
    ),
  };
});

/** What Pulumi marks: secrets, outputs, assets, archives and references, complete and not. */
function signed(inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const members = {
    value: inner,
    secret: fc.oneof(fc.boolean(), inner),
    dependencies: inner,
    urn: texts,
    text: texts,
    assets: inner,
    path: texts,
  };
  return fc.oneof(
    fc.constant(secret(CANARY)),
    fc.constant({ [SIGNATURE]: OUTPUT, secret: true, value: CANARY }),
    inner.map((value) => secret([CANARY, value])),
    // Not as a name: those of members are shown, as those of arguments.
    inner.map((value) => secret({ other: value, value: CANARY })),
    fc
      .tuple(fc.constantFrom(...SIGNATURES), fc.record(members, { requiredKeys: [] }))
      .map(([signature, value]) => ({ [SIGNATURE]: signature, ...value })),
    inner.map((signature) => ({ [SIGNATURE]: signature })),
  );
}

function repeated({ how, times, value }: { how: Repeated["how"]; times: number; value: unknown }): Repeated {
  return new Repeated(how, times, value);
}

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly oneOf?: readonly Property[];
  readonly items?: Property;
  readonly additionalProperties?: Property;
}
interface ObjectType {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly enum?: readonly { readonly value: string }[];
}
const types = schema.types as unknown as Readonly<Record<string, ObjectType>>;

/** Values of an argument, mostly of its type. */
function valuesOf(property: Property, depth = 0): fc.Arbitrary<unknown> {
  const wrong = { weight: 1, arbitrary: any };
  const right = { weight: 6, arbitrary: rightValuesOf(property, depth) };
  const marked = { weight: 1, arbitrary: right.arbitrary.map(secret) };
  return fc.oneof(right, wrong, marked);
}

function rightValuesOf(
  { type, $ref, oneOf, items, additionalProperties }: Property,
  depth: number,
): fc.Arbitrary<unknown> {
  const referred = $ref === undefined ? undefined : types[$ref.replace("#/types/", "")];
  if (oneOf !== undefined) return fc.oneof(...oneOf.map((one) => rightValuesOf(one, depth)));
  if (referred?.enum) return fc.constantFrom(...referred.enum.map(({ value }) => value));
  if (referred) return objectsOf(referred.properties ?? {}, depth + 1);
  if (items) {
    const entries = valuesOf(items, depth + 1);
    // A huge one takes as long as thousands of others.
    const long = entries.chain((value) => fc.nat(100_000).map((times) => new Repeated("long list", times, value)));
    return fc.oneof({ weight: 300, arbitrary: fc.array(entries, { maxLength: 4 }) }, { weight: 1, arbitrary: long });
  }
  if (additionalProperties) return fc.dictionary(texts, valuesOf(additionalProperties, depth + 1), { maxKeys: 3 });
  if (type === "boolean") return fc.boolean();
  if (type === "integer" || type === "number") return fc.oneof(fc.integer({ min: 0, max: 130 }), fc.double());
  if (type === "object") return fc.dictionary(texts, any, { maxKeys: 3 });
  return fc.oneof(texts, fc.constantFrom(EXAMPLE.service, EXAMPLE.pipes.kafka, "203.0.113.7", "2001:db8::/32"));
}

function objectsOf(properties: Properties, depth = 0): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valuesOf(property, depth)]),
  );
  const others = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(names, any, { maxKeys: 2 }) },
  );
  const both = fc.tuple(fc.record(known, { requiredKeys: [] }), others).map(([own, other]) => ({ ...own, ...other }));
  const huge = fc.nat(100_000).map((times) => new Repeated("long object", times, "x"));
  return fc.oneof({ weight: 500, arbitrary: both }, { weight: 1, arbitrary: huge });
}

/** The numbers of the members, by method. */
const METHODS = {
  check: { urn: 1, olds: 2, news: 3 },
  diff: { id: 1, urn: 2, olds: 3, news: 4 },
  create: { urn: 1, news: 2, preview: 4 },
  update: { id: 1, urn: 2, olds: 3, news: 4, preview: 7 },
  read: { id: 1, urn: 2, olds: 3, news: 4 },
  invoke: { urn: 1, news: 2 },
  checkConfig: { urn: 1, olds: 2, news: 3 },
  diffConfig: { id: 1, urn: 2, olds: 3, news: 4, oldInputs: 6 },
  configure: { news: 2, urn: 8 },
} as const satisfies Partial<Record<keyof typeof ResourceProviderService, Readonly<Record<string, number>>>>;

type Method = keyof typeof METHODS;

export interface PluginRequest {
  readonly method: Method;
  readonly members: Readonly<Record<string, unknown>>;
  /** Bytes of the message that differ. */
  readonly broken: readonly (readonly [at: number, byte: number])[];
}

interface Subject {
  readonly methods: readonly Method[];
  readonly token: string;
  readonly args: fc.Arbitrary<unknown>;
  readonly state: fc.Arbitrary<unknown>;
}

type Properties = Readonly<Record<string, Property>>;

/** What a state has besides arguments and outputs. */
const strings = { type: "array", items: { type: "string" } };
const STATE: Properties = {
  __declared: strings,
  __secrets: strings,
  __provider: { type: "string" },
  __uncertain: strings,
};

const resources = Object.entries(schema.resources).map(([token, resource]): Subject => {
  const [args, outputs] = [resource.inputProperties as Properties, resource.properties as Properties];
  const state = objectsOf({ ...STATE, ...outputs, ...args });
  return { methods: ["check", "diff", "create", "update", "read"], token, args: objectsOf(args), state };
});
const functions = Object.entries(schema.functions).map(([token, definition]): Subject => {
  const { inputs } = definition as { readonly inputs?: ObjectType };
  return { methods: ["invoke"], token, args: objectsOf(inputs?.properties ?? {}), state: any };
});
const settings = objectsOf(schema.provider.inputProperties as Properties);
const provider: Subject = {
  methods: ["checkConfig", "diffConfig", "configure"],
  token: "pulumi:providers:clouddb",
  args: settings,
  state: settings,
};

const { service, pipes } = EXAMPLE;
const ids = fc.oneof(texts, fc.constantFrom(service, `${service}/${pipes.kafka}`, `${service}/203.0.113.0/24`, "/"));
const urnsOf = (token: string) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom("a", "b", "c").map((name) => `urn:pulumi:dev::test::${token}::${name}`) },
    { weight: 1, arbitrary: texts.map((text) => `urn:pulumi:dev::test::${token}${text}::${text}`) },
    { weight: 1, arbitrary: texts },
  );

/** Requests about a resource, a function or the provider. */
export const pluginRequests: fc.Arbitrary<PluginRequest> = fc.oneof(
  { withCrossShrink: true },
  ...[...resources, ...functions, provider].map(({ methods, token, args, state }) => {
    const urn = methods[0] === "invoke" ? fc.oneof({ weight: 9, arbitrary: fc.constant(token) }, texts) : urnsOf(token);
    const members = { urn, id: ids, olds: state, news: args, oldInputs: args, preview: fc.constant(true) };
    const bytes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
    return fc.record({
      method: fc.constantFrom(...methods),
      // Without it, a creation or an update would be none of a preview.
      members: fc.record(members, { requiredKeys: ["preview"] }),
      broken: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: bytes }),
    });
  }),
);

export function bytesOf({ method, members, broken }: PluginRequest): Buffer {
  const numbers: Readonly<Record<string, number>> = METHODS[method];
  const parts = Object.entries(numbers).flatMap(([name, number]) => {
    const value = members[name];
    if (value === undefined) return [];
    if (value === true) return Buffer.from([number << 3, 1]);
    return member(number, typeof value === "string" ? Buffer.from(value) : structOf(value));
  });
  const bytes = Buffer.concat(parts);
  // Only of a request that changes nothing, whatever its bytes are.
  if (method !== "create" && method !== "update")
    for (const [at, byte] of broken) if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes;
}

/** A struct; of another value an empty one. */
function structOf(value: unknown): Buffer {
  if (value instanceof Repeated && value.how === "long object") {
    const entry = valueBytes(value.value);
    return Buffer.concat(Array.from({ length: value.times }, (_, index) => entryBytes(`k${index}`, entry)));
  }
  if (typeof value !== "object" || value === null || value instanceof Repeated) return Buffer.alloc(0);
  return Buffer.concat(Object.entries(value).map(([name, inner]) => entryBytes(name, valueBytes(inner))));
}

function entryBytes(name: string, value: Buffer): Buffer {
  return member(1, Buffer.concat([member(1, Buffer.from(name)), member(2, value)]));
}

function valueBytes(value: unknown): Buffer {
  if (typeof value === "number") {
    const bytes = Buffer.from([0x11, ...Array(8).fill(0)]);
    bytes.writeDoubleLE(value, 1);
    return bytes;
  }
  if (typeof value === "string") return member(3, Buffer.from(value));
  if (typeof value === "boolean") return Buffer.from([0x20, Number(value)]);
  if (value instanceof Broken) return member(3, Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]));
  if (Array.isArray(value)) return member(6, Buffer.concat(value.map((entry) => member(1, valueBytes(entry)))));
  if (value instanceof Repeated && value.how !== "long object") return repeatedBytes(value);
  if (typeof value === "object" && value !== null) return member(5, structOf(value));
  return Buffer.from([0x08, 0]);
}

function repeatedBytes({ how, times, value }: Repeated): Buffer {
  let bytes = valueBytes(value);
  if (how === "long list") return member(6, Buffer.concat(Array(times).fill(member(1, bytes))));
  for (let level = 0; level < times; level += 1)
    bytes = how === "deep list" ? member(6, member(1, bytes)) : member(5, entryBytes("a", bytes));
  return bytes;
}
