import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";
import { type Block, blocksOf, pages } from "./support/markdown";

/** The settings of `pulumi new typescript`, to the letter. */
const TEMPLATE = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  module: "commonjs",
  moduleResolution: "node",
  sourceMap: true,
  experimentalDecorators: true,
  pretty: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};
const NODE_NEXT = {
  strict: true,
  target: "es2022",
  module: "nodenext",
  exactOptionalPropertyTypes: true,
};

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
const provider = new clouddb.Provider("account", { keyId: config.require("keyId"), organizationTier: "SCALE" });
const service = new clouddb.Service("service", {
  provider: "aws",
  region: config.require("region"),
  tier: config.requireSecret("tier"),
  complianceType: pulumi.output("hipaa"),
  profile: "a profile of next month",
  ipAccessList: [{ source: config.require("office") }],
}, { provider });
new clouddb.Service("beside", { region: service.region.apply((region) => region ?? "us-east-1") });
new clouddb.ServiceScaling("size", { serviceId: service.id, numReplicas: 3 });
new clouddb.Organization("organization", { name: "name" });
const pipe = new clouddb.Pipe("pipe", { serviceId: service.id, pipeId: "id", source: { kafka: { iamRole: "role" } } });
// @ts-expect-error a misspelt argument
new clouddb.Service("other", { regoin: "us-east-1" });
// @ts-expect-error a missing required argument
new clouddb.Pipe("nothing", {});

// @ts-expect-error only a service in a BYOC region has it
export const byocRegion: pulumi.Output<string> = service.byocId;
// @ts-expect-error only a service with transparent data encryption has it
export const role: pulumi.Output<string> = service.encryptionRoleId;
export const hosts = service.serviceEndpoints.apply((endpoints) => endpoints.map(({ host }) => host));
export const region: pulumi.Output<string | undefined> = service.region;
export const password: pulumi.Output<string | undefined> = service.password;
export const state = pipe.state;
export const read: Promise<clouddb.GetServiceResult> = clouddb.getService({ serviceId: "id" });
export const alert: pulumi.Output<string | undefined> = clouddb.getAlertOutput({ id: "id" }).name;
export const settings = clouddb.getPipeSettingsOutput({ serviceId: service.id, pipeId: pipe.id }, { provider });

class Mine extends clouddb.Service {
  constructor(name: string, readonly team: string, args: clouddb.ServiceArgs) {
    super(name, args, { protect: true });
  }
}
export const mine: clouddb.Service = new Mine("mine", "data", {});
export const found: InstanceType<typeof clouddb.Service>[] = [mine, pipe].filter(clouddb.Service.isInstance);
const place: clouddb.PipeState = { serviceId: service.id };
export const existing: clouddb.Pipe = clouddb.Pipe.get("existing", "id", place, { provider });
export const same: clouddb.ServiceState & clouddb.ServiceScalingState = { organizationId: "id" };
const { numReplicas }: clouddb.ServiceScalingOutputs = clouddb.ServiceScaling.get("read", "id", same);
export const replicas: pulumi.Output<number> = numReplicas;
// @ts-expect-error the outputs of a class are read-only
service.numReplicas = replicas;
// @ts-expect-error the service of a pipe is required
clouddb.Pipe.get("nowhere", "id", {});
// @ts-expect-error the API cannot read an organization
clouddb.Organization.get("organization", "id");
`;

/**
 * The compiler's messages about a project with the packed packages, and all files that it has read.
 */
function compiled(
  compilerOptions: object,
  sources: Readonly<Record<string, string>>,
  packageJson: object = {},
) {
  const folder = mkdtempSync(join(testHome(), "types-"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...packageJson }));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: Object.keys(sources) }),
  );
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const tsc = join(testHome(), "node_modules/typescript/bin/tsc");
  const args = [tsc, "--noEmit", "--pretty", "false", "--listFiles"];
  return new Promise<{ problems: string[]; files: string[] }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1e8 }, (_, stdout) => {
      const lines = stdout.split("\n").filter((line) => line !== "");
      const files = lines.filter((line) => line.startsWith("/"));
      resolve({ files, problems: lines.filter((line) => !line.startsWith("/")) });
    });
  });
}

const ofOthers = (files: readonly string[]) =>
  files.filter((file) => /\/node_modules\/(zod|axios|ipaddr\.js)\//.test(file));

const ENTRIES = ["pulumi-clouddb", "pulumi-clouddb/native"];
const importing = (entry: string) => PROGRAM.replace('"pulumi-clouddb"', `"${entry}"`);

test.each(ENTRIES)(
  "a project from Pulumi's template compiles %s, without other libraries' types",
  async (entry) => {
    const { problems, files } = await compiled(TEMPLATE, { "index.ts": importing(entry) });
    expect(problems).toEqual([]);
    expect(files).toContainEqual(
      expect.stringContaining("/node_modules/pulumi-clouddb/dist/index.d.ts"),
    );
    expect(ofOthers(files)).toEqual([]);
  },
);

test.each(ENTRIES)(
  "an ES module under NodeNext uses %s with the runtime, and the types of its exports are declared",
  async (entry) => {
    const more = `import { service as handler } from "pulumi-clouddb/runtime";
    export { provider, service, pipe };
    export const create = handler.create;
    export const read2 = clouddb.getPipeOutput({ serviceId: "id", pipeId: "id" });`;
    const options = { ...NODE_NEXT, declaration: true };
    const { problems, files } = await compiled(
      options,
      { "index.ts": `${importing(entry)}\n${more}` },
      { type: "module" },
    );
    expect(problems).toEqual([]);
    expect(ofOthers(files)).toEqual([]);
  },
);

/** An editor with a program of one line. */
function editorWith(line: string) {
  const file = join(testHome(), "program.ts");
  writeFileSync(file, `${line}\n`);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.CommonJS }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(ts.sys.readFile(path) ?? ""),
    getCurrentDirectory: testHome,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  return { file, service };
}

test("editors suggest listed values, and other values compile", () => {
  const before = `import { Service } from "pulumi-clouddb"; new Service("name", { provider: "`;
  const { file, service } = editorWith(`${before}" });`);
  const offered = service
    .getCompletionsAtPosition(file, before.length, undefined)
    ?.entries.map(({ name }) => name);
  expect(offered?.sort()).toEqual(["aws", "azure", "gcp"]);
});

