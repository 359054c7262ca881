import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import { version } from "../../provider/package.json";
import { isReleased } from "../../tools/release/first-release";
import { packPython, sdks } from "../../tools/setup/sdks";
import { expectOk, newStack, type Outcome, simulated } from "../engine/support/stack";
import { follow } from "../programs/support/follow";
import { type Block, blocksIn, blocksOf, textAsReleased } from "../programs/support/markdown";
import { newReader } from "../programs/support/reader";
import { listen } from "../support/free-port";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";
import { inLanguage } from "./support";

/** The first steps in other languages than TypeScript, in a clone, and with what a release has. */

const MODULE = "github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** The variables that make Pulumi and pip find the files of a release on this machine. */
async function filesOfRelease(): Promise<Record<string, string>> {
  const folder = temporaryFolder("release");
  const stack = await newStack(await simulated());
  await expectOk(stack.command("node", join(root, "tools/setup.mjs"), "plugin", "--output", join(folder, "plugin")));
  await packPython(folder);
  const server = createServer(({ url = "" }, response) => {
    response.end(readFileSync(join(folder, "plugin", basename(url))));
  });
  closers.push(() => server.close());
  const address = `http://127.0.0.1:${await listen(server)}`;
  return { PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `github.com/pulumi-clouddb/.*=${address}`, PIP_FIND_LINKS: folder };
}

/** The variables that make Go find the module of a release in a repository of this machine. */
async function moduleOfRelease(): Promise<Record<string, string>> {
  const repository = temporaryFolder("repository");
  cpSync(join(sdks, "go"), join(repository, "sdk/go"), { recursive: true });
  const stack = await newStack(await simulated());
  // Packages compiled from another place are compiled again, so it stays; our module is another one in each run.
  const cache = join(root, ".cache", "go-modules");
  const commands = `cd ${repository}
    git init --quiet
    git add .
    git -c user.name=t -c user.email=t@example.com commit --quiet --message "A release"
    git tag sdk/go/clouddb/v${version}
    chmod -R u+w ${cache}/github.com/pulumi-clouddb ${cache}/cache || true
    rm -rf ${cache}/github.com/pulumi-clouddb ${cache}/cache/vcs ${cache}/cache/download/github.com/pulumi-clouddb
    go env GOMODCACHE GOPROXY`;
  const [downloads, proxy] = (await expectOk(stack.command("sh", "-ec", commands))).trim().split("\n").slice(-2);
  return {
    GOMODCACHE: cache,
    GOPRIVATE: MODULE,
    GOPROXY: `file://${downloads}/cache/download,${proxy}`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://github.com/pulumi-clouddb/pulumi-clouddb",
  };
}

for (const language of ["yaml", "python", "go"] as const) {
  inLanguage(language, () => {
    const page = `docs/getting-started-${language}.md`;
    // Newer releases of the SDK for Python need a newer host than the engine's.
    const constraint = join(temporaryFolder("constraint"), "constraint.txt");
    const common = { PIP_CONSTRAINT: constraint, CGO_ENABLED: "0" };
    beforeAll(() => writeFileSync(constraint, `pulumi==${sdkVersion}`));

    (isReleased() ? test.skip : test)(`${page}: from an empty folder to a service, in a clone`, async () => {
      await expectService(page, blocksOf(page), await newReader(root, common));
    });

    test(`${page}: from an empty folder to a service, with a release`, async () => {
      const files = { ...(await filesOfRelease()), ...(language === "go" && (await moduleOfRelease())) };
      const run = await newReader(temporaryFolder("first-steps"), { ...common, ...files });
      await expectService(page, blocksIn(page, textAsReleased(page)), run);
    });
  });
}

/** Follows the page, and expects a protected service. */
async function expectService(page: string, blocks: Block[], run: (block: Block) => Promise<Outcome>): Promise<void> {
  const printed = await follow(page, run, blocks);
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:index:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
  // The password.
  expect(printed.at(-1)).toMatch(/^\S{8,}$/m);
  const exported = run({ page, line: 0, language: "sh", text: "pulumi stack export", directive: undefined });
  expect(await expectOk(exported)).toContain('"protect": true');
}
