import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seed from "../../simulator/seeds/example.json";
import { expectFailure, expectOk, newStack, restartWithKey, simulated, testHome } from "../engine/support/stack";
import { startRegistry } from "../support/registry";
import { root } from "../support/root";
import { follow } from "./support/follow";
import { blocksOf } from "./support/markdown";
import { openTerminal } from "./support/terminal";

/** The commands of docs/guides/, and their documented effects. */

/** Pulumi rejects PULUMI_SKIP_CONFIRMATIONS for a command that asks nothing. */
const ASKS_NOTHING = {
  "pulumi refresh --preview-only": "PULUMI_SKIP_CONFIRMATIONS=false pulumi refresh --preview-only",
};

test("docs/guides/passwords-and-keys.md: old keys work until they are revoked, and new ones from then on", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const api = await simulated({ data, keySecret: "old-key" });
  const stack = await newStack(api, `new clouddb.Service("db", {});`);
  await expectOk(stack.up());
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, { ...ASKS_NOTHING, $NEW_KEY_SECRET: "new-key" });
  let refused = "";
  await follow("docs/guides/passwords-and-keys.md", async (block) => {
    if (block.text.includes("config set")) {
      // The old key in the configuration, as of the last `pulumi up`.
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key"));
      await expectOk(stack.up());
      await restartWithKey(api, data, "new-key");
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
  const stack = await newStack(api);
  const declare = (numReplicas: number) =>
    stack.program(`new clouddb.Service("db", { name: "db", numReplicas: ${numReplicas} });`);
  declare(2);
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
      declare(5);
    },
    async () => {
      // The preview and the update read once each.
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

test("docs/guides/ci.md: each pipeline is described, and copied", async () => {
  const page = "docs/guides/ci.md";
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
  for (const [from, to] of [
    ["github/workflows", ".github/workflows"],
    ["gitlab", "."],
    ["azure", "."],
  ] as const) {
    for (const name of readdirSync(join(root, "examples/ci", from))) {
      expect(text).toContain(`](../../examples/ci/${from}/${name})`);
      expect(statSync(join(stack.folder, to, name)).isFile()).toBe(true);
    }
  }
  expect(statSync(join(stack.folder, "policies.json")).isFile()).toBe(true);
});

/** The programs of a page, as a stack's program is written: what they import is there. */
const programsOf = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === "ts")
    .map(({ text }) => text.replace(/^import .*\n/gm, "").replace(/^export const/gm, "exports.shown ="));

test("docs/guides/resize.md: all changes of the size are one request", async () => {
  const page = "docs/guides/resize.md";
  const api = await simulated();
  const [program = ""] = programsOf(page);
  const stack = await newStack(api, `new clouddb.Service("analytics", { numReplicas: 2, maxReplicaMemoryGb: 32 });`);
  await expectOk(stack.up());
  await api.requests();
  stack.program(program);
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const [preview = ""] = await follow(page, openTerminal(stack, stack.folder, {}).run);
  expect(preview).toMatch(/numReplicas\s*: 2 => 3/);
  expect((await api.requests()).map(({ request }) => request)).toEqual(["PATCH /services/{id}/replicaScaling"]);
});

test("docs/guides/network-access.md: a changed entry is sent alone, and endpoints of others stay", async () => {
  const page = "docs/guides/network-access.md";
  const api = await simulated();
  const [access = "", ...others] = programsOf(page);
  const stack = await newStack(api, access.replace("198.51.100.7", "198.51.100.8"));
  await expectOk(stack.up());
  await api.requests();
  stack.program(access);
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  await follow(page, openTerminal(stack, stack.folder, {}).run);
  const [update, ...more] = await api.requests();
  expect(more).toEqual([]);
  expect(JSON.stringify(update).match(/\d+(\.\d+){3}[^"]*/g)).toEqual(["198.51.100.7", "198.51.100.8"]);
  for (const program of others) {
    const own = await newStack(await simulated(), program);
    await expectOk(own.up());
    await expectOk(own.up("--expect-no-changes"));
  }
});

test("docs/guides/pipes.md: a pipe is adopted with what differs", async () => {
  const api = await simulated({ seed: seed as never });
  const [program = ""] = programsOf("docs/guides/pipes.md");
  const stack = await newStack(api, program);
  await expectOk(stack.pulumi("config", "set", "serviceId", "a1b2c3d4-0001-4a53-9c1e-000000000001"));
  await expectOk(stack.pulumi("config", "set", "pipeId", "b1b2c3d4-0001-4a53-9c1e-000000000001"));
  await expectOk(stack.pulumi("config", "set", "--secret", "kafkaPassword", "hush-hush"));
  expect(await expectOk(stack.up())).not.toContain("hush-hush");
  expect((await api.requests()).map(({ request }) => request)).toEqual([
    "GET /services/{id}/pipes/{id}",
    "PATCH /services/{id}/pipes/{id}",
  ]);
});

test("docs/guides/secrets.md: a rotated secret is found, and a preview without it does not fail", async () => {
  const api = await simulated({ seed: seed as never });
  const [program = ""] = programsOf("docs/guides/secrets.md");
  const stack = await newStack(api, program);
  await expectOk(stack.pulumi("config", "set", "serviceId", "a1b2c3d4-0001-4a53-9c1e-000000000001"));
  await expectOk(stack.pulumi("config", "set", "pipeId", "b1b2c3d4-0001-4a53-9c1e-000000000001"));
  stack.environment({ KAFKA_PASSWORD: "first-hush" });
  await expectOk(stack.up());
  expect(await expectOk(stack.preview())).toContain("2 unchanged");
  stack.environment({ KAFKA_PASSWORD: "second-hush" });
  const rotated = await expectOk(stack.preview("--diff"));
  const [shown = ""] = blocksOf("docs/guides/secrets.md").flatMap(({ language, text }) =>
    language === "text" ? [text] : [],
  );
  const lines = (text: string) => text.split("\n").map((line) => line.trim().replace(/\s+:/, ":"));
  expect(lines(rotated)).toEqual(expect.arrayContaining(lines(shown).filter((line) => line !== "")));
  expect(rotated).toContain("[CDB5017]");
  expect(rotated).not.toContain("hush");
  stack.environment({ KAFKA_PASSWORD: "" });
  expect(await expectOk(stack.preview())).toMatch(/2 unchanged[\s\S]*CDB2012|CDB2012[\s\S]*2 unchanged/);
});

test("docs/guides/uninstall.md: the stack goes, and the service stays", async () => {
  const api = await simulated();
  const stack = await newStack(api, `exports.password = new clouddb.Service("db", {}).password;`);
  await expectOk(stack.up());
  const [service] = await api.services();
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const remove = { "pulumi stack rm dev": "pulumi stack rm dev --yes" };
  const terminal = openTerminal(stack, stack.folder, remove);
  const [saved = ""] = await follow("docs/guides/uninstall.md", async (block) => {
    if (block.text.startsWith("pulumi up")) stack.program(`new clouddb.Service("db", {}, { retainOnDelete: true });`);
    return terminal.run(block);
  });
  expect(saved).toMatch(/password\s+\S{8}/);
  expect(await api.services()).toEqual([service]);
  expect(await expectFailure(stack.pulumi("stack", "select", "dev"))).toContain("no stack named");
});
