import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { version, workspaces } from "../../package.json";
import { run } from "../../tools/support/process";
import { manifestOf } from "../../tools/support/repository";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";
import { blockBehind } from "../support/workflow";
import { blocksOf } from "./support/markdown";

/** The steps of release.yml, and what they demand of the commit that is tagged. */

const step = (name: string) => blockBehind(".github/workflows/release.yml", `- name: ${name}`);

const bash = (script: string, cwd: string, variables: NodeJS.ProcessEnv = {}) =>
  run("bash", ["-e", "-c", script], {
    cwd,
    env: {
      ...process.env,
      GITHUB_REF_NAME: `v${version}`,
      GITHUB_REPOSITORY: "pulumi-clouddb/pulumi-clouddb",
      ...variables,
    },
  });

/** The files of this repository in a repository of their own. */
async function copy(): Promise<string> {
  const folder = temporaryFolder("copy");
  const { stdout } = await run(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
    },
  );
  for (const name of stdout.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name), { force: true });
  }
  for (const name of ["", ...workspaces].map((each) => join(each, "node_modules")))
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name));
  await bash("git init --quiet && git add .", folder);
  return folder;
}

describe("first release", () => {
  let folder: string;
  const gate = () => bash(`git add .\n${step("The tag is that of a prepared version")}`, folder);

  beforeAll(async () => {
    folder = await copy();
    const [prepare] = blocksOf("CONTRIBUTING.md").filter(({ text }) =>
      text.startsWith("npm pkg set bugs.email=ADDRESS"),
    );
    const prepared = await bash(prepare?.text ?? "exit 1", folder);
    if (prepared.code !== 0) throw new Error(prepared.stderr);
  });

  test("the commit of the first release is accepted after CONTRIBUTING.md's commands", async () => {
    const { code, stdout } = await gate();
    expect([code, stdout]).toEqual([0, ""]);
    const text = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(text("CHANGELOG.md")).toMatch(/^## 0\.1\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(text("CONTRIBUTING.md")).toMatch(/^## Release$/m);
    expect(text("CONTRIBUTING.md")).not.toContain("The first release");
    expect(text("SECURITY.md")).toContain("write to ADDRESS.");
    for (const path of ["examples/ci/github", "templates/clouddb-yaml/.github"])
      expect(text(`${path}/workflows/preview.yml`)).toMatch(/\/stacks\.yml@v0\.1\.0 # zizmor/);
  });

  test("the registry's schema in the first release names only languages with a published SDK", () => {
    const schema = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
    const { language, ...rest } = schema("docs/registry-schema.json");
    expect(Object.keys(language)).toEqual(["nodejs", "python", "go"]);
    expect({ ...rest, language: undefined }).toEqual({
      ...schema("provider/schema.json"),
      language: undefined,
    });
  });

  test.each([
    [".changeset/new.md", "---\n---\n", "Changesets are waiting"],
    ["CHANGELOG.md", `## ${version} (unreleased)\n`, "unreleased"],
    ["policies/README.md", "Before the first release, pack it.\n", "policies/README.md"],
    ["examples/ci/new.yml", "# before the first release, a commit\n", "examples/ci/new.yml"],
  ])(
    "the commit of the first release is refused if %s still mentions the time before",
    async (name, text, reason) => {
      const file = join(folder, name);
      const { stdout: before } = await bash(`cat ${name} 2> /dev/null || true`, folder);
      writeFileSync(file, before + text);
      const { code, stdout } = await gate();
      expect([code, stdout]).toEqual([1, expect.stringContaining(reason)]);
      await bash(`git rm --quiet --cached ${name}; rm ${name}`, folder);
      if (before !== "") writeFileSync(file, before);
    },
  );
});

test("release.yml: a published release on GitHub stays unchanged", async () => {
  const folder = temporaryFolder("github");
  const state = join(folder, "state");
  // GitHub's own command: it has a draft from its first `create` to its `edit`.
  writeFileSync(
    join(folder, "gh"),
    `#!/bin/sh
echo "$2" >> calls
case $2 in
  view) [ -e ${state} ] && cat ${state} ;;
  create) echo true > ${state} ;;
  upload) [ "$(cat ${state})" = true ] || exit 1 ;;
  edit) [ -e interrupted ] || { touch interrupted; exit 1; }; echo false > ${state} ;;
esac
`,
  );
  chmodSync(join(folder, "gh"), 0o755);
  const publish = async () => {
    const { code } = await bash(step("Release on GitHub"), folder, {
      PATH: `${folder}:${process.env.PATH}`,
    });
    return [code, readFileSync(join(folder, "calls"), "utf8").trim().split("\n").slice(-4)];
  };
  expect(await publish()).toEqual([1, ["view", "create", "upload", "edit"]]);
  expect(await publish()).toEqual([0, ["edit", "view", "upload", "edit"]]);
  expect(await publish()).toEqual([0, ["view", "upload", "edit", "view"]]);
});

test("release.yml: the SBOM lists every package that the packages depend on", async () => {
  const folder = temporaryFolder("sbom");
  mkdirSync(join(folder, "release"));
  cpSync(testHome(), join(folder, "release/npm"), {
    recursive: true,
    filter: (path) => path === testHome() || /\/[^/]+\.tgz$/.test(path),
  });
  const { code, stderr } = await bash(step("SBOM"), folder, { npm_config_prefer_offline: "true" });
  expect([code, stderr]).toEqual([0, ""]);
  const text = readFileSync(
    join(folder, `release/sbom/pulumi-clouddb-v${version}.cdx.json`),
    "utf8",
  );
  expect(text).not.toContain(folder);
  const { components, metadata } = JSON.parse(text);
  expect(metadata.component.name).toBe("pulumi-clouddb-release");
  const names = components.map(({ purl }: { purl: string }) =>
    decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, "$1"),
  );
  const wanted = workspaces
    .map(manifestOf)
    .flatMap((manifest) => [
      manifest.name,
      ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    ]);
  expect(names).toEqual(expect.arrayContaining(wanted));
});
