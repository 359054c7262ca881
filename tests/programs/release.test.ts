import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { version } from "../../package.json";
import { type Asked, serving } from "../contract/report/support/server";
import { type Outcome, testHome } from "../engine/support/stack";
import { root } from "../support/root";
import { blockBehind } from "../support/workflow";

const RELEASE = ".github/workflows/release.yml";
const folderFor = (name: string) => mkdtempSync(join(testHome(), `${name}-`));

function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

test("the quickstart runs with the packed packages, and leaves nothing behind", async () => {
  const temporary = folderFor("release");
  const { code, output } = await run(process.execPath, ["tools/setup.mjs", "release"], root, { TMPDIR: temporary });
  expect([code, output]).toEqual([0, expect.stringMatching(/Policies\n\n- ✅ \d+ passed: /)]);
  expect(output).toMatch(/^API requests: POST \/v1\/organizations\/[\w-]+\/services$/m);
  expect(readdirSync(temporary).filter((name) => name.startsWith("clouddb-"))).toEqual([]);
});

test("the plugin names the packages that are bundled in it, with the texts of their licenses", () => {
  const licenses = readFileSync(join(root, "provider/native-plugin/LICENSES.txt"), "utf8");
  for (const name of ["@grpc/grpc-js", "google-protobuf", "ioredis", "zod"]) {
    expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\([^\n]+\\)\n\n.{100}`, "ms"));
  }
});

test("release.yml: the notes are the first section of the changelog, with links to the files of the tag", async () => {
  const folder = folderFor("notes");
  mkdirSync(join(folder, "release"));
  const changelog = "# Changelog\n\n## [2.0.0](https://example.com)\n\nSee [it](docs/a.md#b).\n\n## 1.0.0\n\nOld.\n";
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  const env = { GITHUB_REPOSITORY: "one/two", GITHUB_REF_NAME: "v2.0.0" };
  expect(await run("bash", ["-e", "-c", blockBehind(RELEASE, "- name: Notes")], folder, env)).toMatchObject({
    code: 0,
  });
  const notes = readFileSync(join(folder, "release/notes.md"), "utf8").trim();
  expect(notes).toBe("See [it](https://github.com/one/two/blob/v2.0.0/docs/a.md#b).");
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
    const script = blockBehind(RELEASE, "- name: Publish to npm");
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
  const env = { GITHUB_REF_NAME: "v1.0.0", PATH: `${folder}:${process.env.PATH}` };
  const step = (name: string, cwd: string, more = {}) =>
    run("bash", ["-e", "-o", "pipefail", "-c", blockBehind(RELEASE, `- name: ${name}`)], cwd, { ...env, ...more });
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
