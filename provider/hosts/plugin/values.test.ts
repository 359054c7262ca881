import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Properties, UNKNOWN } from "../../fields";
import { decode, decodeMarked, encode } from "./values";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const special = (signature: string, members: object = {}) => ({
  [SIGNATURE]: signature,
  ...members,
});
const secret = (value: unknown) => special("1b47061264138c4ac30d75fd1eb44270", { value });
const struct = (properties: Properties) => Struct.fromJavaScript(properties as never);

/** The decoded values, and the places of their secrets. */
function read(properties: Properties) {
  const { marked, ...decoded } = decodeMarked(struct(properties));
  return { ...decoded, secrets: marked };
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
])("the marker %s is unknown at any place", (marker) => {
  expect(read({ a: marker, b: [{ c: marker }], d: secret(marker) })).toEqual({
    properties: { a: UNKNOWN, b: [{ c: UNKNOWN }], d: UNKNOWN },
    secrets: ["d"],
  });
  expect(readValue(`${marker}-`)).toBe(`${marker}-`);
});

test("plain values stay unchanged, and absent properties decode to an empty object", () => {
  const plain = {
    a: null,
    b: [1, [true], {}],
    c: { value: "v", secret: true, [`${SIGNATURE}-`]: "x" },
    d: "",
  };
  expect(read(plain)).toEqual({ properties: plain, secrets: [] });
  expect(decode(undefined)).toEqual({});
});

test("the places of secrets are their paths", () => {
  const value = [secret({ b: [secret("x")] }), { d: secret("y") }, 1, { f: { g: secret(null) } }];
  expect(read({ a: value })).toEqual({
    properties: { a: [{ b: ["x"] }, { d: "y" }, 1, { f: { g: null } }] },
    secrets: ["a[0]", "a[0].b[0]", "a[1].d", "a[3].f.g"],
  });
});

test.each([
  ["an asset", "c44067f5952c0a294b673a41bacd8c17"],
  ["an archive", "0def7320c3a5731c473e5ecbe6d01bc7"],
])("the property is refused with its path if it is %s", (_, signature) => {
  const sentence = (place: string) =>
    `${place} must not be an asset or an archive: pass the value itself. [CDB1012]`;
  expect(() => readValue(special(signature, { text: "x" }))).toThrow(sentence("a"));
  expect(() => readValue([{ b: 1 }, { c: secret(special(signature)) }])).toThrow(
    sentence("a[1].c"),
  );
});

test("an object with an unknown signature stays an object", () => {
  expect(readValue(special("5cf8f73096256a8f31e491e813e4eb8e", { urn: "u" }))).toMatchObject({
    urn: "u",
  });
});

const partly = { source: { kafka: { role: UNKNOWN, token: "t" }, other: UNKNOWN } };
test.each<[string, Properties, string[], Properties]>([
  [
    "secrets at their places",
    { a: 1, b: { c: "x", d: [{ e: true }] } },
    ["a", "b.c", "b.d"],
    { a: secret(1), b: { c: secret("x"), d: secret([{ e: true }]) } },
  ],
  ["no secret without a place", { a: 1, b: { c: "x" } }, [], { a: 1, b: { c: "x" } }],
  ["no secret where there is no value", { a: { b: 1 } }, ["a.c", "d", "a.b.e"], { a: { b: 1 } }],
  [
    "secrets that are false or empty, and none that is null",
    { a: null, b: false, c: "" },
    ["a", "b", "c"],
    { a: null, b: secret(false), c: secret("") },
  ],
  ["an unknown secret", { a: UNKNOWN }, ["a"], { a: secret(UNKNOWN) }],
  ["no secret inside of an unknown value", { a: UNKNOWN }, ["a.b", "a.b.c"], { a: UNKNOWN }],
  [
    "the secrets of a group of which other parts are unknown",
    partly,
    ["source.kafka.token", "source.other.token", "source.other.more.token"],
    { source: { kafka: { role: UNKNOWN, token: secret("t") }, other: UNKNOWN } },
  ],
])("an encoded value decodes to the same value: %s", (_, properties, places, expected) => {
  const encoded = encode(
    properties,
    places.map((place) => place.split(".")),
  );
  expect(encoded.toJavaScript()).toEqual(expected);
  expect(decode(encoded)).toEqual(properties);
});
