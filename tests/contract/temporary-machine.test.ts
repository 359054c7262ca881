import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { up } from "../support/stack-model";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./service-setup";

/** The journal on machines that are thrown away after a run. */

const setup = useServices();
const CI = { CI: "true" };
const POD = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };

/** The lines about the journal while two services are created. */
async function linesOf(environment: Record<string, string>): Promise<string[]> {
  setup.restartWith({ CLOUDDB_JOURNAL: "", PULUMI_HOME: temporaryFolder("home"), ...environment });
  for (const name of ["orders", "invoices"]) {
    const { error } = await up(setup.handlers, undefined, { name });
    if (error !== undefined) throw error;
  }
  return setup.handlers.messages.filter((line) => line.includes("creation journal"));
}

test.each([CI, POD])("a creation with %j warns once that the default folder goes with the machine", async (machine) => {
  expect(await linesOf(machine)).toEqual([
    expect.stringMatching(
      /^The creation journal is in .*clouddb-creations, which a CI runner or a pod loses .*Set clouddb:journal .* \[CDB4014\]$/,
    ),
  ]);
});

test.each<[string, () => Record<string, string>]>([
  ["elsewhere", () => ({})],
  ["with CI=false", () => ({ CI: "false" })],
  ["where the journal is off", () => ({ ...CI, CLOUDDB_JOURNAL: "off" })],
  ["where a place is configured", () => ({ ...CI, CLOUDDB_JOURNAL: temporaryFolder("journal") })],
])("a creation %s does not warn about the default folder", async (_, environment) => {
  expect(await linesOf(environment())).toEqual([]);
});

test("a default folder that cannot be written is still one warning", async () => {
  const home = join(temporaryFolder("home"), "file");
  writeFileSync(home, "a file, not a folder");
  expect(await linesOf({ ...CI, PULUMI_HOME: home })).toEqual([expect.stringContaining("cannot be written")]);
});

test("a command that creates nothing does not warn", async () => {
  const { stored } = await up(setup.handlers, undefined, { name: "orders" });
  setup.restartWith({ CLOUDDB_JOURNAL: "", PULUMI_HOME: temporaryFolder("home"), ...CI });
  await setup.handlers.diff(String(stored?.id), stored?.outputs ?? {}, await setup.checkArgs({ name: "orders" }));
  expect(setup.handlers.messages).toEqual([]);
});
