import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../../simulator/index";
import { follow } from "../../programs/support/follow";
import { type Block, blocksOf } from "../../programs/support/markdown";
import { openTerminal } from "../../programs/support/terminal";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { root } from "../../support/root";
import { expectOk, newStack, simulated, testHome } from "../support/stack";

/** The files of `clouddb-from-terraform`: imported or adopted, they leave nothing to change. */

const SERVICES = [EXAMPLE.service, EXAMPLE.otherService];

/** The objects of the Terraform state on a simulator, and a terminal with a stand-in for Terraform. */
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
  // The stand-in for Terraform prints the state.
  writeFileSync(join(stack.folder, "state.json"), state);
  writeFileSync(join(stack.folder, "terraform"), `#!/bin/sh\ncat ${stack.folder}/state.json\n`, { mode: 0o755 });
  stack.environment({ PATH: `${stack.folder}:${process.env.PATH}`, PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, {});
  const folder = join(stack.folder, "databases");
  return { api, stack, terminal, folder };
}

/** The converted program, with the plugin that is not installed. */
function addPlugin(folder: string) {
  const path = join(testHome(), "node_modules/pulumi-clouddb/native-plugin");
  appendFileSync(join(folder, "Pulumi.yaml"), `plugins:\n  providers:\n    - name: clouddb\n      path: ${path}\n`);
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

const PAGE = "docs/guides/from-terraform.md";

test("the guide's commands import all objects, and nothing is left to change", async () => {
  const { api, terminal, folder } = await converted();
  await api.requests();
  const printed = await follow(PAGE, async (block) => {
    const outcome = await terminal.run(block);
    if (block.text.includes("clouddb-from-terraform")) addPlugin(folder);
    return outcome;
  });
  expect(printed[0]).toContain("clickhouse_service.analytics: Service analytics\n");
  const samples = blocksOf(PAGE).filter(({ language }) => language === "text");
  for (const { text } of samples) expect(printed[0]).toContain(text);
  expect(printed[1]).toContain("= 4 imported");
  // For the preview of the import, and for the import.
  expect((await api.requests()).map(({ request }) => request).sort()).toEqual([...READS, ...READS].sort());
});

test("without the import, the program adopts the objects and changes nothing", async () => {
  const { api, stack, terminal, folder } = await converted();
  await api.requests();
  const [convert] = blocksOf(PAGE).filter(({ language }) => language === "sh");
  await expectOk(terminal.run(convert as Block));
  addPlugin(folder);
  const inFolder = (...args: string[]) => stack.pulumi(...args, "--cwd", folder);
  await expectOk(inFolder("stack", "init", "dev"));
  expect(await expectOk(inFolder("up", "--yes", "--skip-preview"))).toContain("+ 5 created");
  expect((await api.requests()).map(({ request }) => request).sort()).toEqual(READS);
  await expectOk(inFolder("preview", "--expect-no-changes"));
});
