import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { basename, delimiter, join } from "node:path";
import { version } from "../../provider/package.json";
import { packGo, packPython } from "../../tools/setup/sdks";
import { expectFailure, expectOk, testHome } from "../engine/support/stack";
import { inLanguage } from "../languages/support";
import { serve } from "../support/local-server";
import { releaseFolder, startRegistry } from "../support/registry";
import { root } from "../support/root";
import { expectTemplate } from "../support/template";
import { type Block, blocksOf, command } from "./support/markdown";
import { firstSteps, follow, newReader } from "./support/reader";

/**
 * A release, published on this machine, and what the pages say about it, in homes that are empty
 * and know only this registry, a server with the plugin, and the files of the SDKs.
 */

const MODULE = "github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb";
const folderFor = (name: string) => mkdtempSync(join(testHome(), `${name}-`));

let plugin: string;
let environment: Record<string, string | undefined>;
let pluginRequests: string[];

beforeAll(async () => {
  plugin = releaseFolder("plugin") ?? folderFor("plugin");
  if (releaseFolder("plugin") === undefined) {
    for (const options of process.platform === "linux" ? [[], ["--executable"]] : [[]])
      execFileSync(
        process.execPath,
        ["tools/setup.mjs", "plugin", "--output", plugin, ...options],
        {
          cwd: root,
        },
      );
  }
  const port = await serve(
    createServer(({ url = "" }, response) => {
      const name = basename(url);
      pluginRequests.push(name);
      const file = join(plugin, name);
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    }),
  );
  environment = {
    NODE_OPTIONS: undefined,
    // The commands of the pages name the releases on GitHub.
    PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://api.github.com/pulumi-clouddb=http://127.0.0.1:${port}`,
    PLUGIN_SERVER: `http://127.0.0.1:${port}`,
  };
});

beforeEach(() => {
  pluginRequests = [];
});

/** A reader in an empty home. */
async function newcomer(variables: Readonly<Record<string, string | undefined>> = {}) {
  const home = folderFor("home");
  const caches = { npm_config_cache: undefined, npm_config_prefer_offline: undefined };
  return newReader(home, { HOME: home, ...caches, ...environment, ...variables });
}

const shellBlocks = (page: string) => blocksOf(page).filter(({ language }) => language === "sh");

test("a publication that stopped halfway continues, and publishes each package once", async () => {
  const registry = await startRegistry();
  try {
    await registry.refuse("pulumi-clouddb-policies");
    const stopped = await registry.publish(releaseFolder("npm"));
    expect(stopped.code).not.toBe(0);
    const published = (text: string) => text.match(/^\+ \S+(?=@\d)/gm) ?? [];
    // Each package is there before those that depend on it.
    expect(published(stopped.stdout)).toEqual(["+ pulumi-clouddb-facts", "+ pulumi-clouddb"]);
    await registry.refuse();
    const continued = await registry.publish(releaseFolder("npm"));
    expect([continued.code, published(continued.stdout)]).toEqual([
      0,
      ["+ pulumi-clouddb-policies", "+ clouddb-report", "+ clouddb-fleet", "+ clouddb-simulator"],
    ]);
    const again = await registry.publish(releaseFolder("npm"));
    expect([again.code, published(again.stdout)]).toEqual([0, []]);
    expect(again.stdout.match(/ is published\.$/gm)).toHaveLength(6);
  } finally {
    await registry.close();
  }
});

describe.each([
  ["npm", "npm install"],
  ["pnpm", "npx --yes pnpm@10 install"],
])("with %s", (_, install) => {
  const by = (block: Block) => ({ ...block, text: block.text.replace(/^npm install/gm, install) });

  test("README.md: the published packages are installed", async () => {
    const run = await newcomer();
    const [block] = shellBlocks("README.md").filter(({ heading }) => heading === "Install");
    await expectOk(run(command('echo "{}" > package.json')));
    await expectOk(run(by(block as Block)));
    const loaded = await expectOk(run(command(`node -p 'require("pulumi-clouddb").Service.name'`)));
    expect(loaded).toContain("Service");
  });

  test("docs/getting-started.md: an empty folder becomes a service with policies and a report", async () => {
    const run = await newcomer();
    const { page, blocks } = firstSteps("TypeScript");
    const isProject = ({ heading }: Block) => heading !== "Create a project from a template";
    const output = (await follow(page, run, blocks.filter(isProject).map(by))).join("\n");
    expect(output).toMatch(/clouddb:Service analytics created/);
    expect(output).not.toMatch(/warning: |Deprecat/);
    const [policies] = shellBlocks("policies/README.md");
    expect(await expectOk(run(by(policies as Block)))).toMatch(/pulumi-clouddb-policies@\S+ /);
    const [installReport, , pipeReport] = shellBlocks("report/README.md");
    await expectOk(run(by(installReport as Block)));
    await expectOk(run(pipeReport as Block));
    expect(await expectOk(run(command("cat report.md")))).toContain("no changes");
    // A project from a template, in the folder beside it.
    const template = blocks.filter((block) => !isProject(block)).map(by);
    expect((await follow(page, run, template)).join("\n")).toMatch(/pass 3/);
  });
});

