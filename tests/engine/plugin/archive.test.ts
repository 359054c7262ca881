import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { listen } from "../../support/free-port";
import { root } from "../../support/root";
import { blockBehind } from "../../support/workflow";
import { expectOk, newStackWithoutPlugin, simulated } from "../support/stack";

/** The archives of `npm run plugin`, downloaded as from a release by a user who has no npm package. */

const { version } = JSON.parse(readFileSync(join(root, "provider/package.json"), "utf8")) as { version: string };
const DOWNLOAD_URL = "github://api.github.com/pulumi-clouddb/pulumi-clouddb";

test("an archive is downloaded and installed, tells where it is from, and serves a program", async () => {
  const api = await simulated();
  const stack = await newStackWithoutPlugin(api);
  const archives = join(stack.folder, "archives");
  await expectOk(stack.command("node", join(root, "tools/setup.mjs"), "plugin", "--output", archives));
  const platforms = ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64", "windows-arm64"];
  const names = platforms.map((platform) => `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`);
  expect(readdirSync(archives)).toEqual(["clouddb-policies", ...names]);

  const own = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const server = createServer(({ url = "" }, response) => {
    response.end(readFileSync(join(archives, basename(url))));
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  stack.environment({ PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `github.com/pulumi-clouddb/.*=${address}` });
  await expectOk(stack.pulumi("plugin", "install", "resource", "clouddb", `v${version}`, "--server", DOWNLOAD_URL));
  server.close();
  const schema = await expectOk(stack.pulumi("package", "get-schema", "clouddb"));
  expect(JSON.parse(schema)).toMatchObject({ name: "clouddb", version, pluginDownloadURL: DOWNLOAD_URL });

  const step = blockBehind(".github/workflows/ci.yml", "- name: Install the plugin, and start it");
  stack.environment({ PLATFORM: own });
  expect(await expectOk(stack.command("bash", "-e", "-o", "pipefail", "-c", step))).toContain(
    `"version": "${version}"`,
  );

  stack.program(
    `new pulumi.CustomResource("clouddb:index:Service", "db", { provider: "aws", region: "us-east-1", numReplicas: 3 });`,
  );
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
  expect(await expectOk(stack.preview())).toContain("2 unchanged");
});
