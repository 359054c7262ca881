import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./service-setup";

/** The command `clouddb-creations` as the build has made it. */

const setup = useServices();
let folder: string;

beforeEach(() => {
  folder = temporaryFolder("creations");
  setup.restartWith({ CLOUDDB_JOURNAL: folder });
});

function command(args: readonly string[], environment: Record<string, string> = { CLOUDDB_JOURNAL: folder }) {
  const env = { PATH: process.env.PATH, ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "provider/dist/creations.js"), ...args], {
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

async function create(name: string) {
  return setup.handlers.create(await setup.checkArgs({ name, numReplicas: 3 }));
}

test("the command lists and discards a record", async () => {
  const { id } = await create("orders");
  const [file = ""] = readdirSync(folder);
  const record = file.replace(".json", "");
  expect(command(["list"]).stdout).toMatch(new RegExp(`^RECORD .*\n${record}  orders  .*  ${id}  urn:pulumi:dev::`));
  expect(command(["discard", record])).toMatchObject({ status: 0, stderr: "" });
  expect(command(["list"]).stdout).toBe("The journal holds no creation.\n");
});

test("an unreadable record is listed with its path, and hides no other record", async () => {
  const { id } = await create("orders");
  const [file = ""] = readdirSync(folder);
  const [isFolder, isDamaged, isLink] = ["0", "1", "2"].map((digit) => digit.repeat(32)) as [string, string, string];
  mkdirSync(join(folder, `${isFolder}.json`));
  writeFileSync(join(folder, `${isDamaged}.json`), "{");
  symlinkSync(`${isLink}.json`, join(folder, `${isLink}.json`));
  const { status, stdout } = command(["list"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`\n${file.replace(".json", "")}  orders .* ${id}`));
  expect(stdout).toMatch(new RegExp(`\n${isFolder}  \\(not readable\\) .* ${folder}/${isFolder}.json: EISDIR\n`));
  expect(stdout).toContain(`${folder}/${isDamaged}.json: damaged, or of a later release`);
  expect(stdout).toContain(`${folder}/${isLink}.json: ELOOP`);
  expect(command(["discard", file.replace(".json", "")]).status).toBe(0);
  expect(command(["discard", isDamaged]).status).toBe(0);
  expect(command(["discard", isLink]).status).toBe(0);
  const refused = command(["discard", isFolder]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^clouddb-creations: cannot remove \/.*\.json: [A-Z_]+\. Run the command as .*\.\n$/);
});

test("a journal that cannot be read is one sentence", () => {
  symlinkSync("loop", join(folder, "loop"));
  for (const args of [["list"], ["discard", "orders"]]) {
    const { status, stderr } = command(args, { CLOUDDB_JOURNAL: join(folder, "loop") });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^clouddb-creations: cannot read the journal in \/.*\/loop: ELOOP\. Run the command as .*\.\n$/,
    );
  }
});

test("the command prints no control character of a record", async () => {
  await create("orders");
  const [file = ""] = readdirSync(folder);
  const record = JSON.parse(readFileSync(join(folder, file), "utf8"));
  writeFileSync(join(folder, file), JSON.stringify({ ...record, name: "a\u001b[2J\u009b\u202e\nb" }));
  expect(command(["list"]).stdout).toContain("  a\\u{1b}[2J\\u{9b}\\u{202e}\\u{a}b  ");
  const { stdout } = command(["discard", file.replace(".json", "")]);
  expect(stdout).toMatch(/^[\x20-\x7e]+\n$/);
});

test("the command lists and discards a record of entries that an earlier release was about to add", async () => {
  await create("orders");
  const [file = ""] = readdirSync(folder);
  const { id: target, ...record } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const token = "f1b1b2d0-9d3c-4f0a-8f0e-0c9b6f3c1a2b";
  writeFileSync(join(folder, file), JSON.stringify({ ...record, name: "reporting", target, token }));
  expect(command(["list"]).stdout).toContain(`  entries of ${target}  `);
  expect(command(["discard", "reporting"]).status).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test("a creation with an id is discarded by its record's own id alone", async () => {
  const { id } = await create("orders");
  const [file = ""] = readdirSync(folder);
  const record = file.replace(".json", "");
  const { status, stderr } = command(["discard", "orders"]);
  expect(status).toBe(1);
  expect(stderr).toMatch(`"orders" was created: it is service ${id} of urn:pulumi:dev::test::`);
  expect(stderr).toContain(`use the record's own id, ${record}.`);
  await setup.api.faults({ method: "POST", effect: { kind: "reset", when: "after" } });
  await setup
    .handlersFor("lost")
    .create(await setup.checkArgs({ name: "lost" }))
    .catch(() => {});
  await setup.api.faults();
  expect(command(["discard", "lost"]).status).toBe(0);
  expect(readdirSync(folder)).toEqual([file]);
});

test("the package's own command lists and discards records, too", async () => {
  await create("orders");
  expect(command(["creations", "list"]).stdout).toContain("  orders  ");
  expect(command(["creations", "list", "--wrong"]).stderr).toMatch(/^pulumi-clouddb creations: Unknown option/);
});

test("the command takes the journal's place as an option", async () => {
  await create("orders");
  expect(command(["list", "--journal", folder], {}).stdout).toContain("orders");
});

test.each([
  [["discard", "orders"], 'the journal has no creation "orders"; `list` shows all.'],
  [["discard"], "unknown command."],
  [["remove", "orders"], "unknown command."],
  [["list", "--wrong"], "Unknown option '--wrong'"],
  [[], "unknown command."],
])("the command refuses %j", (args, reason) => {
  const { status, stderr } = command(args);
  expect(status).toBe(1);
  expect(stderr).toContain(`clouddb-creations: ${reason}`);
  expect(stderr).not.toMatch(/\n\s+at /);
});
