import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { withLock } from "../../tools/support/lock";
import { type Result, run } from "../../tools/support/process";
import { testHome } from "../engine/support/stack";
import { freePort } from "./local-server";
import { root } from "./root";
import { blockBehind } from "./workflow";

/** The registry, which is installed once. npx cannot override its dependency on the tag `cjs`. */
const MANIFEST = {
  private: true,
  dependencies: { verdaccio: "6.3.2" },
  overrides: { "node-fetch": "2.7.0" },
};

const PUBLISH = blockBehind(".github/workflows/release.yml", "- name: Publish to npm");

/**
 * A registry on this machine, which has what is published to it, and looks up other packages in the
 * one that npm is configured with.
 */
export async function startRegistry() {
  const program = await ensureRegistry();
  const folder = mkdtempSync(join(testHome(), "registry-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const userconfig = join(folder, ".npmrc");
  writeFileSync(userconfig, `//127.0.0.1:${port}/:_authToken=token\n`);
  let stop = () => Promise.resolve();

  /** Starts it, or starts it again with what it has. */
  async function start(refused: string): Promise<void> {
    await stop();
    const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const published = { access: "$all", publish: "$all" };
    const config = {
      storage: join(folder, "storage"),
      max_body_size: "100mb",
      uplinks: { others: { url: others, timeout: "5m" } },
      packages: {
        [refused]: { access: "$all", publish: "nobody" },
        "pulumi-clouddb*": published,
        "clouddb-*": published,
        "**": { access: "$all", proxy: "others" },
      },
      log: { type: "stdout", format: "json", level: "error" },
    };
    const file = join(folder, "config.yaml");
    writeFileSync(file, JSON.stringify(config));
    const args = [program, "--config", file, "--listen", `127.0.0.1:${port}`];
    const server = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    stop = () => {
      server.kill();
      return ended;
    };
    while (!(await fetch(`${url}/-/ping`).catch(() => undefined))?.ok) {
      if (server.exitCode !== null) throw new Error("the registry did not start");
      await setTimeout(100);
    }
  }

  await start("none");
  return {
    url,
    /** Refuses a package, or none any more. */
    refuse: (name = "none") => start(name),
    /** Publishes the packages of a folder, by default the packed ones, by the script of release.yml. */
    publish(packages = testHome()): Promise<Result> {
      for (const name of readdirSync(packages).filter((name) => name.endsWith(".tgz")))
        cpSync(join(packages, name), join(folder, "release/npm", name));
      const env = {
        ...process.env,
        npm_config_registry: url,
        npm_config_userconfig: userconfig,
        npm_config_cache: join(folder, "cache"),
        // `npm run --silent` passes its silence on.
        npm_config_loglevel: "notice",
      };
      // Provenance needs the identity of a workflow on GitHub.
      const script = PUBLISH.replace(" --provenance", "");
      return run("bash", ["-e", "-c", script], { cwd: folder, env });
    },
    close: () => stop(),
  };
}

type Registry = Awaited<ReturnType<typeof startRegistry>>;

let shared: Promise<Registry> | undefined;
afterAll(async () => (await shared)?.close());

/** The registry of the tests of this file, with the packages of a release. */
export function publishedRegistry(): Promise<Registry> {
  shared ??= startRegistry().then(async (registry) => {
    const { code, stdout, stderr } = await registry.publish(releaseFolder("npm"));
    if (code !== 0) throw new Error(`the packages were not published:\n${stdout}${stderr}`);
    return registry;
  });
  return shared;
}

/** A folder of the release to rehearse with, or undefined where the clone is its source. */
export function releaseFolder(name: string): string | undefined {
  const release = process.env.CLOUDDB_RELEASE;
  return release === undefined ? undefined : join(root, release, name);
}

async function ensureRegistry(): Promise<string> {
  const folder = join(root, ".cache", `verdaccio-${MANIFEST.dependencies.verdaccio}`);
  const program = join(folder, "node_modules/verdaccio/bin/verdaccio");
  // Written last.
  const installed = join(folder, "installed");
  await withLock(folder, async () => {
    if (existsSync(installed)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify(MANIFEST));
    const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    const { code, stderr } = await run("npm", ["install", ...flags], { cwd: folder });
    if (code !== 0) throw new Error(`the registry could not be installed:\n${stderr}`);
    writeFileSync(installed, "");
  });
  return program;
}
