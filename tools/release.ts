// Tries a release (`npm run release`): installs the packages as npm will have them in an empty
// project, and runs the quickstart there: a preview with policies and report, and `up`. Nothing is
// published: .github/workflows/release.yml does that.   FOLDER   tries the packages that are packed
// in that folder
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import repository from "../package.json";
import { pack } from "./checks/packages";
import { ensureBuild } from "./setup/build";
import { ensureEngine } from "./setup/engine";
import { stackIn, takeRequests, withEngine, withoutAccount } from "./support/environment";
import { npm, npx, runInForeground } from "./support/process";
import { SetupError } from "./support/progress";
import { root } from "./support/repository";

const COMPILER = { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" };

export async function main(): Promise<void> {
  const [given] = process.argv.slice(2);
  const engine = await ensureEngine();
  const folder = mkdtempSync(join(tmpdir(), "clouddb-release-"));
  try {
    const project = join(folder, "project");
    mkdirSync(project);
    await install(project, given === undefined ? await packed(folder) : tarballsIn(resolve(given)));
    await tryOut(project, engine);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function packed(folder: string): Promise<string[]> {
  await ensureBuild();
  return (await pack(folder)).map(({ tarball }) => tarball);
}

function tarballsIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

async function install(project: string, tarballs: readonly string[]): Promise<void> {
  const { dependencies, devDependencies } = repository;
  const others = [
    `@pulumi/pulumi@${dependencies["@pulumi/pulumi"]}`,
    `typescript@${devDependencies.typescript}`,
  ];
  writeFileSync(join(project, "package.json"), "{}");
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: COMPILER, files: ["index.ts"] }),
  );
  writeFileSync(
    join(project, "Pulumi.yaml"),
    "name: quickstart\nruntime: nodejs\nmain: index.ts\n",
  );
  copyFileSync(join(root, "examples/quickstart/index.ts"), join(project, "index.ts"));
  // Strict: a dependency must not require a newer Node than the packages support.
  const options = [
    "--engine-strict",
    "--ignore-scripts",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
  ];
  await must(project, withoutAccount(), npm, "install", ...options, ...others, ...tarballs);
}

async function tryOut(project: string, engine: string): Promise<void> {
  const simulators: typeof import("clouddb-simulator") = createRequire(join(project, "index.js"))(
    "clouddb-simulator",
  );
  const simulator = await simulators.startSimulator();
  try {
    const env = { ...withEngine(engine), ...stackIn(project, "dev", simulator) };
    await must(project, env, "pulumi", "stack", "init", "dev");
    const report = ["clouddb-report", "run", "--output", "report.md", "--", "pulumi", "preview"];
    await must(
      project,
      env,
      npx,
      "--no-install",
      ...report,
      "--policy-pack",
      "node_modules/pulumi-clouddb-policies",
    );
    console.log(`\n${readFileSync(join(project, "report.md"), "utf8").trim()}\n`);
    await must(project, env, "pulumi", "up", "--yes", "--skip-preview", "--non-interactive");
    const requests = await takeRequests(simulator);
    console.log(
      `\nAPI requests: ${requests.map(({ method, path }) => `${method} ${path}`).join(", ")}`,
    );
  } finally {
    await simulator.close();
  }
}

async function must(
  cwd: string,
  env: NodeJS.ProcessEnv,
  command: string,
  ...args: string[]
): Promise<void> {
  const code = await runInForeground(command, args, { cwd, env });
  if (code !== 0) throw new SetupError(`${command} ${args.join(" ")} failed; see above.`);
}
