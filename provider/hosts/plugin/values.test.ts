import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Properties, UNKNOWN } from "../../fields";
import { SECRETS } from "../../names";
import { pipe } from "../../resources/pipe/pipe";
import { decode, decodeArguments, encode } from "./values";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const special = (signature: string, members: object = {}) => ({ [SIGNATURE]: signature, ...members });
const secret = (value: unknown) => special("1b47061264138c4ac30d75fd1eb44270", { value });
const output = (members: object) => special("d0e6a833031e9bbcd3f4e8bde6ca49a4", members);
const struct = (properties: Properties) => Struct.fromJavaScript(properties as never);

/** The decoded values, and the places of their secrets. */
function read(properties: Properties) {
  const secrets: string[] = [];
  return { properties: decode(struct(properties), (path) => secrets.push(path)), secrets };
}
const readValue = (value: unknown) => read({ a: value }).properties.a;

test.each([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
])("%s is unknown wherever it stands", (marker) => {
  expect(read({ a: marker, b: [{ c: marker }], d: secret(marker), e: output({ value: { f: marker } }) })).toEqual({
    properties: { a: UNKNOWN, b: [{ c: UNKNOWN }], d: UNKNOWN, e: { f: UNKNOWN } },
    secrets: ["d"],
  });
  expect(readValue(`${marker}-`)).toBe(`${marker}-`);
});

test("plain values stay what they are, and nothing has none", () => {
  const plain = { a: null, b: [1, [true], {}], c: { value: "v", secret: true, [`${SIGNATURE}-`]: "x" }, d: "" };
  expect(read(plain)).toEqual({ properties: plain, secrets: [] });
  expect(decode(undefined)).toEqual({});
});

describe("an output value", () => {
  test("is its value, at any depth", () => {
    const value = { a: [output({ value: 1 })], b: secret(output({ value: "x" })) };
    expect(readValue(output({ value }))).toEqual({ a: [1], b: "x" });
    expect(readValue(output({ value: null }))).toBeNull();
  });

  test("is unknown without one", () => {
    expect(readValue(output({}))).toBe(UNKNOWN);
    expect(readValue([output({ secret: true, dependencies: ["urn"] })])).toEqual([UNKNOWN]);
  });

  test("is a secret only if it says so", () => {
    const args = {
      a: output({ value: 1, secret: true }),
      b: output({ value: 1, secret: false }),
      c: output({ value: 1 }),
    };
    expect(read(args).secrets).toEqual(["a"]);
    expect(read({ a: output({ secret: true }) }).secrets).toEqual(["a"]);
  });
});

test("secrets are their values, and their places are told", () => {
  const value = { a: secret({ b: [secret("x")] }), c: [{ d: secret("y") }, 1], e: { f: { g: secret(null) } } };
  expect(read(value)).toEqual({
    properties: { a: { b: ["x"] }, c: [{ d: "y" }, 1], e: { f: { g: null } } },
    secrets: ["a", "a.b[0]", "c[0].d", "e.f.g"],
  });
});

test.each([
  ["an asset", "c44067f5952c0a294b673a41bacd8c17"],
  ["an archive", "0def7320c3a5731c473e5ecbe6d01bc7"],
])("%s is refused with its place", (_, signature) => {
  const sentence = (place: string) => `${place} must not be an asset or an archive: pass the value itself. [CDB1012]`;
  expect(() => readValue(special(signature, { text: "x" }))).toThrow(sentence("a"));
  expect(() => readValue([{ b: 1 }, { c: secret(special(signature)) }])).toThrow(sentence("a[1].c"));
});

test("an object of another kind is an object", () => {
  expect(readValue(special("5cf8f73096256a8f31e491e813e4eb8e", { urn: "u" }))).toMatchObject({ urn: "u" });
});

test("arguments have the names of those that are marked", () => {
  const settings = { engineMaxThreads: secret(8), streamingMaxInsertWaitMs: 1 };
  const value = { name: "orders", settings, source: { kafka: { credentials: secret("x") } }, other: secret(1) };
  expect(decodeArguments(pipe, struct(value))).toEqual({
    name: "orders",
    settings: { engineMaxThreads: 8, streamingMaxInsertWaitMs: 1 },
    source: { kafka: { credentials: "x" } },
    other: 1,
    [SECRETS]: ["settings.engineMaxThreads"],
  });
  expect(decodeArguments(pipe, struct({ name: "orders" }))).toEqual({ name: "orders" });
  expect(decodeArguments(pipe, undefined)).toEqual({});
});

describe("what is written", () => {
  const written = (properties: Properties, ...paths: string[]) =>
    encode(
      properties,
      paths.map((path) => path.split(".")),
    ).toJavaScript();

  test("has secrets at their places, and none without", () => {
    const value = { a: 1, b: { c: "x", d: [{ e: true }] } };
    expect(written(value, "a", "b.c", "b.d")).toEqual({
      a: secret(1),
      b: { c: secret("x"), d: secret([{ e: true }]) },
    });
    expect(written(value)).toEqual(value);
    expect(encode({}).toJavaScript()).toEqual({});
  });

  test("has no secret where there is no value", () => {
    expect(written({ a: { b: 1 } }, "a.c", "d", "a.b.e")).toEqual({ a: { b: 1 } });
    expect(written({ a: null, b: false, c: "" }, "a", "b", "c")).toEqual({ a: null, b: secret(false), c: secret("") });
  });

  test("has an unknown secret, and nothing inside of what is unknown as a whole", () => {
    expect(written({ a: UNKNOWN }, "a")).toEqual({ a: secret(UNKNOWN) });
    expect(written({ a: UNKNOWN }, "a.b", "a.b.c")).toEqual({ a: UNKNOWN });
  });

  test("has the secrets of a group of which other parts are unknown", () => {
    const args = { source: { kafka: { role: UNKNOWN, token: "t" }, other: UNKNOWN } };
    expect(written(args, "source.kafka.token", "source.other.token", "source.other.more.token")).toEqual({
      source: { kafka: { role: UNKNOWN, token: secret("t") }, other: UNKNOWN },
    });
  });

  test("is read as what it was", () => {
    const value = { a: 1, b: { c: UNKNOWN, d: ["x", null] } };
    expect(decode(encode(value, [["a"], ["b", "c"], ["b", "d"]]))).toEqual(value);
  });
});
