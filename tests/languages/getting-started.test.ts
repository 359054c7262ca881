import { expectOk, type Outcome } from "../engine/support/stack";
import { firstSteps, follow } from "../programs/support/follow";
import { type Block, command } from "../programs/support/markdown";
import { newReader } from "../programs/support/reader";
import { root } from "../support/root";
import { expectTemplate } from "../support/template";
import { inLanguage } from "./support";

/** The first steps, and new projects from templates, in other languages than TypeScript. */

const NAMES = { yaml: "YAML", python: "Python", go: "Go" } as const;

for (const language of ["yaml", "python", "go"] as const) {
  inLanguage(language, () => {
    const name = NAMES[language];
    test(`docs/getting-started.md: from an empty folder to a service in ${name}`, async () => {
      await expectService(name, await newReader(root, { CGO_ENABLED: "0" }));
    });
  });
}

/** Follows the page, and expects a protected service. */
async function expectService(
  name: (typeof NAMES)[keyof typeof NAMES],
  run: (block: Block) => Promise<Outcome>,
): Promise<void> {
  const { page, blocks } = firstSteps(name);
  const printed = await follow(page, run, blocks);
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:index:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
  // The last line is the password.
  expect(printed.at(-1)).toMatch(/^\S{8,}$/m);
  expect(await expectOk(run(command("pulumi stack export")))).toContain('"protect": true');
}

inLanguage("yaml", () => {
  test("clouddb-yaml: a new project, and every command of its README", async () => {
    await expectTemplate("clouddb-yaml", ["Install the plugin"], ["Pulumi.yaml", "protect: true", "protect: false"]);
  });
});

inLanguage("python", () => {
  test("clouddb-python: a new project, and every command of its README", async () => {
    const setUp = ["Install the plugin", "Install the SDK"];
    await expectTemplate("clouddb-python", setUp, [
      "__main__.py",
      '"description": "office"}],',
      '"description": "office"}],\n    opts=pulumi.ResourceOptions(protect=False),',
    ]);
  });
});
