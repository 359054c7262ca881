import * as pulumi from "@pulumi/pulumi";
import { secretPlaces } from "./secret-places";

const later = <Value>(value: Value) => new Promise<Value>((resolve) => setImmediate(resolve, value));

test.each<[string, object, string[] | undefined]>([
  ["none among plain values", { name: "db", list: [{ source: "::1" }], nothing: null }, undefined],
  ["none among Outputs and Promises without one", { a: pulumi.output("a"), b: [later({ c: "d" })] }, []],
  ["a member", { name: pulumi.secret("db"), region: pulumi.output("us-east-1") }, ["name"]],
  ["a member of groups", { source: { kafka: { iamRole: pulumi.secret("r") }, x: 1 } }, ["source.kafka.iamRole"]],
  ["an entry of a list", { list: [{ a: "b" }, { a: pulumi.secret("c") }] }, ["list[].a"]],
  ["a Promise of an Output", { name: later(pulumi.secret("db")) }, ["name"]],
  ["a Promise of a group around one", { source: later({ a: later(pulumi.secret("b")) }) }, ["source.a"]],
  ["an Output of a group around one", { source: pulumi.output({ a: pulumi.secret("b") }) }, ["source"]],
])("finds %s", async (_, args, expected) => {
  expect(await secretPlaces(args)).toEqual(expected);
});

test("what holds neither Outputs nor Promises is not waited for", () => {
  expect(secretPlaces({ name: "db", list: [1, 2] })).toBeUndefined();
});

test("resources among arguments are not searched", async () => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) });
  class Other extends pulumi.CustomResource {}
  expect(secretPlaces({ wrong: new Other("other:index:Type", "other", { a: pulumi.secret("b") }) })).toBeUndefined();
});

test("an argument that fails, and whose error the registration reports, is none", async () => {
  const a = later("a").then(() => {
    throw new Error("failed");
  });
  expect(await secretPlaces({ a, b: pulumi.secret("c") })).toEqual(["b"]);
});
