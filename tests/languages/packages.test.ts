import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../provider/package.json";
import { packGo, packJava, packPython } from "../../tools/setup/sdks";
import { expectOk, newStack, type Stack, simulated } from "../engine/support/stack";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";
import { blockBehind } from "../support/workflow";
import { inLanguage, mypy } from "./support";

/**
 * The generated SDKs with the tools of their languages, and as users install them from a release,
 * without a clone.
 */

const TAG = `v${version}`;
const MODULE = "github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb";

let files: readonly string[];
let stack: Stack;

beforeAll(async () => {
  stack = await newStack(await simulated());
});

async function packed(pack: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder("release");
  await pack(folder);
  files = readdirSync(folder).map((name) => join(folder, name));
}

const shell = (folder: string, command: string) =>
  expectOk(stack.command("sh", "-ec", `cd ${folder}\n${command}`));

inLanguage("python", () => {
  test.each(["quickstart", "pipeline"])("mypy and pyright accept the example %s", async (name) => {
    const folder = `examples/${name}-python`;
    await shell(join(root, folder), `${mypy.join(" ")} --strict __main__.py`);
    await shell(
      join(root, folder),
      `${process.execPath} ${join(root, "node_modules/pyright/index.js")} __main__.py`,
    );
  });

  test("mypy accepts the SDK, except for code that is in every generated SDK", async () => {
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
  test.each(["quickstart", "pipeline"])(
    "go vet accepts the SDK and the example %s",
    async (name) => {
      await shell(
        join(root, `examples/${name}-go`),
        "CGO_ENABLED=0 go vet -mod=readonly . github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb/...",
      );
    },
  );
});

inLanguage("python", () => {
  beforeAll(() => packed(packPython));

  test.each([".whl", ".tar.gz"])(
    "a %s is installed in an empty folder, without Go",
    async (ending) => {
      const file = files.find(
        (name) => /pulumi_clouddb-[^/]+$/.test(name) && name.endsWith(ending),
      );
      const folder = temporaryFolder("python");
      const printed = await shell(
        folder,
        `PATH=$(dirname "$(command -v python3)"):/usr/bin:/bin
      python3 -m pip install --quiet --no-deps --no-build-isolation --target . ${file}
      python3 -c "import pulumi_clouddb; print(pulumi_clouddb.Service.__module__, pulumi_clouddb.__file__)"
      find . -name py.typed -o -name pulumi-plugin.json`,
      );
      expect(printed).toContain(`pulumi_clouddb.service ${folder}/pulumi_clouddb/__init__.py`);
      expect(printed).toContain("py.typed");
      expect(printed).toContain("pulumi-plugin.json");
    },
  );
});

inLanguage("go", () => {
  beforeAll(() => packed(packGo));

  test("the Go module is found by the tag that release.yml pushes", async () => {
    const folder = temporaryFolder("module");
    const git = "git -c user.name=t -c user.email=t@example.com";
    await shell(
      folder,
      `git init --quiet --initial-branch main repository
      ${git} -C repository commit --quiet --allow-empty --message "A release"
      git -C repository tag ${TAG}
      git clone --quiet --bare repository remote.git`,
    );
    // GitHub's own command would ask for an account.
    mkdirSync(join(folder, "bin"));
    writeFileSync(
      join(folder, "bin/gh"),
      `#!/bin/sh\n[ "$1" = auth ] || { [ "$2" = clone ] && shift 5 && git clone file://${folder}/remote.git module "$@"; }\n`,
    );
    chmodSync(join(folder, "bin/gh"), 0o755);
    cpSync(join(String(files[0]), ".."), join(folder, "release/sdks"), { recursive: true });
    writeFileSync(
      join(folder, "step.sh"),
      blockBehind(".github/workflows/release.yml", "- name: Module for Go"),
    );
    const push = `PATH=${folder}/bin:$PATH GITHUB_REF_NAME=${TAG} GH_REPO=pulumi-clouddb/pulumi-clouddb bash -e step.sh`;
    await shell(folder, push);
    // A job that is run again does nothing more.
    await shell(folder, `rm -r module; ${push}`);

    const program = join(folder, "program");
    mkdirSync(program);
    copyFileSync(join(root, "examples/quickstart-go/main.go"), join(program, "main.go"));
    const downloads = (await shell(folder, "go env GOMODCACHE")).trim();
    const printed = await shell(
      program,
      `export CGO_ENABLED=0 GOFLAGS="-modcacherw -mod=mod" GOPRIVATE=${MODULE} GOMODCACHE=${folder}/cache
      export GOPROXY="file://${downloads}/cache/download,$(go env GOPROXY)"
      export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.file://${folder}/remote.git.insteadOf
      export GIT_CONFIG_VALUE_0=https://github.com/pulumi-clouddb/pulumi-clouddb
      go mod init example
      go get ${MODULE}@${TAG}
      go vet .
      go list -m ${MODULE}`,
    );
    expect(printed).toContain(`${MODULE} ${TAG}`);
  });
});

inLanguage("java", () => {
  beforeAll(() => packed(packJava));

  test("Maven installs the JAR, and the example compiles with it", async () => {
    const folder = temporaryFolder("java");
    for (const file of files) copyFileSync(file, join(folder, basename(file)));
    cpSync(join(root, "examples/quickstart-java"), join(folder, "program"), { recursive: true });
    // Without the SDK of the clone, but with what Maven has downloaded.
    const clone = join(root, ".cache/maven");
    await shell(
      folder,
      `cp -r --link ${clone} repository
      rm -r repository/io/github/pulumi-clouddb
      export MAVEN_OPTS=-Dmaven.repo.local=${folder}/repository
      mvn install:install-file -Dfile=clouddb-${version}.jar -DpomFile=clouddb-${version}.pom
      mvn --batch-mode --quiet --file program compile`,
    );
    const listed = await shell(folder, `jar --list --file clouddb-${version}.jar`);
    for (const name of ["plugin.json", "version.txt", "Service.class"]) {
      expect(listed).toContain(`com/pulumi/clouddb/${name}`);
    }
  });
});
