import { pulumi } from "../../versions.json";
import { blocksOf } from "../programs/support/markdown";
import {
  expectFailure,
  expectOk,
  newStack,
  type Stack,
  simulated,
  storedService,
  storedServices,
} from "./support/stack";

const db = (args: object = {}, opts = "{}", name = "db") =>
  `new clouddb.Service("${name}", ${JSON.stringify({ name: "keep", region: "us-east-1", ...args })}, ${opts});\n`;
const ELSEWHERE = { region: "eu-west-1" };
const STAYS = "the API cannot delete services, so it would keep running and costing money";

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

/** The shell blocks of docs/guides/replace.md, by what they begin with. */
function documented(begin: string): string {
  const block = blocksOf("docs/guides/replace.md").find(({ text }) => text.startsWith(begin));
  if (block === undefined)
    throw new Error(`docs/guides/replace.md has no block that starts with ${begin}`);
  return block.text;
}

async function created(opts: string) {
  const api = await simulated();
  const stack = await newStack(api, db({}, opts));
  // With a journal, a replacement before the next command would be the same service.
  const settings = {
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_NON_INTERACTIVE: "true",
    CLOUDDB_JOURNAL: "off",
  };
  stack.environment(settings);
  await stack.up();
  await api.requests();
  return { api, stack, ...(await storedService(stack)) };
}

test("no service is lost or duplicated by accident, and retainOnDelete releases it", async () => {
  const { api, stack, id, urn } = await created("{}");
  const refused = (...args: string[]) => expectRefused(stack, api, ...args);
  expect(await refused("destroy", "--yes")).toMatch(/protect/);
  expect(await refused("preview", "--replace", urn)).toMatch(/protect/);

  // For the engine, a rename is a removal, too.
  stack.program(db({}, "{}", "renamed"));
  expect(await refused("preview")).toMatch(/protect/);

  stack.program(db(ELSEWHERE));
  const replacement = await refused("preview");
  expect(replacement).toMatch(/protect/);
  expect(replacement).toContain(
    `Changing region from "us-east-1" to "eu-west-1" of service ${id} requires a new, empty service`,
  );
  expect(replacement).toMatch(/Without `retainOnDelete: true`.* save the password first/);

  // A tainted service is to be replaced, whatever the program declares.
  stack.program(db());
  await stack.pulumi("state", "taint", urn, "--yes");
  expect(await refused("up", "--yes")).toMatch(
    /unable to replace resource .*\n?.*marked for protection/,
  );
  stack.program(db({}, "{ protect: false }"));
  expect(await refused("up", "--yes", "--skip-preview")).toMatch(
    /the API cannot delete services.* The service was not changed\. If it is tainted, run `pulumi state untaint`\./,
  );
  const untaint = documented("pulumi state untaint").replace(/'urn:.*'/, `'${urn}'`);
  await expectOk(stack.command("bash", "-e", "-c", untaint));

  // With an alias, a rename or a move is safe.
  stack.program(db({}, `{ protect: false, aliases: [{ name: "db" }] }`, "renamed"));
  await stack.up();
  expect((await storedService(stack)).id).toBe(id);
  expect(await api.requests()).toEqual([]);

  // Without protection, a replacement and a removal still fail before anything is created.
  stack.program(db(ELSEWHERE, "{ protect: false }", "renamed"));
  expect(await refused("up", "--yes", "--skip-preview")).toContain(STAYS);
  stack.program("");
  expect(await refused("up", "--yes", "--skip-preview")).toContain("`retainOnDelete: true`");

  // A replacement keeps the old service and creates a new one.
  const transformation = `pulumi.runtime.registerStackTransformation(({ props, opts }) => ({
    props, opts: pulumi.mergeOptions(opts, { protect: false, retainOnDelete: true }) }));\n`;
  stack.program(transformation + db({}, "{}", "renamed"));
  await stack.up();
  stack.program(transformation + db(ELSEWHERE, "{}", "renamed"));
  await stack.up();
  expect(await api.requestNames()).toEqual(["POST /services"]);
  await stack.destroy();
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(2);
});

// The oldest CLI does not have the option.
(process.env.CLOUDDB_TEST_ENGINE === pulumi.oldest ? test.skip : test)(
  "`--ignore-protect` deletes and replaces nothing",
  async () => {
    const { api, stack } = await created("{}");
    expect(await expectRefused(stack, api, "destroy", "--yes", "--ignore-protect")).toContain(
      "the API cannot delete services",
    );
    stack.program(db(ELSEWHERE));
    await expectRefused(stack, api, "up", "--yes", "--ignore-protect");
  },
);

test("a tainted service is created a second time if the program asks for it; the documented recovery creates no third", async () => {
  const { api, stack, id, urn } = await created("{ protect: false, deleteBeforeReplace: false }");
  await stack.pulumi("state", "taint", urn, "--yes");
  expect(await expectFailure(stack.up())).toContain("the API cannot delete services");
  expect(await api.requestNames()).toEqual(["POST /services"]);
  const newer =
    (await api.services()).map((item) => String(item.id)).find((text) => text !== id) ?? "";
  const listed = await expectOk(
    stack.command("bash", "-c", documented("pulumi stack export | jq -r")),
  );
  for (const text of [String(id), newer]) expect(listed).toContain(`${text} ${urn}`);

  const recovery = documented("OTHER=").replace(/^OTHER=.*$/m, `OTHER=${newer}`);
  const recovered = await expectOk(stack.command("bash", "-e", "-o", "pipefail", "-c", recovery));
  expect(recovered).toContain("2 unchanged");
  expect(await api.requests()).toEqual([]);
  const left = await storedServices(stack);
  expect(left).toEqual([expect.objectContaining({ id })]);
  expect(await api.services()).toHaveLength(2);
});
