import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { lastLines, npm, npx, run } from "../setup/command.mjs";
import { withEngine } from "../setup/engine.mjs";
import { SetupError } from "../setup/report.mjs";
import { root } from "../setup/root.mjs";
import { simulatorSettings } from "../setup/simulator-settings.mjs";

const repository = createRequire(import.meta.url)("../../package.json");
const COMPILER = { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" };

/** Installs packed packages in an empty project, as a user would; returns its folder. */
export async function install(folder, tarballs) {
  const project = join(folder, "pulumi-clouddb-installation");
  mkdirSync(project);
  const write = (name, content) => writeFileSync(join(project, name), JSON.stringify(content));
  write("package.json", {
    name: basename(project),
    version: repository.version,
    private: true,
    dependencies: {
      "@pulumi/pulumi": repository.dependencies["@pulumi/pulumi"],
      ...Object.fromEntries(tarballs.map(({ name, tarball }) => [name, `file:${tarball}`])),
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
export async function tryOut(project, engine) {
  const { startSimulator } = createRequire(join(project, "index.js"))("clouddb-simulator");
  const simulator = await startSimulator();
  try {
    mkdirSync(join(project, "state"));
    const env = { ...withEngine(engine), ...settingsFor(project, simulator) };
    const step = async (command, ...args) => {
      console.log(`\n$ ${[command, ...args].join(" ")}\n`);
      const { stdout, stderr } = await must(command, args, { cwd: project, env });
      console.log(`${stdout}${stderr}`.trim());
    };
    await must("pulumi", ["stack", "init", "dev"], { cwd: project, env });
    const report = ["clouddb-report", "run", "--format", "text", "--output", "report.txt"];
    await step(npx, "--no-install", ...report, "--", "--policy-pack", "node_modules/pulumi-clouddb-policies");
    console.log(`\n${readFileSync(join(project, "report.txt"), "utf8").trim()}`);
    await step("pulumi", "up", "--yes", "--skip-preview", "--non-interactive");
    const { requests } = await (await fetch(`${simulator.baseUrl}/__admin/requests`)).json();
    console.log(`\nAPI requests: ${requests.map(({ method, path }) => `${method} ${path}`).join(", ")}`);
  } finally {
    await simulator.close();
  }
}

/** A list of everything that was installed, for scanners: CycloneDX, as JSON. */
export async function sbom(project) {
  return (await must(npm, ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], { cwd: project })).stdout;
}

function settingsFor(project, simulator) {
  return {
    PULUMI_HOME: join(project, "home"),
    PULUMI_BACKEND_URL: `file://${join(project, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "release",
    PULUMI_STACK: "dev",
    ...simulatorSettings(simulator),
  };
}

async function must(command, args, options) {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  throw new SetupError(`${command} ${args.join(" ")} failed; see below.\n${lastLines(result, 40)}`);
}
