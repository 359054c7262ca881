import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Descendant,
  descendants,
  end,
  expectFailure,
  expectOk,
  newStack,
  type Outcome,
  type Stack,
  simulated,
  testHome,
} from "../engine/support/stack";
import { freePort } from "../support/free-port";
import { clone } from "./support/clone";
import { follow, isShell, reasonOf } from "./support/follow";
import { type Block, blocksOf, pages } from "./support/markdown";
import { openTerminal, type Terminal } from "./support/terminal";

/*
 * The shell blocks of the documentation, run in the order of each page as a reader would, on the real engine with the
 * simulator. A block that cannot be run has a comment with the reason before it, and is listed as a skipped test.
 */

// A page needs the time of all engine commands that it shows.
jest.setTimeout(600_000);
const root = join(__dirname, "../..");
const terminals: Terminal[] = [];
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.close();
});

/** Writes a file to the reader's current folder. */
function fileBlock(block: Block): Block {
  const name = block.directive?.replace("the file ", "");
  return { ...block, directive: undefined, text: `cat > ${name} <<'END-OF-FILE'\n${block.text}END-OF-FILE\n` };
}

/** A reader who has nothing but a clone: no stack, no settings, and a separate backend and Pulumi home. */
async function newReader(folder: string): Promise<(block: Block) => Promise<Outcome>> {
  const stack = await newStack(await simulated());
  const names = ["BASE_URL", "KEY_ID", "KEY_SECRET", "ORGANIZATION_ID", "OBSERVABILITY_URL", "ACCESS_TOKEN"];
  const settings = names.map((name) => [`CLOUDDB_${name}`, undefined]);
  const engine = ["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_STACK"].map((name) => [name, undefined]);
  stack.environment({ ...Object.fromEntries([...settings, ...engine]), PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, folder, {
    "pulumi login --local": `pulumi login file://${join(stack.folder, "state")}`,
    "../clouddb-packages": join(stack.folder, "clouddb-packages"),
    "../my-databases": join(stack.folder, "my-databases"),
    "../my-service": join(stack.folder, "my-service"),
    "../pulumi-clouddb": root,
    "4010": String(await freePort()),
  });
  terminals.push(terminal);
  return (block) => terminal.run(block.directive?.startsWith("the file ") ? fileBlock(block) : block);
}

test("README.md: the demo prints what the picture shows (docs/images/record-demo.mjs records it)", async () => {
  const [demo = ""] = await follow("README.md", await newReader(root));
  const printed = demo.replace(/ \(\d+(\.\d+)?s\)/g, "");
  const picture = readFileSync(join(root, "docs/images/demo.svg"), "utf8");
  const shown = [...picture.matchAll(/<text [^>]*>(.+)<\/text>/g)].map(([, text = ""]) =>
    text.replaceAll("\u00a0", " ").replaceAll("&lt;", "<").replaceAll("&amp;", "&").trim(),
  );
  expect(shown.length).toBeGreaterThan(10);
  // An ellipsis stands for what differs from run to run, or is too long.
  const missing = shown.filter((line) => !new RegExp(line.split("…").map(escaped).join(".*")).test(printed));
  expect(missing).toEqual([]);
});

test("docs/getting-started.md: from an empty folder to a service, and back", async () => {
  const printed = await follow("docs/getting-started.md", await newReader(root));
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
});

test("examples/README.md: each example runs and is cleaned up", async () => {
  const output = (await follow("examples/README.md", await newReader(clone()))).join("\n");
  for (const shown of ["analytics created", "totalGb", "vpce-0a1b2c3d4e5f60001", "liveReplicas", "alertState"]) {
    expect(output).toContain(shown);
  }
  expect(output).toContain("3 stacks: 3 updated.");
  expect(output).toContain("3 stacks: 0 with drift, 0 failed, 0 not checked in this run.");
  expect(output.match(/has been removed!/g)).toHaveLength(8);
});

test("docs/native-plugin.md: the plugin is installed", async () => {
  const printed = await follow("docs/native-plugin.md", await newReader(root));
  expect(printed.join("\n")).toMatch(/^clouddb +resource +\d+\.\d+\.\d+ /m);
});

test("docs/configuration.md", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  const terminal = openTerminal(stack, stack.folder, {});
  await follow("docs/configuration.md", terminal.run);
  expect(readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8")).not.toContain(api.keySecret);
});

test("docs/fleets.md: the address of Redis is stored as a secret", async () => {
  const stack = await newStack(await simulated());
  await follow("docs/fleets.md", openTerminal(stack, stack.folder, {}).run);
  const stored = readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8");
  expect(stored).toMatch(/clouddb:rateLimitUrl:\s+secure: /);
  expect(stored).not.toContain("redis.example.com");
});

test("docs/custom-policies.md: the tests of a custom pack pass, and the pack runs", async () => {
  const folder = mkdtempSync(join(testHome(), "custom-"));
  const output = (await follow("docs/custom-policies.md", await newReader(folder))).join("\n");
  expect(output).toMatch(/^# pass 4$/m);
  const stack = await newStack(await simulated(), `new clouddb.Service("analytics", { name: "reports" });`);
  const refused = await expectFailure(stack.preview("--policy-pack", join(folder, "company-policies")));
  expect(refused).toMatch(/\[mandatory\] {2}named-by-team/);
  expect(refused).toContain("[advisory]  access-list-required");
});

test.each(["docs/simulator.md", "simulator/README.md"])("%s prints what it shows", async (page) => {
  const printed = (await follow(page, await newReader(testHome()))).join("\n");
  const texts = blocksOf(page).filter(({ language }) => language === "text");
  for (const { text } of texts) expect(printed.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010")).toContain(text);
});

test("docs/crashes.md: after kill -9 of the engine, each service exists once", async () => {
  const api = await simulated();
  const program = (existing: Readonly<Record<string, string>>) => `
    const existing = ${JSON.stringify(existing)};
    for (const name of ["db-1", "db-2", "db-3"]) {
      new clouddb.Service(name, { region: "us-east-1", existingServiceId: existing[name] });
    }`;
  const stack = await newStack(api, program({}));
  // Each creation is carried out, and its response never arrives.
  await api.faults({ method: "POST", effect: { kind: "latency", milliseconds: 600_000, when: "after" } });
  const run = stack.started("up", "--yes", "--skip-preview");
  while ((await api.services()).length < 3) await setTimeout(50);
  const leftOver = descendants(run.pid);
  process.kill(run.pid, "SIGKILL");
  await run.ended.catch(() => undefined);
  await api.faults();
  withoutCutOffFile(stack);

  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, {});
  try {
    let listed = "";
    const printed = await follow("docs/crashes.md", async (block) => {
      if (block.text.includes("PID")) return stopEach(leftOver, listed, block, terminal, stack);
      if (block.text.includes("--clear-pending-creates")) {
        const found = (await api.services()).map(({ name, id }) => [String(name).replace(" ", "-"), String(id)]);
        stack.program(program(Object.fromEntries(found)));
      }
      const outcome = await terminal.run(block);
      if (block.text.startsWith("pgrep")) listed = outcome.output;
      return outcome;
    });
    expect(printed.join("\n").match(/^creating db \d$/gm)).toHaveLength(3);
  } finally {
    end(leftOver);
  }
  const stored = (await stack.resources()).filter(({ type }) => type.endsWith(":Service"));
  const services = (await api.services()).map(({ id }) => id);
  expect(services).toHaveLength(3);
  expect(stored.map(({ id }) => id).sort()).toEqual(services.sort());
  expect(await expectOk(stack.up("--expect-no-changes"))).not.toContain("pending operations");
});

/** Each process that is left over is listed and belongs to this project, and the commands end it. */
async function stopEach(
  processes: readonly Descendant[],
  listed: string,
  block: Block,
  terminal: Terminal,
  { folder }: Stack,
): Promise<Outcome> {
  let output = "";
  for (const { pid, isAlive } of processes) {
    // A process may have ended, or end together with another one.
    if (!isAlive()) continue;
    expect(listed).toMatch(new RegExp(`^${pid} `, "m"));
    const outcome = await terminal.run(block, { PID: String(pid) });
    if (outcome.code !== 0) return outcome;
    expect([pid, outcome.output.trim()]).toEqual([pid, folder]);
    while (isAlive()) await setTimeout(100);
    output += outcome.output;
  }
  expect(output).not.toBe("");
  return { code: 0, output };
}

/** The instructions of step 2 about "failed to load checkpoint: EOF". */
function withoutCutOffFile({ folder }: Stack): void {
  const file = join(folder, "state/.pulumi/stacks/test/dev.json.attrs");
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
}

describe("blocks that are not run", () => {
  const blocks = pages()
    .flatMap(blocksOf)
    .filter((block) => isShell(block) && reasonOf(block) !== undefined);
  for (const block of blocks) test.skip(`${block.page}:${block.line}, ${reasonOf(block)}`, () => {});
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
