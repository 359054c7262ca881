// Runs jest with what the chosen projects need: a build, a Pulumi engine on PATH, and servers or
// SDKs. Without arguments: `npm test`, the tests that run in a few minutes.
import { ensureBuild } from "./setup/build";
import { ensureEngine } from "./setup/engine";
import { ensureS3Gateway, findPostgres } from "./setup/servers";
import { withEngine, withoutAccount } from "./support/environment";
import { runInForeground } from "./support/process";
import { root } from "./support/repository";

/**
 * Variables for tests in projects that need more than an engine. Each function throws the reason if
 * this machine lacks a requirement.
 */
const VARIABLES: Readonly<Record<string, (engine: string) => Promise<NodeJS.ProcessEnv>>> = {
  // Loaded on use, because it loads packages that must be built first.
  languages: (engine) => {
    const { ensureLanguages }: typeof import("./setup/languages") = require("./setup/languages");
    return ensureLanguages(engine);
  },
  rehearsal: (engine) => {
    const { ensureLanguages }: typeof import("./setup/languages") = require("./setup/languages");
    return ensureLanguages(engine, ["yaml", "python", "go"]);
  },
  // `pulumi new` loads the host of a template's language.
  documentation: async (engine) => {
    const {
      ensureLanguageHosts,
    }: typeof import("./setup/languages") = require("./setup/languages");
    for (const reason of Object.values(await ensureLanguageHosts(engine)))
      process.stderr.write(`${reason}\n`);
    return {};
  },
  postgres: async () => ({ CLOUDDB_POSTGRES: findPostgres() }),
  s3: async () => ({ CLOUDDB_S3_GATEWAY: await ensureS3Gateway() }),
};

export async function main(): Promise<void> {
  const given = process.argv.slice(2);
  let args = given.length > 0 ? given : ["--selectProjects", "unit", "engine"];
  await ensureBuild();
  const projects = projectsIn(args);
  // The tests of installed packages run programs.
  const engine =
    projects.length === 0 || projects.some((project) => "globalSetup" in project)
      ? await ensureEngine()
      : undefined;
  const variables: NodeJS.ProcessEnv = {};
  for (const { displayName: name } of projects) {
    try {
      Object.assign(variables, await VARIABLES[name]?.(engine ?? ""));
    } catch (error) {
      process.stderr.write(`Skipped all tests of ${name}: ${(error as Error).message}\n`);
      args = args.filter((text) => text !== name);
    }
  }
  if (projects.length > 0 && projectsIn(args).length === 0) return;
  const env = { ...(engine === undefined ? withoutAccount() : withEngine(engine)), ...variables };
  // Without --ci, a run would record the new snapshots of wrong behavior.
  const command = [require.resolve("jest/bin/jest"), "--ci", ...args];
  process.exitCode = await runInForeground(process.execPath, command, { cwd: root, env });
}

/** The jest projects named in arguments. */
function projectsIn(args: readonly string[]): readonly { readonly displayName: string }[] {
  const { projects } = require("../jest.config.cjs") as {
    projects: readonly { displayName: string }[];
  };
  const words = args.flatMap((text) => text.split("="));
  return projects.filter(({ displayName }) => words.includes(displayName));
}
