import * as pulumi from "@pulumi/pulumi";
import { pipeDefinition } from "../resources/pipe/definition";
import { registeredProperties, withoutTraces } from "./registration";

test("an error created without a stack trace gets one, and later errors keep theirs", () => {
  const limit = Error.stackTraceLimit;
  const end = withoutTraces();
  const bare = new Error("from a transformation");
  expect(bare.stack).not.toContain("\n    at ");
  expect(end(bare)).toBe(bare);
  expect(bare.stack).toMatch(/^Error: from a transformation\n {4}at .*registration\.test/);
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new Error("later").stack).toContain("registration.test");
});

test.each([
  ["as a whole", pulumi.output({ kafka: { credentials: { password: "secret" } } }), []],
  ["in a group", { kafka: pulumi.output({ credentials: { password: "secret" } }) }, ["kafka"]],
  ["as a Promise", { kafka: Promise.resolve({ credentials: { password: "secret" } }) }, ["kafka"]],
  ["around a secret", { kafka: { credentials: { password: "secret" } } }, ["kafka", "credentials", "password"]],
])("an argument that holds secrets stays what it is and is marked, %s", async (_, source, path) => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) });
  const properties = registeredProperties("Pipe", pipeDefinition, "name", { source }, []);
  const marked = path.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], properties.source);
  expect(pulumi.Output.isInstance(marked)).toBe(true);
  expect(await pulumi.isSecret(marked as pulumi.Output<unknown>)).toBe(true);
  const whole = pulumi.output(properties.source) as unknown as { promise: () => Promise<unknown> };
  expect(await whole.promise()).toEqual({ kafka: { credentials: { password: "secret" } } });
});
