import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../../simulator/index";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { root } from "../../support/root";
import { expectOk, newStack, type Stack, simulated, testHome } from "../support/stack";

/** What `clouddb-from-terraform` writes: imported or adopted, nothing is left to change. */

const SERVICES = [EXAMPLE.service, EXAMPLE.otherService];

/** The objects of the Terraform state on a simulator, and a YAML project with the command's files. */
async function converted() {
  const seed = structuredClone(exampleSeed) as Seed & { organizations: { services: { create: Create }[] }[] };
  const [analytics] = seed.organizations[0]?.services ?? [];
  const entry = analytics?.create.ipAccessList[1];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the state has it
  if (entry !== undefined) entry.description = "build of ${pipeline}";
  const api = await simulated({ seed });
  await api.change("PATCH", `/${EXAMPLE.service}`, { privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] } });
  const services = await api.services();
  let state = readFileSync(join(root, "tests/support/terraform/terraform.tfstate"), "utf8");
  // Each simulator has warehouses of its own.
  for (const [index, id] of SERVICES.entries()) {
    const warehouse = services.find((service) => service.id === id)?.dataWarehouseId;
    state = state.replace(`6a0d9c55-0000-4000-8000-0000000000a${index + 1}`, String(warehouse));
  }
  const stack = await newStack(api);
  for (const name of ["Pulumi.yaml", "index.js"]) rmSync(join(stack.folder, name));
  const command = join(testHome(), "node_modules/.bin/clouddb-from-terraform");
  execFileSync(process.execPath, [command, "-"], { cwd: stack.folder, input: state });
  // The name is the folder's, and the stack of tests is one of the project `test`.
  const project = join(stack.folder, "Pulumi.yaml");
  const plugin = join(testHome(), "node_modules/pulumi-clouddb/native-plugin");
  const text = readFileSync(project, "utf8").replace(/^name: .*/, "name: test");
  rmSync(project);
  appendFileSync(project, `${text}plugins:\n  providers:\n    - name: clouddb\n      path: ${plugin}\n`);
  await api.requests();
  return { api, stack };
}

interface Create {
  readonly ipAccessList: { description: string }[];
}

const READS = [
  "GET /services/{id}",
  "GET /services/{id}",
  "GET /services/{id}/pipes/{id}",
  "GET /services/{id}/pipes/{id}",
];

const managed = async (stack: Stack) =>
  (await stack.resources()).filter(({ type }) => type.startsWith("clouddb:index:"));

test("after the import, the program has nothing to change", async () => {
  const { api, stack } = await converted();
  const output = await expectOk(
    stack.pulumi("import", "--file", "imports.json", "--generate-code=false", "--yes", "--skip-preview"),
  );
  expect(output).toContain("= 4 imported");
  expect((await api.requests()).map(({ request }) => request).sort()).toEqual(READS);
  await expectOk(stack.preview("--expect-no-changes"));
  await expectOk(stack.up("--expect-no-changes"));
  expect(await api.requests()).toEqual([]);
});

test("without the import, the program adopts the objects and changes nothing", async () => {
  const { api, stack } = await converted();
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request).sort()).toEqual(READS);
  expect(await managed(stack)).toHaveLength(4);
  await expectOk(stack.preview("--expect-no-changes"));
});
