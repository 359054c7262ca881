import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, simulated } from "../engine/support/stack";
import { startRegistry } from "../support/registry";
import { root } from "../support/root";
import { follow } from "./support/follow";
import { openTerminal } from "./support/terminal";

/** The commands of docs/guides/, and their documented effects. */

/** Pulumi rejects PULUMI_SKIP_CONFIRMATIONS for a command that asks nothing. */
const ASKS_NOTHING = {
  "pulumi refresh --preview-only": "PULUMI_SKIP_CONFIRMATIONS=false pulumi refresh --preview-only",
};

test("docs/guides/rotate-keys.md: old keys work until they are revoked, and new ones from then on", async () => {
  const api = await simulated({ keySecret: "old-key" });
  const stack = await newStack(api, `new clouddb.Service("db", {});`);
  await expectOk(stack.up());
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, { ...ASKS_NOTHING, $NEW_KEY_SECRET: "new-key" });
  let refused = "";
  await follow("docs/guides/rotate-keys.md", async (block) => {
    if (block.text.includes("config set")) {
      // The old key in the configuration, as of the last `pulumi up`.
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key"));
      await expectOk(stack.up());
      await api.rotateKey("new-key");
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "new-key"));
      refused = await expectFailure(stack.refresh());
      await expectOk(stack.refresh("--run-program"));
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key"));
    }
    return terminal.run(block);
  });
  expect(refused).toContain("returned 401");
  stack.environment({ CLOUDDB_KEY_SECRET: "new-key" });
  await expectOk(stack.refresh("--expect-no-changes"));
  expect(readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8")).not.toContain("keySecret");
});

test("docs/guides/drift.md: drift is seen, undone and kept", async () => {
  const api = await simulated();
  const program = (numReplicas: number) => `new clouddb.Service("db", { name: "db", numReplicas: ${numReplicas} });`;
  const stack = await newStack(api, program(2));
  await expectOk(stack.up());
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, ASKS_NOTHING);
  const [service] = await api.services();
  const change = () => api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 5, idleScaling: false });
  const replicas = async () => (await api.services()).map(({ numReplicas }) => numReplicas);
  const sent = async () => (await api.requests()).map(({ request }) => request);

  await change();
  const steps = [
    async (output: string) => {
      expect(output).toMatch(/numReplicas\s*: 2 => 5/);
      expect(output).not.toContain("idleScaling: true => false");
      expect(await sent()).toEqual(["GET /services/{id}"]);
      const preview = await expectOk(stack.pulumi("preview", "--refresh", "--diff"));
      expect(preview).toMatch(/numReplicas\s*: 2 => 5[\s\S]*numReplicas\s*: 5 => 2/);
      expect(await replicas()).toEqual([5]);
    },
    async () => {
      expect(await replicas()).toEqual([2]);
      await change();
      stack.program(program(5));
    },
    async () => {
      // Of the preview, and of the update.
      expect(await sent()).toEqual(["GET /services/{id}", "GET /services/{id}"]);
      expect(await replicas()).toEqual([5]);
    },
  ];
  await follow("docs/guides/drift.md", async (block) => {
    const outcome = await terminal.run(block);
    await steps.shift()?.(outcome.output);
    return outcome;
  });
  expect(steps).toEqual([]);
});

test("docs/guides/upgrade.md: the state that was kept is restored", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", {});`);
  await expectOk(stack.up());
  const terminal = openTerminal(stack, stack.folder, {});
  const printed = await follow("docs/guides/upgrade.md", terminal.run);
  expect(printed[1]).toContain("2 unchanged");
  expect(printed.at(-1)).toContain("Import complete");
  await expectOk(stack.up("--expect-no-changes"));
});

test.each([
  ["docs/guides/ci-github.md", "github/workflows", ".github/workflows"],
  ["docs/guides/ci-gitlab.md", "gitlab", "."],
  ["docs/guides/ci-azure.md", "azure", "."],
])("%s: each pipeline is described, and copied", async (page, from, to) => {
  const stack = await newStack(await simulated());
  const registry = await startRegistry();
  stack.environment({ npm_config_registry: registry.url, npm_config_prefer_offline: "true" });
  writeFileSync(join(stack.folder, "package.json"), "{}");
  const terminal = openTerminal(stack, stack.folder, { "../pulumi-clouddb": root });
  try {
    await follow(page, terminal.run);
  } finally {
    registry.close();
  }
  const text = readFileSync(join(root, page), "utf8");
  for (const name of readdirSync(join(root, "examples/ci", from))) {
    expect(text).toContain(`](../../examples/ci/${from}/${name})`);
    expect(statSync(join(stack.folder, to, name)).isFile()).toBe(true);
  }
  expect(statSync(join(stack.folder, "policies.json")).isFile()).toBe(true);
});
