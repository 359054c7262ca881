import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "@pulumi/pulumi/package.json";
import { expectOk, newStack, type Stack, simulated } from "../engine/support/stack";
import { blocksOf, command } from "../programs/support/markdown";
import { clone, openTerminal } from "../programs/support/reader";
import type { TestApi } from "../support/api";
import { EXAMPLE, exampleSeed } from "../support/example";
import { expectPipeline } from "../support/pipeline";
import { inLanguage } from "./support";

/** The examples in other languages than TypeScript. */

/** The warning of an engine that does not include its host for Java, and how it is counted. */
const FOREIGN_HOST = /warning: using pulumi-language-java from \$PATH|1 warning; 1 message/g;

/** Commands that the suite has run before, as in a run without concurrent tests. */
const DONE_ALREADY = { "npm run sdks": "true" };

for (const language of ["yaml", "python", "go", "java"] as const) {
  inLanguage(language, () => {
    test("the quickstart in each language sends one request and protects its service", async () => {
      const api = await simulated();
      const stack = await newStack(api);
      // Newer releases show previews in other words than the engine's own.
      const constraint = join(stack.folder, "constraint.txt");
      writeFileSync(constraint, `pulumi==${version}`);
      stack.environment({
        PULUMI_STACK: undefined,
        PULUMI_SKIP_CONFIRMATIONS: "true",
        PIP_CONSTRAINT: constraint,
      });
      const terminal = openTerminal(stack, clone(), DONE_ALREADY);
      const runs = blocksOf("examples/README.md").filter(({ directive = "" }) =>
        / runs it:.*/.exec(directive)?.[0].split(/[: ]/).includes(language),
      );
      let printed = "";
      for (const run of runs) printed = await expectOk(terminal.run(run));
      expect(await api.requestNames()).toEqual(["POST /services"]);
      expect(printed).toContain("+ 2 created");
      expect(printed.replaceAll(FOREIGN_HOST, "")).not.toMatch(/warning/);

      expect(await expectOk(terminal.run(command("pulumi preview")))).toContain("2 unchanged");
      expect(await api.requestNames()).toEqual([]);
      expect(await expectOk(terminal.run(command("pulumi stack export")))).toContain(
        '"protect": true',
      );
    });
  });
}

for (const language of ["yaml", "python"] as const) {
  inLanguage(language, () => {
    test("the pipeline in each language has an adopted service, its size, and its pipe with a secret", async () => {
      const api = await simulated({ seed: exampleSeed });
      const stack = await pipeline(api, language);
      expect(await expectPipeline(api, stack)).toMatch(/replicas: 3\s+state/);
    });
  });
}

async function pipeline(api: TestApi, language: string): Promise<Stack> {
  const folder = join(clone(), "examples", `pipeline-${language}`);
  const project = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  const stack = await newStack(api, "", folder);
  // The empty stack of the tests is one of a project with this name.
  writeFileSync(join(folder, "Pulumi.yaml"), project.replace(/^name: .*/m, "name: test"));
  const settings = [`serviceId=${EXAMPLE.service}`, `pipeId=${EXAMPLE.pipes.kafka}`];
  const plain = settings.flatMap((pair) => ["--plaintext", pair]);
  await stack.pulumi("config", "set-all", ...plain, "--secret", "kafkaPassword=hush-hush");
  return stack;
}
