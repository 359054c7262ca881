import type { SpawnOptions } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import repository from "../../package.json";
import { stackIn, takeRequests, withEngine } from "../support/environment";
import { lastLines, npm, npx, type Result, run } from "../support/process";
import { SetupError } from "../support/progress";
import { root } from "../support/repository";
import type { Package } from "./pack";

const COMPILER = { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" };

/** Installs packed packages in an empty project, as a user would; returns its folder. */
export async function install(folder: string, packages: readonly Pick<Package, "name" | "tarball">[]): Promise<string> {
  const project = join(folder, "pulumi-clouddb-installation");
  mkdirSync(project);
  const write = (name: string, content: object) => writeFileSync(join(project, name), JSON.stringify(content));
  write("package.json", {
    name: basename(project),
    version: repository.version,
    private: true,
    dependencies: {
      "@pulumi/pulumi": repository.dependencies["@pulumi/pulumi"],
      ...Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`])),
    },
    devDependencies: { typescript: repository.devDependencies.typescript },
  });
  write("tsconfig.json", { compilerOptions: COMPILER, files: ["index.ts"] });
  copyFileSync(join(root, "examples/quickstart/index.ts"), join(project, "index.ts"));
  writeFileSync(join(project, "Pulumi.yaml"), "name: quickstart\nruntime: nodejs\nmain: index.ts\n");
  // Strict: a dependency must not require a newer Node than the packages support.
  await must(npm, ["install", "--engine-strict", "--ignore-scripts", "--prefer-offline"], { cwd: project });
  return project;
}

/** Runs the quickstart in that project with the installed packages alone: a preview with policies and report, and `up`. */
export async function tryOut(project: string, engine: string): Promise<void> {
  const simulators: typeof import("clouddb-simulator") = createRequire(join(project, "index.js"))("clouddb-simulator");
  const simulator = await simulators.startSimulator();
  try {
    const env = { ...withEngine(engine), ...stackIn(project, "dev", simulator) };
    const step = async (command: string, ...args: string[]) => {
      console.log(`\n$ ${[command, ...args].join(" ")}\n`);
      const { stdout, stderr } = await must(command, args, { cwd: project, env });
      console.log(`${stdout}${stderr}`.trim());
    };
    await must("pulumi", ["stack", "init", "dev"], { cwd: project, env });
    const report = ["clouddb-report", "run", "--output", "report.md", "--", "pulumi", "preview"];
    await step(npx, "--no-install", ...report, "--policy-pack", "node_modules/pulumi-clouddb-policies");
    console.log(`\n${readFileSync(join(project, "report.md"), "utf8").trim()}`);
    await step("pulumi", "up", "--yes", "--skip-preview", "--non-interactive");
    const requests = await takeRequests(simulator);
    console.log(`\nAPI requests: ${requests.map(({ method, path }) => `${method} ${path}`).join(", ")}`);
  } finally {
    await simulator.close();
  }
}

async function must(command: string, args: readonly string[], options: SpawnOptions): Promise<Result> {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  throw new SetupError(`${command} ${args.join(" ")} failed; see below.\n${lastLines(result, 40)}`);
}
