import { expectFailure, expectOk, newStack, type Stack, simulated } from "../engine/support/stack";
import { blocksOf } from "../programs/support/markdown";
import type { TestApi } from "../support/api";
import { type DeclaredService, inLanguage, type Language, requestsTo, writeProgram } from "./support";

/*
 * The packages of Python, Go and Java protect services by default, YAML cannot: the effect of the option `protect`,
 * what holds without it, and what only the option can prevent.
 */

const URN = "urn:pulumi:dev::test::clouddb:index:Service::db";
const PROTECTED =
  /unable to replace resource "urn.*\n\s*as it is currently marked for protection|because it is protected/;
const STAYS = "the API cannot delete services, so it would keep running and costing money";
const ELSEWHERE = { region: "eu-west-1" };
const documented = blocksOf("docs/guides/replace.md");

let api: TestApi;
let stack: Stack;

/** A stack with the service `db`. */
async function created(language: Language, options: object): Promise<void> {
  api = await simulated();
  stack = await newStack(api);
  writeProgram(stack, language, [{ options }]);
  await expectOk(stack.up());
  expect(await requestsTo(api)).toEqual(["POST /services"]);
}

/** The command fails without a request, so there is still one service. */
async function expectRefused(sentence: RegExp | string, ...args: string[]): Promise<void> {
  const output = await expectFailure(stack.pulumi(...args));
  expect(output).toEqual(
    typeof sentence === "string" ? expect.stringContaining(sentence) : expect.stringMatching(sentence),
  );
  expect(await requestsTo(api)).toEqual([]);
}

/** A service is protected unless the program decides otherwise: see the tests in YAML for what follows from it. */
function protectsByDefault(language: Language, undecided = {}): void {
  test("without an option, a service is protected, and released with retainOnDelete", async () => {
    await created(language, undecided);
    await expectRefused(PROTECTED, "destroy", "--yes");
    writeProgram(stack, language, [{ args: ELSEWHERE }]);
    await expectRefused(PROTECTED, "up", "--yes");
    writeProgram(stack, language, [{ options: { protect: false } }]);
    await expectOk(stack.up());
    await expectRefused(STAYS, "up", "--yes", "--skip-preview", "--replace", URN);
    writeProgram(stack, language, [{ options: { retainOnDelete: true } }]);
    await expectOk(stack.up());
    await expectOk(stack.destroy());
    expect(await requestsTo(api)).toEqual([]);
    expect(await api.services()).toHaveLength(1);
  });
}

inLanguage("python", () => protectsByDefault("python", { protect: null }));
inLanguage("go", () => protectsByDefault("go"));
inLanguage("java", () => protectsByDefault("java", { protect: null }));

inLanguage("yaml", () => {
  const declare = (...services: DeclaredService[]) => writeProgram(stack, "yaml", services);

  test("a protected service survives destroy and replacement, without a second POST", async () => {
    const options = { protect: true };
    await created("yaml", options);
    await expectRefused(PROTECTED, "destroy", "--yes");
    await expectRefused(PROTECTED, "up", "--yes", "--replace", URN);
    await expectRefused(PROTECTED, "up", "--yes", "--skip-preview", "--replace", URN);
    declare({ options, args: ELSEWHERE });
    await expectRefused(PROTECTED, "up", "--yes");
    await expectRefused('Changing region from "us-east-1" to "eu-west-1"', "up", "--yes", "--skip-preview");
    declare({ options: { ...options, deleteBeforeReplace: false }, args: ELSEWHERE });
    await expectRefused(PROTECTED, "up", "--yes");
    declare({ options, name: "renamed" });
    await expectRefused(PROTECTED, "up", "--yes");
    declare();
    await expectRefused(PROTECTED, "up", "--yes");
    declare({ options });
    await expectOk(stack.pulumi("state", "taint", "--yes", URN));
    await expectRefused(PROTECTED, "up", "--yes");
    await expectOk(stack.pulumi("state", "untaint", "--yes", URN));
    declare({ name: "renamed", options: { ...options, aliases: [URN] } });
    expect(await expectOk(stack.up())).toContain("2 unchanged");
    expect(await requestsTo(api)).toEqual([]);
  });

  test("without protection, a destroy, a removal and another region still fail before anything is done", async () => {
    await created("yaml", { protect: false });
    await expectRefused(STAYS, "destroy", "--yes");
    declare({ options: { protect: false }, args: ELSEWHERE });
    await expectRefused(STAYS, "up", "--yes", "--skip-preview");
    declare();
    await expectRefused(STAYS, "up", "--yes", "--skip-preview");
    expect(await api.services()).toHaveLength(1);
  });
});

