import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { version, workspaces } from "../../package.json";
import { web } from "../../tools/docs/links";
import versions from "../../versions.json";
import { type Asked, serving } from "../contract/report/support/server";
import { type Outcome, testHome } from "../engine/support/stack";
import { nodeFolder } from "../support/node";
import { root } from "../support/root";
import { blockBehind } from "../support/workflow";

const folderFor = (name: string) => mkdtempSync(join(testHome(), `${name}-`));

function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

const release = (args: string[], temporary: string) =>
  run(process.execPath, ["tools/setup.mjs", "release", ...args], root, { TMPDIR: temporary });

test("a dry run shows the contents of all packages, runs the quickstart with them, and leaves nothing behind", async () => {
  const temporary = folderFor("dry-run");
  const { code, output } = await release(["--dry-run"], temporary);
  expect([code, output]).toEqual([0, expect.stringContaining("nothing was published")]);
  const packages = output.match(/^\S+ \S+: \d+ files, \d+ bytes packed, \d+ unpacked\n(?: +\d+ {2}.+\n)+/gm) ?? [];
  expect(packages).toHaveLength(workspaces.length);
  for (const contents of packages) {
    expect(contents).toMatch(/^ +\d+ {2}LICENSE$/m);
    // A package that has only a command has no main file.
    const main = contents.startsWith("clouddb-fleet ") ? "cli" : "index";
    expect(contents).toMatch(new RegExp(`^ +\\d+ {2}dist/${main}\\.js$`, "m"));
  }
  expect(output).toMatch(/Policies\n\n- ✅ \d+ passed: /);
  expect(output).toMatch(/^API requests: POST \/v1\/organizations\/[\w-]+\/services$/m);
  expect(readdirSync(temporary).filter((name) => name.startsWith("clouddb-"))).toEqual([]);
});

