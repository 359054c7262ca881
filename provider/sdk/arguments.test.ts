import * as pulumi from "@pulumi/pulumi";
import { markSecret, secretPlaces } from "./arguments";
import { classTables } from "./generated/tables";

beforeAll(() =>
  pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) }),
);

/** The arguments of a Pipe with their secrets marked. */
const marked = (args: Record<string, unknown>) =>
  classTables.Pipe.secretPaths.reduce(markSecret, args);
const later = <Value>(value: Value) =>
  new Promise<Value>((resolve) => setImmediate(resolve, value));

test.each<[string, object, string[] | undefined]>([
  ["none among plain values", { name: "db", list: [{ source: "::1" }], nothing: null }, undefined],
  [
    "none among Outputs and Promises without one",
    { a: pulumi.output("a"), b: [later({ c: "d" })] },
    [],
  ],
  [
    "one in what an Output returns",
    { source: pulumi.output(1).apply(() => ({ kafka: { iamRole: pulumi.secret("r") } })) },
    ["source.kafka.iamRole"],
  ],
  ["a member", { name: pulumi.secret("db"), region: pulumi.output("us-east-1") }, ["name"]],
  [
    "a member of groups",
    { source: { kafka: { iamRole: pulumi.secret("r") }, x: 1 } },
    ["source.kafka.iamRole"],
  ],
  ["an entry of a list", { list: [{ a: "b" }, { a: pulumi.secret("c") }] }, ["list[].a"]],
  ["a Promise of an Output", { name: later(pulumi.secret("db")) }, ["name"]],
  [
    "a Promise of a group around one",
    { source: later({ a: later(pulumi.secret("b")) }) },
    ["source.a"],
  ],
  [
    "an Output of a group around one",
    { source: pulumi.output({ a: pulumi.secret("b") }) },
    ["source"],
  ],
])("finds %s", async (_, args, expected) => {
  expect(await secretPlaces(args)).toEqual(expected);
});

test("arguments without Outputs and Promises need no wait", () => {
  expect(secretPlaces({ name: "db", list: [1, 2] })).toBeUndefined();
});

test("resources among arguments are not searched", async () => {
  class Other extends pulumi.CustomResource {}
  expect(
    secretPlaces({ wrong: new Other("other:index:Type", "other", { a: pulumi.secret("b") }) }),
  ).toBeUndefined();
});

test("an argument that fails has no secret places: the registration reports its error", async () => {
  const a = later("a").then(() => {
    throw new Error("failed");
  });
  expect(await secretPlaces({ a, b: pulumi.secret("c") })).toEqual(["b"]);
});

const credentials = { username: "reader", password: "hush" };
const mark = (value: unknown) => ({
  [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig,
  value,
});
const markedCredentials = { username: mark("reader"), password: mark("hush") };

test.each<[string, unknown, unknown]>([
  [
    "in an Output of the whole argument",
    pulumi.output({ kafka: { credentials } }),
    { kafka: { credentials: markedCredentials } },
  ],
  [
    "in an Output of a group",
    { kafka: pulumi.output({ credentials }) },
    { kafka: { credentials: markedCredentials } },
  ],
  [
    "in a Promise",
    { kafka: Promise.resolve({ credentials }) },
    { kafka: { credentials: markedCredentials } },
  ],
  ["in plain", { kafka: { credentials } }, { kafka: { credentials: markedCredentials } }],
  [
    "in a secret, which has no further marks inside",
    { kafka: { credentials: pulumi.secret(credentials) } },
    { kafka: { credentials: mark(credentials) } },
  ],
])("each text of a secret argument is marked, %s", async (_, source, expected) => {
  const properties = await pulumi.runtime.serializeProperties("pipe", marked({ source }));
  expect(properties.source).toEqual(expected);
});

test.each([
  ["as a whole", pulumi.output({ kafka: { iamRole: "role" } })],
  ["as a Promise", Promise.resolve({ kafka: { iamRole: "role" } })],
  ["whose group comes later", { kafka: pulumi.output({ iamRole: "role" }) }],
])("an argument that could hold secrets and holds none is not marked, %s", async (_, source) => {
  const properties = marked({ source });
  const whole = pulumi.output(properties.source) as pulumi.Output<{ kafka: { iamRole: string } }>;
  expect(await pulumi.isSecret(whole)).toBe(false);
  expect(await new Promise((resolve) => whole.kafka.iamRole.apply(resolve))).toBe("role");
});

test("an argument of another type than a group that could hold secrets is marked", async () => {
  for (const source of [
    "text",
    pulumi.output("text"),
    { kafka: "text" },
    pulumi.output({ kafka: "text" }),
  ]) {
    const properties = marked({ source });
    expect(await pulumi.isSecret(pulumi.output(properties.source as string))).toBe(true);
  }
});
