import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
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

test("lists and discards a record", async () => {
  const { id } = await create("orders");
  const [file = ""] = readdirSync(folder);
  const record = file.replace(".json", "");
  expect(command(["list"]).stdout).toMatch(new RegExp(`^RECORD .*\n${record}  orders  .*  ${id}  urn:pulumi:dev::`));
  expect(command(["discard", "orders"])).toMatchObject({ status: 0, stderr: "" });
  expect(command(["list"]).stdout).toBe("The journal holds no creation.\n");
});

test("takes the journal's place as an option", async () => {
  await create("orders");
  expect(command(["list", "--journal", folder], {}).stdout).toContain("orders");
});

test.each([
  [["discard", "orders"], 'the journal has no creation "orders"; `list` shows all.'],
  [["discard"], "unknown command."],
  [["remove", "orders"], "the journal has no creation"],
  [["list", "--wrong"], "Unknown option '--wrong'"],
  [[], "unknown command."],
])("refuses %j", (args, reason) => {
  const { status, stderr } = command(args);
  expect(status).toBe(1);
  expect(stderr).toContain(`clouddb-creations: ${reason}`);
  expect(stderr).not.toMatch(/\n\s+at /);
});