test("the plugin names the packages that are bundled in it, with the texts of their licenses", () => {
  const licenses = readFileSync(join(root, "provider/native-plugin/LICENSES.txt"), "utf8");
  for (const name of ["@grpc/grpc-js", "google-protobuf", "ioredis", "zod"]) {
    expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\([^\n]+\\)\n\n.{100}`, "ms"));
  }
});

test("a tag that is not the version's is refused before anything is made", async () => {
  const { code, output } = await release(["--dry-run", "--tag", "v99.0.0"], folderFor("tag"));
  expect([code, output]).toEqual([1, expect.stringContaining(`v99.0.0 is not that of the packages, v${version}.`)]);
  expect(output).not.toContain("files,");
});

/** A copy of the files that a release changes. */
function copy(): string {
  const folder = folderFor("version");
  const manifests = ["", ...workspaces].map((name) => join(name, "package.json"));
  for (const name of [...manifests, "package-lock.json", ".npmrc", "CHANGELOG.md", ".changeset/config.json"]) {
    cpSync(join(root, name), join(folder, name));
  }
  return folder;
}

const textIn = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

/** Runs a function of tools/ on the newest supported Node, which changesets need. */
async function bump(folder: string): Promise<Outcome> {
  const node = await nodeFolder(versions.node.at(-1) ?? 0);
  const bumps = 'require("./tools/release/bump.ts").bump(process.argv[1])';
  const PATH = `${node}${delimiter}${process.env.PATH}`;
  return run(join(node, "node"), ["--require", "tsx/cjs", "-e", bumps, folder], root, { PATH });
}

test("changesets become one version of all packages, and a section of the changelog", async () => {
  const folder = copy();
  writeFileSync(join(folder, ".changeset/one.md"), '---\n"clouddb-report": minor\n---\n\nShows\n\nmore.\n');
  writeFileSync(join(folder, ".changeset/two.md"), '---\n"pulumi-clouddb": patch\n---\n\nWaits less.\n');
  const before = textIn(folder, "CHANGELOG.md");
  expect(await bump(folder)).toMatchObject({ code: 0 });

  const [major, minor] = version.split(".").map(Number);
  const next = `${major}.${Number(minor) + 1}.0`;
  const manifests = ["", ...workspaces].map((name) => JSON.parse(textIn(folder, join(name, "package.json"))));
  expect(manifests.map((manifest) => manifest.version)).toEqual(manifests.map(() => next));
  const names = manifests.map(({ name }) => name);
  const internal = manifests
    .slice(1)
    .flatMap(({ dependencies = {} }) => Object.entries(dependencies).filter(([name]) => names.includes(name)));
  expect(internal).toContainEqual(["pulumi-clouddb", next]);
  expect(internal.filter(([, wanted]) => wanted !== next)).toEqual([]);

  const today = new Date().toISOString().slice(0, 10);
  const section = `## [${next}](${web}/compare/v${version}...v${next}) (${today})

### Minor changes

- \`clouddb-report\`: Shows

  more.

### Patch changes

- \`pulumi-clouddb\`: Waits less.

`;
  expect(textIn(folder, "CHANGELOG.md")).toBe(before.replace("\n## ", () => `\n${section}## `));
  expect(readdirSync(join(folder, ".changeset"))).toEqual(["config.json"]);

  // The lock file changes only where it names the version.
  const [old = [], now] = [root, folder].map((place) => textIn(place, "package-lock.json").split("\n"));
  const changed = now?.filter((line, index) => line !== old[index]).map((line) => line.trim().replace(/,$/, ""));
  // The root's version is there twice.
  const places = [...internal.map(([name]) => name), "version", ...names.map(() => "version")];
  expect(changed?.sort()).toEqual(places.sort().map((place) => `"${place}": "${next}"`));
});

test("release.yml: publishing that stopped halfway continues, and publishes each package once", async () => {
  const published: string[] = [];
  let isRefusing = true;
  const registry = await serving(({ method, path, body }: Asked) => {
    const name = path.slice(1);
    if (method === "GET") {
      if (!published.includes(name)) return { status: 404, body: {} };
      return {
        status: 200,
        body: { name, "dist-tags": { latest: version }, versions: { [version]: { name, version } } },
      };
    }
    if (isRefusing && published.length === 2) return { status: 403, body: { error: "refused" } };
    published.push(String(body.name));
    return { status: 201, body: {} };
  });
  try {
    const folder = folderFor("publish");
    mkdirSync(join(folder, "release/npm"), { recursive: true });
    const tarballs = readdirSync(testHome()).filter((name) => name.endsWith(".tgz"));
    for (const name of tarballs) cpSync(join(testHome(), name), join(folder, "release/npm", name));
    writeFileSync(join(folder, ".npmrc"), `${registry.url.replace("http:", "")}/:_authToken=token\n`);
    const script = blockBehind(".github/workflows/release.yml", "- name: Publish to npm");
    expect(script).toContain(" --provenance");
    const publish = () =>
      // Provenance needs the identity of a workflow on GitHub.
      run("bash", ["-e", "-c", script.replace(" --provenance", "")], folder, {
        npm_config_registry: registry.url,
        npm_config_userconfig: join(folder, ".npmrc"),
        npm_config_cache: join(folder, "cache"),
        // `npm run --silent` passes its silence on.
        npm_config_loglevel: "notice",
      });
    expect(await publish()).toMatchObject({ code: 1, output: expect.stringContaining("403") });
    expect(published).toHaveLength(2);
    isRefusing = false;
    expect(await publish()).toMatchObject({ code: 0 });
    // Each package is there before those that depend on it.
    expect(published).toEqual([
      "pulumi-clouddb-facts",
      "pulumi-clouddb",
      "pulumi-clouddb-policies",
      "clouddb-report",
      "clouddb-fleet",
      "clouddb-simulator",
    ]);
  } finally {
    registry.close();
  }
});

test("release.yml: the release on GitHub has the files that SHA256SUMS names, and the attestation", async () => {
  const folder = folderFor("assets");
  const files = ["npm/a-1.0.0.tgz", "plugin/b-v1.0.0-linux-amd64.tar.gz", "sbom/a-v1.0.0.cdx.json", "sdks/c-1.0.0.whl"];
  for (const name of files) {
    mkdirSync(join(folder, "release", dirname(name)), { recursive: true });
    writeFileSync(join(folder, "release", name), name);
  }
  const workflow = ".github/workflows/release.yml";
  const env = { GITHUB_REF_NAME: "v1.0.0", PATH: `${folder}:${process.env.PATH}` };
  const step = (name: string, cwd: string, more = {}) =>
    run("bash", ["-e", "-o", "pipefail", "-c", blockBehind(workflow, `- name: ${name}`)], cwd, { ...env, ...more });
  expect(await step("Checksums", join(folder, "release"))).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "release/pulumi-clouddb-v1.0.0.sigstore.json"), "{}");
  // A stand-in for GitHub without a release yet; uploaded files have no folders.
  writeFileSync(
    join(folder, "gh"),
    `#!/bin/bash
[ "$2" != view ] || exit 1
[ "$2" != upload ] || cp "\${@:5}" ${folder}/assets`,
    { mode: 0o755 },
  );
  mkdirSync(join(folder, "assets"));
  expect(await step("Release on GitHub", folder)).toMatchObject({ code: 0 });
  const assets = readdirSync(join(folder, "assets"));
  expect(assets.sort()).toEqual(
    [...files.map((name) => basename(name)), "SHA256SUMS", "pulumi-clouddb-v1.0.0.sigstore.json"].sort(),
  );
  const checked = await run("sha256sum", ["--check", "SHA256SUMS"], join(folder, "assets"));
  expect([checked.code, checked.output.match(/: OK$/gm)?.length]).toEqual([0, files.length]);
});
