import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../../programs/support/markdown";
import { fileBlock, follow, openTerminal } from "../../programs/support/reader";
import type { TestApi } from "../../support/api";
import { EXAMPLE, exampleSeed as seed } from "../../support/example";
import { expectFailure, expectOk, newStack, type Stack, simulated } from "../support/stack";

/** `pulumi import` of objects that exist, and the programs that declare them afterwards. */

const { service: SERVICE, otherService: OTHER, pipes } = EXAMPLE;
const GONE = "a1b2c3d4-9999-4a53-9c1e-000000000001";

let api: TestApi;
let stack: Stack;
beforeEach(async () => {
  api = await simulated({ seed });
  stack = await newStack(api);
});

const requests = () => api.requestNames();
const importing = (...args: string[]) =>
  stack.pulumi("import", ...args, "--yes", "--skip-preview", "--generate-code=false");

function importingFile(...objects: (readonly [type: string, name: string, id: string])[]) {
  const resources = objects.map(([type, name, id]) => ({
    type: `clouddb:index:${type}`,
    name,
    id,
  }));
  writeFileSync(join(stack.folder, "imports.json"), JSON.stringify({ resources }));
  return importing("--file", "imports.json");
}

/** A program that declares what was imported. */
async function importedProgram(): Promise<string> {
  const matches = (await stack.resources()).filter(({ type }) => type.startsWith("clouddb:index:"));
  const declarations = matches.map(({ type, urn, inputs }) => {
    const [className, name] = [type.split(":").at(-1), urn.split("::").at(-1)];
    return `new clouddb.${className}("${name}", ${JSON.stringify(inputs)}, { protect: true });`;
  });
  return declarations.join("\n");
}

test("objects of every type are imported, singly or in bulk, and the next up has no changes", async () => {
  await importing("clouddb:index:Service", "analytics", SERVICE);
  const output = await importingFile(
    ["ServiceScaling", "size", `${api.organizationId}/${OTHER}`],
    ["Pipe", "orders", `${SERVICE}/${pipes.kafka}`],
    ["Organization", "us", api.organizationId],
  );
  expect(output).toContain("= 3 imported");
  expect(new Set(output.match(/warning: .*/g))).toEqual(
    new Set([
      expect.stringMatching(
        /^warning: The API cannot read organization .* sends it\. \[CDB4007\]$/,
      ),
    ]),
  );
  expect((await requests()).sort()).toEqual([
    "GET /services/{id}",
    "GET /services/{id}",
    "GET /services/{id}/pipes/{id}",
  ]);

  const program = await importedProgram();
  stack.program(program);
  expect(await stack.preview()).toMatch(/\b5 unchanged|\+ 1 to create\s+4 unchanged/);
  await stack.up();
  await stack.refresh("--expect-no-changes");
  expect((await requests()).filter((text) => !text.startsWith("GET"))).toEqual([]);

  stack.program(
    program
      .replace('"numReplicas":2', '"numReplicas":4')
      .replace('"name":"orders"', '"name":"all orders"'),
  );
  await stack.up();
  expect((await requests()).sort()).toEqual([
    "PATCH /services/{id}/pipes/{id}",
    "PATCH /services/{id}/replicaScaling",
  ]);
});

/** A managed resource as a Terraform state has it. */
const inTerraform = (type: string, name: string, attributes: object, more: object = {}) => ({
  ...{
    mode: "managed",
    type,
    name,
    provider: 'provider["registry.terraform.io/clickhouse/clickhouse"]',
  },
  ...{ instances: [{ schema_version: 1, attributes, sensitive_attributes: [], ...more }] },
});