test.each(ENTRIES)("go to definition of a resource of %s opens its class", (entry) => {
  const before = `import * as clouddb from "${entry}"; new clouddb.`;
  const { file, service } = editorWith(`${before}Service("name");`);
  const definitions = service.getDefinitionAtPosition(file, before.length);
  const [first, ...more] = definitions?.map(({ kind, name }) => [kind, name]) ?? [];
  expect(first).toEqual(["class", "Service"]);
  expect(more).toEqual([["constructor", "__constructor"]]);
  const { documentation } = service.getQuickInfoAtPosition(file, before.length) ?? {};
  expect(ts.displayPartsToString(documentation)).toContain("A database service.");
});

/** CommonJS modules, as in a new Pulumi project: `await` at the top level is an error. */
const SAMPLES = {
  strict: true,
  target: "es2022",
  module: "node16",
  skipLibCheck: true,
  types: ["node", "jest"],
};
const LANGUAGES = ["ts", "typescript", "js", "javascript"];
const IMPORTS: Readonly<Record<string, string>> = {
  clouddb: "pulumi-clouddb",
  pulumi: "@pulumi/pulumi",
};
/** Packages that pages use and the tests do not install. */
const STORES = ["aws", "azure-native", "gcp", "vault"]
  .map((name) => `declare module "@pulumi/${name}";`)
  .join("\n");

/**
 * The sample as a module. One without imports is an excerpt of a program; the line numbers stay
 * those of the page.
 */
function moduleFrom({ text }: Block): string {
  const isWhole = /^import /m.test(text);
  const used = Object.keys(IMPORTS).filter(
    (name) => !isWhole && new RegExp(`\\b${name}\\.`).test(text),
  );
  const imports = used.map((name) => `import * as ${name} from "${IMPORTS[name]}";`);
  return `${[...imports, "export {};"].join(" ")} ${text}`;
}

test("every code sample of every page compiles with the packed packages", async () => {
  const samples = pages()
    .flatMap(blocksOf)
    .filter(({ language }) => LANGUAGES.includes(language))
    // A script that is a file of its page is run with the page's commands.
    .filter(
      ({ language, directive = "" }) => !(language === "js" && directive.startsWith("the file ")),
    );
  expect(samples.length).toBeGreaterThan(20);
  const options = { ...SAMPLES, typeRoots: [join(root, "node_modules/@types")] };
  const sources = samples.map((sample, index) => [`sample-${index}.ts`, moduleFrom(sample)]);
  const { problems } = await compiled(options, {
    "stores.d.ts": STORES,
    ...Object.fromEntries(sources),
  });
  const located = problems.map((problem) =>
    problem.replace(/^sample-(\d+)\.ts\((\d+),\d+\)/, (_, index, line) => {
      const { page, line: start } = samples[index] as Block;
      return `${page}:${start + Number(line) - 1}`;
    }),
  );
  expect(located).toEqual([]);
});
