import { join } from "node:path";
import { resources } from "../../provider/resources";
import { functions } from "../../provider/resources/functions";
import { nameIn } from "../../tools/generate/language-types";
import { expectOk, newStack, type Stack, simulated } from "../engine/support/stack";
import { root } from "../support/root";
import { inLanguage, mypy } from "./support";

/** The generated SDKs, with the tools of their languages. */

let stack: Stack;
beforeAll(async () => {
  stack = await newStack(await simulated());
});

const snakeCase = (name: string) => nameIn("python", [name]);
const inFolder = (folder: string, command: string) =>
  expectOk(stack.command("sh", "-c", `cd ${join(root, folder)} && ${command}`));

inLanguage("python", () => {
  test("the SDK has every resource, argument and function, documented and in Python's spelling", async () => {
    const classes = Object.keys(resources);
    const names = [...classes, ...classes.map((name) => `${name}Args`), ...Object.keys(functions).map(snakeCase)];
    const program = `
import inspect, json
import pulumi_clouddb as clouddb
def described(name):
  member = getattr(clouddb, name)
  return [list(inspect.signature(member).parameters), inspect.getdoc(member.__init__ if inspect.isclass(member) else member)]
print(json.dumps({name: described(name) for name in ${JSON.stringify(names)}}))`;
    const printed = await expectOk(stack.command("python3", "-c", program));
    const members = JSON.parse(printed) as Record<string, [parameters: string[], doc: string]>;
    for (const [name, { definition }] of Object.entries(resources)) {
      expect(members[`${name}Args`]?.[0]).toEqual(
        expect.arrayContaining(Object.keys(definition.fields).map(snakeCase)),
      );
    }
    for (const [name, { doc, args }] of Object.entries(functions)) {
      const [parameters, text = ""] = members[snakeCase(name)] ?? [];
      expect(parameters).toEqual([...Object.keys(args).map(snakeCase).sort(), "opts"]);
      expect(text).toContain(doc);
    }
    expect(members.ServiceArgs?.[1]).toContain(
      ":param pulumi.Input[Union[_builtins.str, 'ServiceRegion']] region: The cloud provider's region",
    );
  });

  test.each(["quickstart", "pipeline"])("mypy and pyright accept the example %s", async (name) => {
    const folder = `examples/${name}-python`;
    await inFolder(folder, `${mypy.join(" ")} --strict __main__.py`);
    await inFolder(folder, `${process.execPath} ${join(root, "node_modules/pyright/index.js")} __main__.py`);
  });

  test("mypy accepts the SDK, but for what the generator writes into every SDK", async () => {
    const { output } = await stack.command(
      "sh",
      "-c",
      `cd ${join(root, "sdks/python")} && ${mypy.join(" ")} -p pulumi_clouddb`,
    );
    const errors = output.split("\n").filter((line) => line.includes(": error: "));
    const ours = errors.filter(
      (line) => !/\/(_utilities|config\/\w+)\.pyi?:|Need type annotation for "__args__"/.test(line),
    );
    expect([ours, output]).toEqual([[], expect.stringMatching(/Found \d+ errors? in|Success/)]);
  });
});

inLanguage("go", () => {
  test.each(["quickstart", "pipeline"])("go vet accepts the SDK and the example %s", async (name) => {
    await inFolder(
      `examples/${name}-go`,
      "CGO_ENABLED=0 go vet -mod=readonly . github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb/...",
    );
  });
});