test("docs/install.md: the plugin is installed from a file and from a server", async () => {
  const run = await newcomer();
  await expectOk(run(command(`cp ${plugin}/* .`)));
  const printed = (await follow("docs/install.md", run)).join("\n");
  expect(printed).toMatch(/^clouddb +resource +\d+\.\d+\.\d+ /m);
  const install = `pulumi plugin install resource clouddb v${version}`;
  await expectOk(run(command(`${install} --reinstall --server $PLUGIN_SERVER`)));
  const [archive] = pluginRequests;
  expect(pluginRequests).toEqual([archive, archive]);
  expect(readdirSync(plugin)).toContain(archive);
});

/** The tools of a language in a folder, without Node.js. */
function withoutNode(): string {
  const bin = folderFor("bin");
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => existsSync(folder));
  for (const folder of folders)
    for (const name of readdirSync(folder))
      if (!/^(node|npm|npx|corepack)/.test(name) && !existsSync(join(bin, name)))
        symlinkSync(join(folder, name), join(bin, name));
  return bin;
}

/** Commands that add a second service to the programs of the first steps. */
const SECOND = {
  yaml: "sed -i 's/^outputs:/  second:\\n    type: clouddb:Service\\noutputs:/' Pulumi.yaml",
  python: `echo 'clouddb.Service("second")' >> __main__.py`,
};

const onLinux = process.platform === "linux" ? test : test.skip;

for (const [language, name] of [
  ["yaml", "YAML"],
  ["python", "Python"],
  ["go", "Go"],
] as const) {
  inLanguage(language, () => {
    let variables: Record<string, string>;
    beforeAll(async () => {
      variables = {
        ...(language === "python" && (await pythonFiles())),
        ...(language === "go" && (await goProxy())),
      };
    });

    test(`docs/getting-started.md: an empty folder becomes a protected service in ${name}`, async () => {
      const run = await newcomer(variables);
      const { page, blocks } = firstSteps(name);
      const printed = await follow(page, run, blocks);
      const output = printed.join("\n");
      expect(output).toMatch(/clouddb:index:Service analytics created/);
      expect(output).not.toMatch(/warning: |Deprecat/);
      // The last line is the password.
      expect(printed.at(-1)).toMatch(/^\S{8,}$/m);
      expect(await expectOk(run(command("pulumi stack export")))).toContain('"protect": true');
      expect(pluginRequests).toHaveLength(1);
    });

    if (language === "go") return;

    onLinux(
      `without Node.js, ${name} creates, imports, survives a crash and lists creations`,
      async () => {
        const withNode = process.env.PATH;
        const run = await newcomer({ ...variables, PATH: withoutNode() });
        await expectFailure(run(command("command -v node")));
        const { page, blocks } = firstSteps(name);
        // The simulator needs Node.js.
        const printed = await follow(page, (block) => run(serving(block, withNode)), blocks);
        expect(printed.join("\n")).toMatch(/clouddb:index:Service analytics created/);
        const { deployment } = JSON.parse(await expectOk(run(command("pulumi stack export"))));
        const { id } = deployment.resources.find(({ type }: { type: string }) =>
          type.endsWith(":Service"),
        );
        const imported = await expectOk(
          run(
            command(
              `pulumi import clouddb:index:Service again ${id} --yes --skip-preview --generate-code=false`,
            ),
          ),
        );
        expect(imported).toContain("1 imported");
        const address = (await expectOk(run(command("echo $CLOUDDB_BASE_URL")))).trim();
        const effect = { kind: "latency", milliseconds: 600_000, when: "after" };
        const faults = JSON.stringify({ faults: [{ method: "POST", effect }] });
        const headers = { "content-type": "application/json" };
        await fetch(`${address}/__admin/faults`, { method: "PUT", headers, body: faults });
        const executable = `"$PULUMI_HOME/plugins/resource-clouddb-v${version}/pulumi-resource-clouddb"`;
        expect(await expectOk(run(command(`${executable} --version`)))).toBe(`${version}\n`);
        const crash = `${SECOND[language]}
pulumi up --yes --skip-preview > up.log 2>&1 & engine=$!
until ${executable} creations list | grep "no response"; do sleep 0.5; done
kill -9 $engine $(pgrep -P $engine)`;
        expect(await expectOk(run(command(crash)))).toMatch(/second +\S+ +no response/);
        const recovery = "pulumi cancel --yes\npulumi up --yes --skip-preview";
        const refused = await expectFailure(run(command(recovery)));
        expect(refused).toContain("CDB4012");
        expect(refused).toContain("pulumi-resource-clouddb creations discard");
      },
    );
  });
}

