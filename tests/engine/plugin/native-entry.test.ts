import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApi } from "../../support/api";
import { EXAMPLE, exampleSeed as seed } from "../../support/example";
import { root } from "../../support/root";
import {
  ENTRIES,
  expectFailure,
  newStack,
  newStackWithoutPlugin,
  pluginPath,
  type Stack,
  simulated,
} from "../support/stack";

/** Classes and functions of `pulumi-clouddb/native`, which behave like those of the main entry. */

const {
  service: SERVICE,
  pipes: { kafka: PIPE },
} = EXAMPLE;

let api: TestApi;
let stack: Stack;
beforeEach(async () => {
  api = await simulated({ seed });
  stack = await newStack(api);
});

/** The values that a program writes to a file, for each entry that it imports. */
async function resultsOf(program: string): Promise<Readonly<Record<string, unknown>>[]> {
  const results: Record<string, unknown>[] = [];
  for (const entry of Object.values(ENTRIES)) {
    stack.program(
      `const keep = (value) => require("node:fs").writeFileSync("kept.json", JSON.stringify(value));
      ${program}`,
      entry,
    );
    await stack.up();
    results.push(JSON.parse(readFileSync(join(stack.folder, "kept.json"), "utf8")));
  }
  return results;
}

test("functions and get return the same through the native entry, without an HTTP client in the program", async () => {
  const [dynamic = {}, native = {}] = await resultsOf(`
    // Pulumi's SDK loads the parser of addresses by itself; ours is in this file.
    const ours = /\\/(zod|axios)\\/|\\/service\\/fields\\.js$/;
    const loads = () => Object.keys(require.cache).filter((file) => ours.test(file)).length;
    module.exports = async () => {
      const args = { serviceId: "${SERVICE}", pipeId: "${PIPE}" };
      const read = [
        clouddb.Service.get("service", "${SERVICE}"),
        clouddb.ServiceScaling.get("scaling", "${SERVICE}"),
        clouddb.Pipe.get("pipe", "${PIPE}", { serviceId: "${SERVICE}" }),
      ];
      const outputs = (each) => Object.fromEntries(Object.entries(each).filter(([name]) => !/^(__|urn$)/.test(name)));
      const declared = loads();
      const service = { serviceId: "${SERVICE}" };
      const [found, again] = await Promise.all([clouddb.getService(service), clouddb.getService(service)]);
      const errorOf = (promise) =>
        promise.catch((error) => (pulumi.RunError.isInstance(error) ? "" : "not a RunError: ") + error.message.replace(/request id [^)]+/, "id"));
      const output = clouddb.getPipeOutput(args);
      keep({
        loads: { declared, called: loads() },
        found, same: found === again, isSecret: await pulumi.isSecret(output), pipe: await output.promise(),
        plain: await clouddb.getPipe(args), settings: await clouddb.getPipeSettings(args),
        alert: await clouddb.getAlert({ id: "alert-errors" }), boards: await clouddb.getDashboards(),
        errors: [await errorOf(clouddb.getAlert({ id: "nothing" })), await errorOf(clouddb.getService({}))],
        read: await pulumi.all(read.map((each) => pulumi.output(outputs(each)))).promise(),
      });
    };`);
  expect(native.loads).toEqual({ declared: 0, called: 0 });
  expect(dynamic.loads).toMatchObject({ declared: 0 });
  expect((dynamic.loads as { called: number }).called).toBeGreaterThan(50);
  expect({ ...native, loads: undefined }).toEqual({ ...dynamic, loads: undefined });
  expect(native).toMatchObject({
    same: true,
    found: { name: "Analytics" },
    errors: [
      expect.stringMatching(/^Reading alert nothing: the API returned 404/),
      "getService requires serviceId. [CDB1002]",
    ],
    read: [{ id: SERVICE, name: "Analytics" }, { numReplicas: 3 }, { id: PIPE, name: "orders" }],
  });
  const requests = await api.requestNames();
  expect([...new Set(requests)].sort()).toEqual([
    "GET /api/v2/alerts/alert-errors",
    "GET /api/v2/alerts/nothing",
    "GET /api/v2/dashboards",
    "GET /services/{id}",
    "GET /services/{id}/pipes/{id}",
    "GET /services/{id}/pipes/{id}/settings",
  ]);
});

test("neither entry loads a compiler or npm's resolver, unlike the index of Pulumi's SDK", () => {
  const script = `
    const loaded = () => Object.keys(require.cache).filter((file) => /typescript|arborist/.test(file)).length > 0;
    require("pulumi-clouddb");
    require("pulumi-clouddb/native");
    const before = loaded();
    require("@pulumi/pulumi");
    console.log(before, loaded());`;
  expect(execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" })).toBe(
    "false true\n",
  );
});

test("the import option imports an object without sending a change", async () => {
  const program = (imports: boolean) => `
    const opts = (id) => (${imports} ? { import: id } : {});
    new clouddb.Service("analytics", { numReplicas: 3 }, opts("${SERVICE}"));
    new clouddb.Pipe("orders", { serviceId: "${SERVICE}", pipeId: "${PIPE}" }, opts("${SERVICE}/${PIPE}"));`;
  stack.program(program(true));
  const plan = await stack.preview();
  expect(plan.split("Resources:")[0]).not.toMatch(/^ +[-~] (?!clouddb:)/m);
  expect(await stack.up()).toContain("= 2 imported");
  const imported = (await stack.resources()).filter(({ type }) => type === "clouddb:index:Service");
  expect(imported).toMatchObject([{ id: SERVICE, protect: true }]);
  stack.program(program(false));
  expect(await stack.preview()).toContain("3 unchanged");
  expect((await api.requests()).filter(({ request }) => !request.startsWith("GET"))).toEqual([]);
});

test("if the plugin is missing or has another version, the engine says where to get it", async () => {
  const bare = await newStackWithoutPlugin(api);
  const { version } = require("../../../provider/package.json") as { version: string };
  const advice = `\`pulumi plugin install resource clouddb v${version} --server github://api.github.com/pulumi-clouddb/pulumi-clouddb\``;
  bare.program('new clouddb.Service("db", {});');
  expect(await expectFailure(bare.preview())).toContain(advice);
  const other = join(bare.folder, "home/plugins/resource-clouddb-v0.0.1");
  cpSync(pluginPath(), other, { recursive: true });
  expect(await expectFailure(bare.preview())).toContain(advice);
});
