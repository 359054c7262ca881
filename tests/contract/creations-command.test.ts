import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";
import { useJournal } from "./journal-setup";

/** The command `pulumi-clouddb creations` as the build has made it. */

const setup = useJournal();
const { create, records } = setup;

function command(
  args: readonly string[],
  environment: Record<string, string> = { CLOUDDB_JOURNAL: setup.folder },
  topic = "creations",
) {
  const env = { PATH: process.env.PATH, ...environment };
  const program = join(root, "provider/dist/creations.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, topic, ...args], {
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Creates a service, and returns its record. */
async function record() {
  const { id } = await create();
  const [file = { id: "", path: "", text: "{}" }] = records();
  return { ...file, serviceId: id };
}

test("provider creations lists and discards a record", async () => {
  const { id, serviceId } = await record();
  const { stdout } = command(["list"]);
  expect(stdout).toMatch(
    new RegExp(`^RECORD .*\n${id}  orders  .*  ${serviceId}  urn:pulumi:dev::`),
  );
  expect(command(["discard", id])).toMatchObject({ status: 0, stderr: "" });
  expect(command(["list"]).stdout).toBe(`The journal in ${setup.folder} holds no creation.\n`);
});

test("provider creations lists an unreadable record with its path, and all other records", async () => {
  const { id, serviceId } = await record();
  const { folder } = setup;
  const [isFolder, isDamaged, isLink] = ["0", "1", "2"].map((digit) => digit.repeat(32)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(folder, `${isFolder}.json`));
  writeFileSync(join(folder, `${isDamaged}.json`), "{");
  symlinkSync(`${isLink}.json`, join(folder, `${isLink}.json`));
  const { status, stdout } = command(["list"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`\n${id}  orders .* ${serviceId}`));
  expect(stdout).toMatch(
    new RegExp(`\n${isFolder}  \\(not readable\\) .* ${folder}/${isFolder}.json: EISDIR\n`),
  );
  expect(stdout).toContain(`${folder}/${isDamaged}.json: damaged, or of a later release`);
  expect(stdout).toContain(`${folder}/${isLink}.json: ELOOP`);
  for (const name of [id, isDamaged, isLink]) expect(command(["discard", name]).status).toBe(0);
  const refused = command(["discard", isFolder]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^pulumi-clouddb creations: cannot remove \/.*\.json: [A-Z_]+\. Run the command as .*\.\n$/,
  );
});

test.each([[["list"]], [["discard", "orders"]]])(
  "a journal that cannot be read is reported in one sentence: %j",
  (args) => {
    symlinkSync(setup.folder, setup.folder);
    const { status, stderr } = command(args);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^pulumi-clouddb creations: cannot read the journal in \/.*: ELOOP\. Run the command as .*\.\n$/,
    );
  },
);

test("provider creations prints no control character of a record", async () => {
  const { id, path, text } = await record();
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), name: "a\u001b[2J\u009b\u202e\nb" }));
  expect(command(["list"]).stdout).toContain("  a\\u{1b}[2J\\u{9b}\\u{202e}\\u{a}b  ");
  expect(command(["discard", id]).stdout).toMatch(/^[\x20-\x7e]+\n$/);
});

test("a creation with an id is discarded only by its record's id", async () => {
  const { id, serviceId } = await record();
  const { status, stderr } = command(["discard", "orders"]);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    `"orders" was created: it is service ${serviceId} of urn:pulumi:dev::test::`,
  );
  expect(stderr).toContain(`use the record's own id, ${id}.`);
  await setup.loseCreation({ name: "lost" }, setup.handlersFor("lost"));
  expect(command(["discard", "lost"]).status).toBe(0);
  expect(records().map((file) => file.id)).toEqual([id]);
});

test.each(["redis://:hunter%zz@127.0.0.1:1", "file:///srv/journal"])(
  "a place that no journal can have is one sentence without a password: %s",
  (place) => {
    const message =
      "pulumi-clouddb creations: the journal must be an absolute path, `off`, or a URL such as rediss://user:password@redis.example.com:6379, without query; encode special characters of the password.\n";
    expect(command(["list"], { CLOUDDB_JOURNAL: place })).toMatchObject({
      status: 1,
      stderr: message,
    });
    expect(command(["list", "--journal", place], {}).stderr).toBe(message);
  },
);

test("the option --journal selects the journal", async () => {
  await create();
  expect(command(["list", "--journal", setup.folder], {}).stdout).toContain("orders");
});

test.each([
  [["discard", "orders"], 'the journal has no creation "orders"; `list` shows all.'],
  [["discard"], "unknown command."],
  [["remove", "orders"], "unknown command."],
  [["list", "--wrong"], "Unknown option '--wrong'"],
  [[], "unknown command."],
])("the command %j is refused", (args, reason) => {
  const { status, stderr } = command(args);
  expect(status).toBe(1);
  expect(stderr).toContain(`pulumi-clouddb creations: ${reason}`);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("an unknown command is refused with the usage", async () => {
  await record();
  const { status, stdout, stderr } = command([], undefined, "list");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("Usage: pulumi-clouddb creations <command> [options]");
});