/*
 * The engine does not tell a plugin about protection, and in these cases nothing of the old service: the plugin sees a
 * creation like any other. The documentation lists these limits, and the way back; nothing is lost, since the state contains both services.
 */
inLanguage("yaml", () => {
  test.each<[string, DeclaredService, string[], { protect?: boolean }]>([
    ["`--replace` without protection", {}, ["--replace", URN], {}],
    ["another name without protection and alias", { name: "renamed" }, [], {}],
    [
      "another name in an update without preview, which is where protection is looked at",
      { name: "renamed" },
      [],
      { protect: true },
    ],
    ["`deleteBeforeReplace: false`", { args: ELSEWHERE, options: { deleteBeforeReplace: false } }, [], {}],
  ])("known limit: %s creates a second service, and then fails", async (_, service, args, options) => {
    await created("yaml", options);
    // The journal forgets a creation once a later command sees the service in the stack. This preview is that command.
    await expectOk(stack.preview());
    writeProgram(stack, "yaml", [{ ...service, options: { ...options, ...service.options } }]);
    const output = await expectFailure(stack.pulumi("up", "--yes", "--skip-preview", ...args));
    expect(output).toEqual(options.protect ? expect.stringMatching(PROTECTED) : expect.stringContaining(STAYS));
    expect(await requestsTo(api)).toEqual(["POST /services"]);
    const stored = (await stack.resources()).filter(({ type }) => type === "clouddb:index:Service").map(({ id }) => id);
    const existing = (await api.services()).map(({ id }) => id);
    expect(existing).toHaveLength(2);
    expect(stored.sort()).toEqual([...existing].sort());

    // The way back, as the documentation shows it: the older service stays, and the program is what it was.
    const [older = "", newer = ""] = existing;
    const [list, remove] = ["pulumi stack export | jq -r", "OTHER="].map((begin) =>
      documented.find(({ text }) => text.startsWith(begin)),
    );
    const listed = await expectOk(stack.command("bash", "-c", list?.text ?? ""));
    for (const id of existing) expect(listed).toContain(`${id} ${URN.replace(/::db$/, "")}`);
    writeProgram(stack, "yaml", [{ options }]);
    stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true", PULUMI_NON_INTERACTIVE: "true" });
    const recovery = (remove?.text ?? "").replace(/^OTHER=.*$/m, `OTHER=${newer}`);
    expect(await expectOk(stack.command("bash", "-e", "-o", "pipefail", "-c", recovery))).toContain("2 unchanged");
    expect(await requestsTo(api)).toEqual([]);
    const left = (await stack.resources()).filter(({ type }) => type === "clouddb:index:Service");
    expect(left).toMatchObject([{ id: older }]);
    expect(left[0]).not.toHaveProperty("delete");
  });

  test("`--replace` right after the creation takes the same service, and deletes nothing", async () => {
    await created("yaml", {});
    const output = await expectOk(stack.pulumi("up", "--yes", "--skip-preview", "--replace", URN));
    expect(output).toMatch(/Taking service .*, which an earlier command created at .*\[CDB4011\]/);
    expect(output).toMatch(/Service .* is the one that its replacement has taken into the stack: it was not deleted/);
    expect((await requestsTo(api)).filter((request) => request.startsWith("POST"))).toEqual([]);
    const stored = (await stack.resources()).filter(({ type }) => type === "clouddb:index:Service");
    expect(stored).toMatchObject([{ id: (await api.services())[0]?.id }]);
    expect(await expectOk(stack.up())).toContain("2 unchanged");
  });
});
