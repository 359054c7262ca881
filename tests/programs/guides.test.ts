import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { eventsIn } from "../engine/support/canaries";
import {
  expectFailure,
  newStack,
  restartWithNewKey,
  simulated,
  testHome,
} from "../engine/support/stack";
import { EXAMPLE, exampleSeed } from "../support/example";
import { publishedRegistry } from "../support/registry";
import { root } from "../support/root";
import { blocksOf } from "./support/markdown";
import { follow, openTerminal } from "./support/reader";

/** The commands of docs/guides/, and their documented effects. */

/** Pulumi rejects PULUMI_SKIP_CONFIRMATIONS for a command that asks nothing. */
const ASKS_NOTHING = {
  "pulumi refresh --preview-only": "PULUMI_SKIP_CONFIRMATIONS=false pulumi refresh --preview-only",
};

test("docs/guides/passwords-and-keys.md: old keys work until they are revoked, and new keys afterwards", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const api = await simulated({ data, keySecret: "old-key" });
  const stack = await newStack(api, `new clouddb.Service("db", {});`);
  await stack.up();
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, {
    ...ASKS_NOTHING,
    $NEW_KEY_SECRET: "new-key",
  });
  await follow("docs/guides/passwords-and-keys.md", async (block) => {
    if (block.text.includes("config set")) {
      // The old key in the configuration, as of the last `pulumi up`.
      await stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key");
      await stack.up();
      await restartWithNewKey(api, data);
    }
    return terminal.run(block);
  });
  stack.environment({ CLOUDDB_KEY_SECRET: "new-key" });
  await stack.refresh("--expect-no-changes");
  expect(readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8")).not.toContain("keySecret");
});

test("docs/guides/drift.md: drift is shown, undone and accepted", async () => {
  const api = await simulated();
  const program = (numReplicas: number) =>
    `new clouddb.Service("db", { name: "db", numReplicas: ${numReplicas} });`;
  const stack = await newStack(api, program(2));
  await stack.up();
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, ASKS_NOTHING);
  const [service] = await api.services();
  const change = () =>
    api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 5, idleScaling: false });

  await change();
  const replicas: unknown[] = [];
  const [seen] = await follow("docs/guides/drift.md", async (block) => {
    const outcome = await terminal.run(block);
    replicas.push((await api.services())[0]?.numReplicas);
    if (replicas.length === 2) {
      await change();
      stack.program(program(5));
    }
    return outcome;
  });
  expect(seen).toMatch(/numReplicas\s*: 2 => 5/);
  expect(seen).not.toContain("idleScaling: true => false");
  expect(replicas).toEqual([5, 2, 5]);
});

test("docs/guides/upgrade.md: a saved state is restored", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", {});`);
  await stack.up();
  const terminal = openTerminal(stack, stack.folder, {});
  const printed = await follow("docs/guides/upgrade.md", terminal.run);
  expect(printed[1]).toContain("2 unchanged");
  expect(printed.at(-1)).toContain("Import complete");
  await stack.up("--expect-no-changes");
});

test("docs/guides/ci.md: each pipeline is copied", async () => {
  const stack = await newStack(await simulated());
  const registry = await publishedRegistry();
  stack.environment({ npm_config_registry: registry.url, npm_config_prefer_offline: "true" });
  writeFileSync(join(stack.folder, "package.json"), "{}");
  const terminal = openTerminal(stack, stack.folder, { "../pulumi-clouddb": root });
  await follow("docs/guides/ci.md", terminal.run);
  for (const [from, to] of [
    ["github/workflows", ".github/workflows"],
    ["gitlab", "."],
    ["azure", "."],
  ] as const) {
    for (const name of readdirSync(join(root, "examples/ci", from))) {
      expect(statSync(join(stack.folder, to, name)).isFile()).toBe(true);
    }
  }
  expect(statSync(join(stack.folder, "policies.json")).isFile()).toBe(true);
});

/** The programs of a page, as a stack's program is written: what they import is there. */
const programsOf = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === "ts")
    .map(({ text }) =>
      text.replace(/^import .*\n/gm, "").replace(/^export const/gm, "exports.shown ="),
    );

test.each([
  [
    "resize",
    () => `new clouddb.Service("analytics", { numReplicas: 2, maxReplicaMemoryGb: 32 });`,
    "PATCH /services/{id}/replicaScaling",
  ],
  [
    "network-access",
    (text: string) => text.replace("198.51.100.7", "198.51.100.8"),
    "PATCH /services/{id}",
  ],
])("docs/guides/%s.md: the program's change sends one request", async (name, before, request) => {
  const page = `docs/guides/${name}.md`;
  const api = await simulated();
  const [program = ""] = programsOf(page);
  const stack = await newStack(api, before(program));
  await stack.up();
  await api.requests();
  stack.program(program);
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  await follow(page, openTerminal(stack, stack.folder, {}).run);
  expect(await api.requestNames()).toEqual([request]);
});

