import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expectFailure, expectOk, type Outcome } from "../engine/support/stack";
import { type Block, blocksOf, command } from "../programs/support/markdown";
import { newReader } from "../programs/support/reader";
import { freePort } from "./local-server";
import { root } from "./root";
import { temporaryFolder } from "./temporary-folder";

/** Projects that `pulumi new` makes of the templates, with nothing but the CLI and a registry. */

const NAME = "my-databases";

type Project = Awaited<ReturnType<typeof newProject>>;

/** An empty folder, and a terminal in it. */
export async function newProject(
  template: string,
  variables: Readonly<Record<string, string | undefined>> = {},
) {
  // Outside the folder of the tests, where Node would find packages that the project lacks.
  const parent = temporaryFolder("template");
  const folder = join(parent, NAME);
  mkdirSync(folder);
  const state = join(parent, "state");
  mkdirSync(state);
  const port = String(await freePort());
  const runBlock = await newReader(
    folder,
    {
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      NODE_OPTIONS: undefined,
      npm_config_audit: "false",
      ...variables,
    },
    { "4010": port },
  );
  const run = (text: string): Promise<Outcome> => runBlock(command(text));
  const path = join(root, "templates", template);
  return {
    template: path,
    folder,
    run,
    pulumiNew: () => expectOk(run(`pulumi new ${path} --yes`)),
    /** Answers the prompts, one line for each. */
    pulumiNewWith(answers: readonly string[]): Promise<string> {
      writeFileSync(join(parent, "answers"), answers.map((answer) => `${answer}\n`).join(""));
      const prompting = "PULUMI_SKIP_CONFIRMATIONS=false PULUMI_TEST_INTERACTIVE=true";
      return expectOk(run(`${prompting} pulumi new ${path} < ../answers`));
    },
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    edit(name: string, match: string, replacement: string): void {
      const text = readFileSync(join(folder, name), "utf8");
      expect(text).toContain(match);
      writeFileSync(join(folder, name), text.replace(match, replacement));
    },
    /**
     * Runs the commands of a section of the README, in its order; returns what each block prints.
     */
    async section(heading: string): Promise<string[]> {
      const printed: string[] = [];
      for (const block of commandsIn(template, heading))
        printed.push(await expectOk(runBlock(block)));
      return printed;
    },
    /** The requests that the simulator of the README has received. */
    async requests(): Promise<string[]> {
      const response = await fetch(`http://127.0.0.1:${port}/__admin/requests`);
      const { requests } = (await response.json()) as {
        requests: { method: string; path: string }[];
      };
      return requests.map(
        ({ method, path }) => `${method} ${path.replace(/^.*\/organizations\/[^/]+/, "")}`,
      );
    },
  };
}

/** The commands in a section of a template's README. */
function commandsIn(template: string, heading: string): Block[] {
  const page = `templates/${template}/README.md`;
  const blocks = blocksOf(page).filter((block) => block.heading === heading);
  if (blocks.length === 0) throw new Error(`${page} has no commands in a section ${heading}`);
  return blocks;
}

/**
 * The whole way: a new project, its test, the simulator, policies, the report and one more stack.
 */
export async function expectTemplate(
  template: string,
  setUp: readonly string[],
  unprotect: readonly [file: string, found: string, replacement: string],
  variables: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  const project = await newProject(template, variables);
  const created = await project.pulumiNew();
  expect(created).toContain("Created stack 'dev'");
  expect(created).toContain("Your new project is ready to go!");
  expectFilesOf(project);
  for (const heading of setUp) await project.section(heading);

  const [tested] = await project.section("Test");
  expect(tested).toMatch(/\bpass 3\b|\b3 passed\b/);
  expect(tested).not.toContain("warning: ");
  const [, deployed] = await project.section("Try it with the simulator");
  expect(deployed).toContain("+ 2 created");
  expect(await project.requests()).toEqual(["POST /services"]);
  expect(await expectOk(project.run("pulumi stack export"))).toContain('"protect": true');

  const [preview] = commandsIn(template, "Preview a change");
  await expectOk(project.run("pulumi config set allowedNetwork 0.0.0.0/0"));
  const stopped = await project.run(preview?.text ?? "");
  expect([stopped.code, project.read("report.md")]).toEqual([
    2,
    expect.stringContaining("no-open-access</code> failed"),
  ]);
  await expectOk(project.run("pulumi config rm allowedNetwork"));
  const [, updated] = await project.section("Preview a change");
  expect(project.read("report.md")).toContain("no changes");
  expect(updated).toContain("2 unchanged");
  expect(await project.requests()).toEqual(["POST /services"]);

  await project.section("Add a production stack");
  await expectOk(project.run(preview?.text ?? ""));
  expect(project.read("report.md")).toMatch(/1 to create[\s\S]*✅ \d+ passed: /);

  project.edit(...unprotect);
  const [tests] = commandsIn(template, "Test");
  const failed = await expectFailure(project.run(tests?.text ?? ""));
  expect(failed).toMatch(/\bfail 1\b|\b1 failed\b/);
}

function expectFilesOf({ template, folder, read }: Project): void {
  expect(read("Pulumi.yaml")).toMatch(/^name: my-databases$/m);
  expect(read("Pulumi.yaml")).not.toMatch(/^template:/m);
  // Unanswered questions take their default.
  expect(read("Pulumi.dev.yaml")).toContain("my-databases:region: us-east-1");
  expect(read("Pulumi.dev.yaml")).not.toContain("clouddb:");
  const files = readdirSync(template, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(6);
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(folder, relative(template, parentPath), name), "utf8");
    expect([name, text]).not.toEqual([name, expect.stringMatching(/\$\{(PROJECT|DESCRIPTION)\}/)]);
  }
}
