import { expectOk, newStack, simulated, typeOf } from "../support/stack";

test("a service moves to another stack with its password, without a request or a change", async () => {
  const api = await simulated();
  const text = `
    const services = pulumi.getStack() === "dev" ? process.env.SERVICES_OF_DEV : "b";
    for (const name of services.split(",")) exports[name] = new clouddb.Service(name, { region: "us-east-1" }).password;
  `;
  const stack = await newStack(api, text);
  stack.environment({ SERVICES_OF_DEV: "a,b" });
  await expectOk(stack.up());
  const passwordOf = (name: string) => expectOk(stack.pulumi("stack", "output", name, "--show-secrets"));
  const password = await passwordOf("b");
  await expectOk(stack.pulumi("stack", "init", "other", "--no-select"));
  await api.requests();

  const urn = (await stack.resources()).find((resource) => resource.urn.endsWith(`${typeOf("Service")}::b`))?.urn;
  await expectOk(stack.pulumi("state", "move", "--source", "dev", "--dest", "other", "--yes", String(urn)));
  stack.environment({ SERVICES_OF_DEV: "a" });
  await expectOk(stack.preview("--expect-no-changes"));
  stack.environment({ PULUMI_STACK: "other" });
  await expectOk(stack.up());
  expect(await passwordOf("b")).toBe(password);
  await expectOk(stack.preview("--expect-no-changes"));
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(2);
});
