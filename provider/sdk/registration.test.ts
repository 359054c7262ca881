import * as pulumi from "@pulumi/pulumi";
import { pipeClass } from "./classes";
import { dynamicAdapter } from "./dynamic";
import { nativeAdapter } from "./native";
import { registeredOptions, registeredProperties } from "./registration";

test.each([
  ["as a whole", pulumi.output({ kafka: { credentials: { password: "secret" } } }), []],
  ["in a group", { kafka: pulumi.output({ credentials: { password: "secret" } }) }, ["kafka"]],
  ["as a Promise", { kafka: Promise.resolve({ credentials: { password: "secret" } }) }, ["kafka"]],
  ["around a secret", { kafka: { credentials: { password: "secret" } } }, ["kafka", "credentials", "password"]],
])("an argument that holds secrets stays what it is and is marked, %s", async (_, source, path) => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) });
  const properties = registeredProperties(nativeAdapter, pipeClass, "name", { source } as never, {});
  const marked = path.reduce<unknown>((item, name) => (item as Record<string, unknown>)[name], properties.source);
  expect(pulumi.Output.isInstance(marked)).toBe(true);
  expect(await pulumi.isSecret(marked as pulumi.Output<unknown>)).toBe(true);
  const whole = pulumi.output(properties.source) as unknown as { promise: () => Promise<unknown> };
  expect(await whole.promise()).toEqual({ kafka: { credentials: { password: "secret" } } });
});

test.each([
  ["as a whole", pulumi.output({ kafka: { iamRole: "role" } })],
  ["as a Promise", Promise.resolve({ kafka: { iamRole: "role" } })],
  ["whose group comes later", { kafka: pulumi.output({ iamRole: "role" }) }],
])("an argument that could hold secrets and holds none is not marked, %s", async (_, source) => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) });
  const properties = registeredProperties(nativeAdapter, pipeClass, "name", { source } as never, {});
  const whole = pulumi.output(properties.source) as pulumi.Output<{ kafka: { iamRole: string } }>;
  expect(await pulumi.isSecret(whole)).toBe(false);
  expect(await new Promise((resolve) => whole.kafka.iamRole.apply(resolve))).toBe("role");
});

test("an argument of another type than a group that could hold secrets is marked", async () => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) });
  for (const source of ["text", pulumi.output("text"), { kafka: "text" }, pulumi.output({ kafka: "text" })]) {
    const properties = registeredProperties(nativeAdapter, pipeClass, "name", { source } as never, {});
    expect(await pulumi.isSecret(pulumi.output(properties.source as string))).toBe(true);
  }
});

test("an alias leads to the type of the other entry, also from names that the program has given up", () => {
  const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/clouddb:Pipe::older";
  const values = [{ name: "old" }, urn, { name: "other", type: "other:index:Type" }];
  const optionsOf = (adapter: typeof nativeAdapter, aliases?: pulumi.CustomResourceOptions["aliases"]) =>
    registeredOptions(adapter, pipeClass, aliases ? { aliases } : {}).aliases;
  const dynamicType = "pulumi-nodejs:dynamic/clouddb:Pipe";
  expect(optionsOf(dynamicAdapter)).toEqual([{ type: "clouddb:index:Pipe" }]);
  expect(optionsOf(nativeAdapter)).toEqual([{ type: dynamicType }]);
  expect(optionsOf(nativeAdapter, values)).toEqual([
    ...values,
    { name: "old", type: dynamicType },
    { type: dynamicType },
  ]);
});