function serving(block: Block, path = ""): Block {
  if (!block.text.startsWith("npx clouddb-simulator")) return block;
  return { ...block, directive: "in the background", text: `PATH=${path} ${block.text}` };
}

/** The wheel, as PyPI would have it. */
async function pythonFiles(): Promise<Record<string, string>> {
  const folder = releaseFolder("sdks") ?? folderFor("python");
  if (releaseFolder("sdks") === undefined) await packPython(folder);
  return { PIP_FIND_LINKS: `${folder} ${process.env.PIP_FIND_LINKS ?? ""}` };
}

/**
 * Go refuses a zip file with entries of folders. Zip files have no time before 1980, which files of
 * the SDK have.
 */
const ZIP_MODULE = `import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", strict_timestamps=False) as archive:
    for folder, _, names in os.walk("github.com"):
        for name in names:
            archive.write(os.path.join(folder, name))`;

/** A proxy for Go's modules, which has the module of the release. */
async function goProxy(): Promise<Record<string, string>> {
  const folder = releaseFolder("sdks") ?? folderFor("go");
  if (releaseFolder("sdks") === undefined) await packGo(folder);
  const [proxy, source] = [folderFor("proxy"), folderFor("module")];
  const content = join(source, `${MODULE}@v${version}`);
  mkdirSync(content, { recursive: true });
  execFileSync("tar", [
    "-xzf",
    join(folder, `pulumi-clouddb-sdk-go-${version}.tar.gz`),
    "--strip-components=1",
    "-C",
    content,
  ]);
  const place = join(proxy, MODULE, "@v");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "list"), `v${version}\n`);
  writeFileSync(join(place, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
  cpSync(join(content, "go.mod"), join(place, `v${version}.mod`));
  execFileSync("python3", ["-c", ZIP_MODULE, join(place, `v${version}.zip`)], { cwd: source });
  const env = (name: string) => execFileSync("go", ["env", name], { encoding: "utf8" }).trim();
  return {
    CGO_ENABLED: "0",
    GOFLAGS: "-modcacherw",
    // Without the downloads of this machine, Pulumi's modules would be downloaded again.
    GOPROXY: `file://${proxy},file://${env("GOMODCACHE")}/cache/download,${env("GOPROXY")}`,
    GOCACHE: env("GOCACHE"),
    GONOSUMDB: MODULE,
  };
}

inLanguage("yaml", () => {
  test("clouddb-yaml: a new project runs every command of its README", async () => {
    await expectTemplate(
      "clouddb-yaml",
      ["Install the plugin"],
      ["Pulumi.yaml", "protect: true", "protect: false"],
      environment,
    );
  });
});

inLanguage("python", () => {
  test("clouddb-python: a new project runs every command of its README", async () => {
    const setUp = ["Install the plugin", "Install the SDK"];
    await expectTemplate(
      "clouddb-python",
      setUp,
      [
        "__main__.py",
        '"description": "office"}],',
        '"description": "office"}],\n    opts=pulumi.ResourceOptions(protect=False),',
      ],
      { ...environment, ...(await pythonFiles()) },
    );
  });
});
