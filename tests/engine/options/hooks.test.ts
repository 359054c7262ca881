import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "../../../versions.json";
import type { TestApi } from "../../support/api";
import {
  expectFailure,
  newStack,
  outcomeOf,
  simulated,
  storedService,
  storedServices,
} from "../support/stack";

/** Resource hooks. The contract tests have the other places of the journal. */

const REPEATING = `
  const onError = [new pulumi.ErrorHook("again", ({ errors }) => errors.length < 3)];
  const privateEndpointIds = ["vpce-0a1b2c3d4e5f60001"];
  new clouddb.Service("db", { region: "us-east-1", privateEndpointIds }, { hooks: { onError } });`;

const FAILING = `
  const afterCreate = [new pulumi.ResourceHook("notify", ({ newOutputs }) => {
    throw new Error("no notification of " + newOutputs.region);
  })];
  new clouddb.Service("db", { region: "us-east-1" }, { hooks: { afterCreate } });`;

/** The oldest releases have no error hooks. */
const isOldest = [process.env.CLOUDDB_TEST_ENGINE, process.env.CLOUDDB_TEST_SDK].includes(
  pulumi.oldest,
);

const testWithHooks = isOldest ? test.skip : test;

async function create(fault: Parameters<TestApi["faults"]>[0]) {
  const api = await simulated();
  const stack = await newStack(api, REPEATING);
  stack.environment({ CLOUDDB_JOURNAL: "off" });
  await api.faults({ ...fault, times: 1 });
  const { code, output } = await outcomeOf(stack.up());
  const requests = await api.requestNames();
  const stored = (await storedServices(stack))[0];
  return { code, output, requests, services: await api.services(), stored };
}

testWithHooks(
  "a hook that repeats a creation after its PATCH failed makes one service",
  async () => {
    const { code, output, requests, services, stored } = await create({
      method: "PATCH",
      effect: { kind: "status", status: 403 },
    });
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining("retrying create"),
    });
    expect(requests.filter((request) => request === "POST /services")).toHaveLength(1);
    const privateEndpointIds = ["vpce-0a1b2c3d4e5f60001"];
    expect(services).toEqual([expect.objectContaining({ id: stored?.id, privateEndpointIds })]);
    expect(stored?.outputs).toMatchObject({ password: { ciphertext: expect.any(String) } });
  },
);

testWithHooks("a hook that repeats a creation without a response leaves one service", async () => {
  const { code, output, requests, services, stored } = await create({
    method: "POST",
    effect: { kind: "reset", when: "after" },
  });
  expect(code).not.toBe(0);
  expect(output).toMatch(/CDB400\d|CDB4012/);
  expect(requests).toEqual(["POST /services"]);
  expect(services).toHaveLength(1);
  expect(stored).toBeUndefined();
});

testWithHooks("a failed hook after a creation keeps the service, and is not repeated", async () => {
  const api = await simulated();
  const stack = await newStack(api, FAILING);
  const output = await expectFailure(stack.up());
  expect(output).toContain("no notification of us-east-1");
  expect((await storedService(stack)).outputs).toMatchObject({
    password: { ciphertext: expect.any(String) },
  });
  await stack.up();
  expect(await api.requestNames()).toEqual(["POST /services"]);
});

testWithHooks(
  "a hook runs before protection refuses a deletion, and an unregistered hook fails the deletion",
  async () => {
    const hooks = `
    const { writeFileSync } = require("node:fs");
    const beforeDelete = [new pulumi.ResourceHook("backup", () => writeFileSync("hook.log", "ran"))];`;
    const service = (opts: string) =>
      `new clouddb.Service("db", {}, { hooks: { beforeDelete }, ${opts} });`;
    const api = await simulated();
    const stack = await newStack(api, hooks + service(""));
    await stack.up();
    stack.program(hooks);
    expect(await expectFailure(stack.up())).toContain("it is protected");
    expect(readFileSync(join(stack.folder, "hook.log"), "utf8")).toBe("ran");
    expect(await expectFailure(stack.destroy())).toContain("--run-program");

    stack.program(hooks + service("retainOnDelete: true"));
    await stack.up();
    stack.program("");
    expect(await expectFailure(stack.up())).toContain('hook "backup" was not registered');
    stack.program(hooks);
    await stack.up();
    expect(await api.requestNames()).toEqual(["POST /services"]);
  },
);