test("docs/guides/secrets.md: a preview finds a rotated secret, and succeeds without the secret", async () => {
  const api = await simulated({ seed: exampleSeed });
  const [program = ""] = programsOf("docs/guides/secrets.md");
  const stack = await newStack(api, program);
  await stack.pulumi("config", "set", "serviceId", EXAMPLE.service);
  await stack.pulumi("config", "set", "pipeId", EXAMPLE.pipes.kafka);
  stack.environment({ KAFKA_PASSWORD: "first-hush" });
  await stack.up();
  expect(await stack.preview()).toContain("2 unchanged");
  stack.environment({ KAFKA_PASSWORD: "second-hush" });
  const rotated = await stack.preview("--diff");
  const [shown = ""] = blocksOf("docs/guides/secrets.md").flatMap(({ language, text }) =>
    language === "text" ? [text] : [],
  );
  const lines = (text: string) => text.split("\n").map((line) => line.trim().replace(/\s+:/, ":"));
  expect(lines(rotated)).toEqual(
    expect.arrayContaining(lines(shown).filter((line) => line !== "")),
  );
  expect(rotated).toContain("[CDB5017]");
  expect(rotated).not.toContain("hush");
  stack.environment({ KAFKA_PASSWORD: "" });
  expect(await stack.preview()).toMatch(/2 unchanged[\s\S]*CDB2012|CDB2012[\s\S]*2 unchanged/);
});

test("docs/guides/uninstall.md: the stack is removed, and the service keeps running", async () => {
  const api = await simulated();
  const stack = await newStack(api, `exports.password = new clouddb.Service("db", {}).password;`);
  await stack.up();
  const [service] = await api.services();
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const remove = { "pulumi stack rm dev": "pulumi stack rm dev --yes" };
  const terminal = openTerminal(stack, stack.folder, remove);
  const [saved = ""] = await follow("docs/guides/uninstall.md", async (block) => {
    if (block.text.startsWith("pulumi up"))
      stack.program(`new clouddb.Service("db", {}, { retainOnDelete: true });`);
    return terminal.run(block);
  });
  expect(saved).toMatch(/password\s+\S{8}/);
  expect(await api.services()).toEqual([service]);
  expect(await expectFailure(stack.pulumi("stack", "select", "dev"))).toContain("no stack named");
});

/** Stands in for each cloud: it stores what a resource is given in a file. */
const STAND_IN = `
const pulumi = require("@pulumi/pulumi");
const provider = {
  async create(inputs) {
    require("fs").appendFileSync(process.env.STORE, JSON.stringify(inputs));
    return { id: "stored", outs: inputs };
  },
};
const members = (make) => new Proxy({}, { get: (_, name) => (name === "__esModule" ? false : make(name)) });
const resource = (type) =>
  class extends pulumi.dynamic.Resource {
    constructor(name, args = {}) {
      super(provider, name, { path: "stored", ...args }, {}, "store", type);
    }
  };
module.exports = members(() => members(resource));
`;

const handOvers = blocksOf("docs/guides/hand-over-passwords.md").filter(
  ({ language }) => language === "ts",
);

test.each(
  handOvers.map(({ text }) => [/"(@pulumi\/(?!pulumi").*)"/.exec(text)?.[1] ?? "", text] as const),
)(
  "docs/guides/hand-over-passwords.md: only %s gets the password, as a secret",
  async (cloud, text) => {
    const api = await simulated();
    const stack = await newStack(api);
    const store = join(stack.folder, "store");
    stack.environment({ STORE: store, PULUMI_DEBUG_COMMANDS: "true" });
    const module = join(stack.folder, "node_modules", cloud);
    mkdirSync(module, { recursive: true });
    writeFileSync(join(module, "index.js"), STAND_IN);
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.CommonJS },
    });
    writeFileSync(join(stack.folder, "index.js"), outputText);

    const log = join(stack.folder, "events.json");
    const outputs = [await stack.preview(), await stack.up("--diff", "--event-log", log)];
    const service = (await stack.resources()).find(({ type }) => type.endsWith("Service"));
    const exported = JSON.parse(await stack.pulumi("stack", "export", "--show-secrets"));
    const { password } = exported.deployment.resources.find(
      ({ urn }: { urn: string }) => urn === service?.urn,
    ).outputs;
    const value: string = JSON.parse(password.plaintext);
    expect(readFileSync(store, "utf8")).toContain(value);

    outputs.push(await stack.pulumi("stack", "output", "--show-secrets", "--json"));
    outputs.push(eventsIn(log), await stack.pulumi("stack", "export"));
    for (const output of outputs) expect(output).not.toContain(value);
    await stack.up("--expect-no-changes");
  },
);

test("docs/guides/hand-over-passwords.md: each of the four stores has a program", () => {
  expect(handOvers).toHaveLength(4);
});
