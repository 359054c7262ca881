import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { type Asked, serving } from "../contract/report/support/server";
import { type Outcome, testHome } from "../engine/support/stack";
import { blockBehind } from "../support/workflow";

const RELEASE = ".github/workflows/release.yml";
const folderFor = (name: string) => mkdtempSync(join(testHome(), `${name}-`));

function run(
  command: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

test("release.yml: publishing that stopped halfway continues, and publishes each package once", async () => {
  const published: string[] = [];
  let isRefusing = true;
  const registry = await serving(({ method, path, body }: Asked) => {
    const name = path.slice(1);
    if (method === "GET") {
      if (!published.includes(name)) return { status: 404, body: {} };
      return {
        status: 200,
        body: {
          name,
          "dist-tags": { latest: version },
          versions: { [version]: { name, version } },
        },
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
    writeFileSync(
      join(folder, ".npmrc"),
      `${registry.url.replace("http:", "")}/:_authToken=token\n`,
    );
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