test("docs/guides/from-terraform.md: services and pipes of a Terraform state are imported without changes", async () => {
  const state = {
    ...{
      version: 4,
      terraform_version: "1.11.4",
      serial: 42,
      lineage: "6a0d9c55-0000-4000-8000-000000000001",
    },
    outputs: { connection: { value: "canary-output", type: "string", sensitive: true } },
    resources: [
      { ...inTerraform("clickhouse_service", "existing", { id: GONE }), mode: "data" },
      inTerraform("clickhouse_role", "reader", { id: GONE, name: "reader" }),
      inTerraform("clickhouse_clickpipe", "analytics", {
        id: pipes.kafka,
        service_id: SERVICE,
        name: "orders",
      }),
      inTerraform("clickhouse_service", "analytics", {
        id: SERVICE,
        name: "Analytics",
        password: "canary-password",
      }),
      {
        ...inTerraform("clickhouse_service", "db", { id: OTHER }, { index_key: "eu 1" }),
        module: "module.europe",
      },
    ],
    check_results: null,
  };
  writeFileSync(join(stack.folder, "state.json"), JSON.stringify(state));
  writeFileSync(join(stack.folder, "terraform"), "#!/bin/sh\ncat state.json\n", { mode: 0o755 });
  stack.environment({
    PATH: `${stack.folder}:${process.env.PATH}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
  });
  const { run } = openTerminal(stack, stack.folder, {});
  const printed = await follow("docs/guides/from-terraform.md", async (block) => {
    if (block.text.startsWith("pulumi preview")) stack.program(await importedProgram());
    return run(fileBlock(block));
  });
  expect(printed[2]).toContain("= 3 imported");
  const imports = readFileSync(join(stack.folder, "imports.json"), "utf8");
  expect(JSON.parse(imports).resources.map(({ name }: { name: string }) => name)).toEqual([
    "analytics",
    "analytics",
    "module-europe-db-eu-1",
  ]);
  expect(imports).not.toContain("canary");
});

// The engine asks about nothing but the object that it imports.
test("importing an object twice warns how to undo it, and later commands refuse both resources", async () => {
  const undo = ["state", "delete", "--force", "urn:pulumi:dev::test::clouddb:index:Service::again"];
  const created = `new clouddb.Service("db", { name: "created", region: "us-east-1" });`;
  stack.program(created);
  await stack.up();
  const { id = "" } =
    (await stack.resources()).find(({ type }) => type === "clouddb:index:Service") ?? {};
  const output = await importing("clouddb:index:Service", "again", id);
  expect(output.replace(/\n\s*/g, " ")).toContain(`\`pulumi ${undo.join(" ")}\``);

  await requests();
  stack.program(`${created}\n${created.replace('"db"', '"again"')}`);
  expect(await expectFailure(stack.up())).toMatch(
    /both manage service .*: an import brings no password\./,
  );
  expect((await requests()).filter((text) => !text.startsWith("GET"))).toEqual([]);

  await stack.pulumi(...undo, "--yes");
  stack.program(created);
  await stack.up("--expect-no-changes");
});

/** The stored ids of our resources, those that are left to delete apart. */
async function stored(): Promise<Record<"kept" | "left", string[]>> {
  const all = (await stack.resources()).filter(({ type }) => type.startsWith("clouddb:index:"));
  const idsOf = (isLeft: boolean) =>
    all.filter((each) => "delete" in each === isLeft).map(({ id = "" }) => id);
  return { kept: idsOf(false), left: idsOf(true) };
}

test("another import ID for a protected service keeps both services in the state and fails the update", async () => {
  const program = (id: string) => `new clouddb.Service("db", {}, { import: "${id}" });`;
  stack.program(program(SERVICE));
  await stack.up();
  stack.program(program(OTHER));
  expect(await stack.preview()).toContain("+-1 to replace");
  await requests();
  expect(await expectFailure(stack.up())).toContain("the API cannot delete services");
  expect(await requests()).toEqual(["GET /services/{id}"]);
  expect(await stored()).toEqual({ kept: [OTHER], left: [SERVICE] });

  // The former id would be a third one: the documented way keeps one and removes the other.
  stack.program('new clouddb.Service("db", {});');
  const [recovery = ""] = blocksOf("docs/guides/replace.md")
    .map(({ text }) => text)
    .filter((text) => text.startsWith("OTHER="));
  const script = recovery.replace(/^OTHER=.*$/m, `OTHER=${OTHER}`);
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  await expectOk(stack.command("bash", "-e", "-o", "pipefail", "-c", script));
  expect(await stored()).toEqual({ kept: [SERVICE], left: [] });
});

test("another import ID replaces a pipe, a scaling and access, and removes only the former access", async () => {
  const office = [{ source: "203.0.113.0/24", description: "office" }];
  const program = (service: string, pipe: string) => `
    const args = { serviceId: "${service}" };
    const access = { ...args, ipAccessList: ${JSON.stringify(office)} };
    new clouddb.ServiceScaling("size", args, { import: "${service}" });
    new clouddb.ServiceAccess("office", access, { import: "${service}/203.0.113.0/24" });
    new clouddb.Pipe("orders", { serviceId: "${SERVICE}", pipeId: "${pipe}" }, { import: "${SERVICE}/${pipe}" });`;
  stack.program(program(SERVICE, pipes.kafka));
  await stack.up();
  stack.program(program(OTHER, pipes.kinesis));
  expect(await stack.preview()).toContain("+-3 to replace");
  await requests();
  await stack.up();
  const sent = (await api.requests()).filter(({ request }) => !request.startsWith("GET"));
  expect(sent.map(({ request, body }) => [request, body])).toEqual([
    ["PATCH /services/{id}", { ipAccessList: { remove: office } }],
  ]);
  const { kept, left } = await stored();
  expect([kept.sort(), left]).toEqual([[OTHER, OTHER, pipes.kinesis], []]);
  await stack.up("--expect-no-changes");
});
