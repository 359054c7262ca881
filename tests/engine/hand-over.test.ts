import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { blocksOf } from "../programs/support/markdown";
import { expectOk, newStack, simulated } from "./support/stack";

/** The programs of the guide, with a stand-in for each cloud that stores what a resource is given in a file. */

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

const programs = blocksOf("docs/guides/hand-over-passwords.md").filter(({ language }) => language === "ts");

test.each(programs.map(({ text }) => [/"(@pulumi\/(?!pulumi").*)"/.exec(text)?.[1] ?? "", text] as const))(
  "%s gets the password as a secret, and nobody else sees it",
  async (cloud, text) => {
    const api = await simulated();
    const stack = await newStack(api);
    const store = join(stack.folder, "store");
    stack.environment({ STORE: store, PULUMI_DEBUG_COMMANDS: "true" });
    const module = join(stack.folder, "node_modules", cloud);
    mkdirSync(module, { recursive: true });
    writeFileSync(join(module, "index.js"), STAND_IN);
    const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
    writeFileSync(join(stack.folder, "index.js"), outputText);

    const log = join(stack.folder, "events.json");
    const outputs = [await expectOk(stack.preview()), await expectOk(stack.up("--diff", "--event-log", log))];
    const service = (await stack.resources()).find(({ type }) => type.endsWith("Service"));
    const exported = JSON.parse(await expectOk(stack.pulumi("stack", "export", "--show-secrets")));
    const { password } = exported.deployment.resources.find(({ urn }: { urn: string }) => urn === service?.urn).outputs;
    const value: string = JSON.parse(password.plaintext);
    expect(readFileSync(store, "utf8")).toContain(value);

    outputs.push(await expectOk(stack.pulumi("stack", "output", "--show-secrets", "--json")));
    // The SDK's own debug messages contain everything that a program declares.
    const events = readFileSync(log, "utf8").replace(/^.*"severity":"debug".*$/gm, "");
    outputs.push(events, await expectOk(stack.pulumi("stack", "export")));
    for (const output of outputs) expect(output).not.toContain(value);
    await expectOk(stack.up("--expect-no-changes"));
  },
);

test("the guide has a program for each of four stores", () => expect(programs).toHaveLength(4));
