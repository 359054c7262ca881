import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "../../../versions.json";
import { expectFailure, expectOk, newStack, simulated, testHome } from "../../engine/support/stack";
import { expectTemplate, newProject } from "../../support/template";
import { clone, follow, newReader } from "../support/reader";

test("examples/README.md: each example runs and is cleaned up", async () => {
  const output = (await follow("examples/README.md", await newReader(clone()))).join("\n");
  for (const text of [
    "analytics created",
    "totalGb",
    "vpce-0a1b2c3d4e5f60001",
    "liveReplicas",
    "alertState",
  ]) {
    expect(output).toContain(text);
  }
  expect(output).toContain("3 stacks: 3 updated.");
  expect(output).toContain("3 stacks: 3 no drift.");
  expect(output.match(/has been removed!/g)).toHaveLength(8);
});

test("docs/custom-policies.md: a custom pack passes its tests and runs", async () => {
  const folder = mkdtempSync(join(testHome(), "custom-"));
  const output = (await follow("docs/custom-policies.md", await newReader(folder))).join("\n");
  expect(output).toMatch(/^# pass 3$/m);
  const stack = await newStack(
    await simulated(),
    `new clouddb.Service("analytics", { name: "reports" });`,
  );
  const refused = await expectFailure(
    stack.preview("--policy-pack", join(folder, "company-policies")),
  );
  expect(refused).toMatch(/\[mandatory\] {2}named-by-team/);
  expect(refused).toContain("[advisory] [severity: medium]  access-list-required");
});

test("clouddb-typescript: a new project runs every command of its README", async () => {
  await expectTemplate(
    "clouddb-typescript",
    [],
    ["index.ts", "{ protect: true }", "{ protect: false }"],
  );
});

test("Pulumi runs a program without checking its types, unlike the project's test", async () => {
  const project = await newProject("clouddb-typescript");
  await project.pulumiNew();
  project.edit("index.ts", "new Config();", 'new Config();\nconst wrong: number = "text";');
  const TYPE_ERROR = /index\.ts\S* error TS2322: Type 'string' is not assignable to type 'number'/;
  const preview = await expectFailure(project.run("pulumi preview"));
  expect(preview).toContain("clouddb:baseUrl");
  expect(preview).not.toMatch(TYPE_ERROR);
  expect(await expectFailure(project.run("npm test"))).toMatch(TYPE_ERROR);
});

test.each(["clouddb-typescript", "clouddb-python", "clouddb-yaml"])(
  "%s: a CLI older than the project requires is refused",
  async (template) => {
    const project = await newProject(template);
    await expectOk(project.run(`pulumi new ${project.template} --yes --generate-only`));
    project.edit(
      "Pulumi.yaml",
      `requiredPulumiVersion: ">=${pulumi.oldest}"`,
      'requiredPulumiVersion: ">=99.0.0"',
    );
    const refused = await expectFailure(project.run("pulumi preview"));
    expect(refused).toMatch(
      /Pulumi CLI version \S+ does not satisfy the version range ">=99\.0\.0"/,
    );
  },
);

test("answers to the prompts configure the stack, and an invalid answer fails the preview", async () => {
  const api = await simulated();
  const project = await newProject("clouddb-typescript");
  const settings = [api.baseUrl, api.keyId, api.keySecret, api.organizationId];
  // The program's prompts before the region keep their defaults: network, memory, replicas and
  // provider.
  const printed = await project.pulumiNewWith([
    "",
    "",
    "staging",
    ...settings,
    "",
    "",
    "",
    "",
    "",
    "mars-1",
  ]);
  expect(printed).toContain(
    "Secret of the API key; leave blank to use CLOUDDB_KEY_SECRET (clouddb:keySecret)",
  );
  const stored = project.read("Pulumi.staging.yaml");
  expect(stored).toMatch(/clouddb:keySecret:\s+secure: /);
  expect(stored).not.toContain(api.keySecret);
  expect(stored).toContain(`clouddb:organizationId: ${api.organizationId}`);

  const refused = await expectFailure(project.run("pulumi preview"));
  expect(refused).toMatch(/region .* is invalid: must be one of .*us-east-1/);
  await expectOk(project.run("pulumi config set region us-east-1"));
  expect(await expectOk(project.run("pulumi preview"))).toContain("+ 2 to create");
  expect(await api.requests()).toEqual([]);
});
