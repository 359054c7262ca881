import { pulumi } from "../../versions.json";
import { blocksOf } from "../programs/support/markdown";
import { expectFailure, expectOk, newStack, type Stack, simulated, storedService, typeOf } from "./support/stack";

const db = (args: object = {}, opts = "{}", name = "db") =>
  `new clouddb.Service("${name}", ${JSON.stringify({ name: "keep", region: "us-east-1", ...args })}, ${opts});\n`;

/** The command fails without a request, and there is still only one service. */
async function expectRefused(
  stack: Stack,
  api: Awaited<ReturnType<typeof simulated>>,
  ...args: string[]
): Promise<string> {
  const output = await expectFailure(stack.pulumi(...args));
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(1);
  return output;
}

test("no service is lost or duplicated by accident", async () => {
  const api = await simulated();
  const stack = await newStack(api, db());
  await expectOk(stack.up());
  await api.requests();
  const { id, urn } = await storedService(stack);

  expect(await expectRefused(stack, api, "destroy", "--yes")).toMatch(/protect/);
  expect(await expectRefused(stack, api, "preview", "--replace", urn)).toMatch(/protect/);

  // For the engine, a rename is a removal, too.
  stack.program(db({}, "{}", "renamed"));
  expect(await expectRefused(stack, api, "preview")).toMatch(/protect/);

  stack.program(db({ region: "eu-west-1" }));
  const replacement = await expectRefused(stack, api, "preview");
  expect(replacement).toMatch(/protect/);
  expect(replacement).toContain(
    `Changing region from "us-east-1" to "eu-west-1" of service ${id} requires a new service`,
  );
  expect(replacement).toMatch(/this one would keep running and costing money.*`retainOnDelete: true`/);

  // With an alias, a rename or a move is safe.
  stack.program(db({}, `{ aliases: [{ name: "db" }] }`, "renamed"));
  await expectOk(stack.up("--expect-no-changes"));
  expect((await storedService(stack)).id).toBe(id);
});

// Older CLIs do not have the option.
(process.env.CLOUDDB_TEST_ENGINE === pulumi.newestCli ? test : test.skip)(
  "`--ignore-protect` deletes and replaces nothing",
  async () => {
    const api = await simulated();
    const stack = await newStack(api, db());
    await expectOk(stack.up());
    // Until a command has seen the service in the stack, the creation journal would give it to its replacement.
    await expectOk(stack.preview());
    await api.requests();
    expect(await expectRefused(stack, api, "destroy", "--yes", "--ignore-protect")).toContain(
      "the API cannot delete services",
    );
    stack.program(db({ region: "eu-west-1" }));
    await expectRefused(stack, api, "up", "--yes", "--ignore-protect");
  },
);

test("without protection, a replacement still fails before anything is created", async () => {
  const api = await simulated();
  const stack = await newStack(api, db({}, "{ protect: false }"));
  await expectOk(stack.up());
  await api.requests();
  stack.program(db({ region: "eu-west-1" }, "{ protect: false }"));
  const output = await expectRefused(stack, api, "up", "--yes", "--skip-preview");
  expect(output).toContain("the API cannot delete services, so it would keep running and costing money");
  stack.program("");
  expect(await expectRefused(stack, api, "up", "--yes", "--skip-preview")).toContain("`retainOnDelete: true`");
});

/** The shell blocks of docs/guides/replace.md, by what they begin with. */
function documented(begin: string): string {
  const block = blocksOf("docs/guides/replace.md").find(({ text }) => text.startsWith(begin));
  if (block === undefined) throw new Error(`docs/guides/replace.md has no block that starts with ${begin}`);
  return block.text;
}

async function untaint(stack: Stack, urn: string): Promise<void> {
  const command = documented("pulumi state untaint").replace(/'urn:.*'/, `'${urn}'`);
  await expectOk(stack.command("bash", "-e", "-c", command));
}

describe("a tainted service, or one that --replace names", () => {
  async function created(opts: string) {
    const api = await simulated();
    const stack = await newStack(api, db({}, opts));
    // With a journal, a replacement before the next command would be the same service.
    const settings = { PULUMI_SKIP_CONFIRMATIONS: "true", PULUMI_NON_INTERACTIVE: "true", CLOUDDB_JOURNAL: "off" };
    stack.environment(settings);
    await expectOk(stack.up());
    await api.requests();
    return { api, stack, ...(await storedService(stack)) };
  }
  const taint = (stack: Stack, urn: string) => expectOk(stack.pulumi("state", "taint", urn, "--yes"));

  test("fails before anything is created, protected or not, until it is untainted", async () => {
    const { api, stack, urn } = await created("{}");
    await taint(stack, urn);
    expect(await expectRefused(stack, api, "up", "--yes")).toMatch(
      /unable to replace resource .*\n?.*marked for protection/,
    );
    stack.program(db({}, "{ protect: false }"));
    expect(await expectRefused(stack, api, "up", "--yes", "--skip-preview")).toMatch(
      /the API cannot delete services.* Nothing was changed\. If it is tainted, run `pulumi state untaint`\./,
    );
    await untaint(stack, urn);
    await expectOk(stack.up());
    expect(await api.requests()).toEqual([]);
  });

  test("is created a second time if the program asks for it; the documented recovery creates no third", async () => {
    const { api, stack, id, urn } = await created("{ protect: false, deleteBeforeReplace: false }");
    await taint(stack, urn);
    expect(await expectFailure(stack.up())).toContain("the API cannot delete services");
    expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
    const newer = (await api.services()).map((item) => String(item.id)).find((text) => text !== id) ?? "";
    const listed = await expectOk(stack.command("bash", "-c", documented("pulumi stack export | jq -r")));
    for (const text of [String(id), newer]) expect(listed).toContain(`${text} ${urn}`);

    const recovery = documented("OTHER=").replace(/^OTHER=.*$/m, `OTHER=${newer}`);
    const recovered = await expectOk(stack.command("bash", "-e", "-o", "pipefail", "-c", recovery));
    expect(recovered).toContain("2 unchanged");
    await expectOk(stack.up("--expect-no-changes"));
    expect(await api.requests()).toEqual([]);
    const left = (await stack.resources()).filter(({ type }) => type === typeOf("Service"));
    expect(left).toEqual([expect.objectContaining({ id })]);
    expect(await api.services()).toHaveLength(2);
  });
});

describe("retainOnDelete releases a service", () => {
  test("that a transformation sets it on", async () => {
    const api = await simulated();
    const transformation = `pulumi.runtime.registerStackTransformation(({ props, opts }) => ({
      props, opts: pulumi.mergeOptions(opts, { protect: false, retainOnDelete: true }) }));\n`;
    const stack = await newStack(api, transformation + db());
    await expectOk(stack.up());
    await api.requests();
    await expectOk(stack.destroy());
    expect(await api.requests()).toEqual([]);
    expect(await api.services()).toHaveLength(1);
  });

  test("a replacement with it keeps the old service and creates a new one", async () => {
    const api = await simulated();
    const stack = await newStack(api, db());
    await expectOk(stack.up());
    stack.program(db({}, "{ retainOnDelete: true }"));
    await expectOk(stack.up());
    await api.requests();
    stack.program(db({ region: "eu-west-1" }, "{ retainOnDelete: true }"));
    await expectOk(stack.up());
    expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
    expect(await api.services()).toHaveLength(2);
  });
});
