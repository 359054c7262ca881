// Tests that take too long to run with every change: npm run nightly [-- SUITE... [-- JEST ARGUMENT...]]
//   --touched   only those of what has changed since the commit CLOUDDB_BASE, by default in the last commit
//   --list      print their names instead
import { parseArgs } from "node:util";
import { testBackends } from "./suites/backends";
import { jest } from "./suites/jest";
import { testLanguages } from "./suites/languages";
import { runModel } from "./suites/model";
import { testSdkVersions } from "./suites/versions";
import { run, runInForeground } from "./support/process";
import { SetupError } from "./support/progress";
import { root } from "./support/repository";

interface Suite {
  /** The files whose change it tests. */
  readonly files: RegExp;
  /** Returns an exit code. */
  readonly test: (args: readonly string[]) => Promise<number>;
}

const inProjects =
  (...projects: readonly string[]) =>
  (args: readonly string[]) =>
    jest([...args, "--selectProjects", ...projects]);

const SUITES: Readonly<Record<string, Suite>> = {
  limiter: {
    files: /^(provider\/api\/|provider\/core\/(shared-quota|redis-connection)\.ts|tests\/faults\/limiter\/)/,
    test: inProjects("limiter"),
  },
  conformance: {
    files: /^tests\/(conformance|support\/vectors)\//,
    test: (args) => {
      const tests = args.some((arg) => !arg.startsWith("-")) ? args : ["tests/conformance/", ...args];
      return jest([...tests, "--selectProjects", "unit", "conformance"], { CLOUDDB_CONFORMANCE: "1" });
    },
  },
  model: {
    files: /^tests\/faults\/model\//,
    test: runModel,
  },
  "native-engine": {
    files: /^(provider\/(hosts\/plugin|sdk)\/|tests\/engine\/)/,
    test: inProjects("native-engine"),
  },
  crashes: {
    files:
      /^(provider\/core\/(creation-journal|journal-|shared-entries|unresolved-creations)|tests\/faults\/crashes\/)/,
    test: inProjects("more-crashes", "more-native-crashes"),
  },
  page: {
    files: /^(simulator|tests\/contract\/simulator\/page)\//,
    test: inProjects("page"),
  },
  pipelines: {
    files: /^(examples\/ci|report|policies|tests\/programs\/review)\//,
    test: inProjects("pipelines"),
  },
  documentation: {
    files: /^(README\.md|(docs|examples|templates|tests\/programs)\/)/,
    test: inProjects("documentation"),
  },
  site: {
    files: /^(docs|tools\/docs|tests\/programs\/site)\//,
    test: inProjects("site"),
  },
  setup: {
    files:
      /^(package(-lock)?\.json|\.npmrc|tools\/(setup|build|release|support)|tests\/(faults\/setup|programs\/(build|release)\.))/,
    test: inProjects("setup"),
  },
  fleet: {
    files: /^(fleet|examples\/fleet|tests\/(programs\/fleet|engine\/fleet))/,
    test: inProjects("fleet"),
  },
  release: {
    files: /^(tools\/(release\/|(prepare-)?release\.ts)|tests\/programs\/release\/)/,
    test: inProjects("release"),
  },
  languages: {
    files:
      /^(provider\/schema\.json|provider\/hosts\/plugin\/|tools\/(sdks\/|setup\/(sdks|language-hosts|go|python)|suites\/languages)|tests\/languages\/|templates\/|docs\/(reference|guides)\/|docs\/getting-started\.md|examples\/)/,
    test: testLanguages,
  },
  backends: { files: /^(tests\/engine\/backends\/|tools\/(suites\/backends|setup\/servers)\.ts)/, test: testBackends },
  "sdk-versions": {
    files:
      /^(provider\/(sdk|hosts)\/|provider\/names\.ts|versions\.json|tools\/suites\/versions\.ts|tests\/engine\/states\/)/,
    test: testSdkVersions,
  },
};

export async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const { values, positionals } = parseArgs({
    args: args.slice(0, end),
    options: { touched: { type: "boolean" }, list: { type: "boolean" } },
    allowPositionals: true,
  });
  const names = await chosenSuites(positionals, values.touched ?? false);
  if (values.list) return console.log(names.join(" "));
  const jestArgs = args.slice(end + 1);
  const [only] = names;
  if (only !== undefined && positionals.length === 1) {
    process.exitCode = await SUITES[only]?.test(jestArgs);
    return;
  }
  const failed: string[] = [];
  for (const name of names) {
    // In a process of its own: the other suites run even if it crashes.
    const command = ["tools/setup.mjs", "nightly", name, "--", ...jestArgs];
    if ((await runInForeground(process.execPath, command, { cwd: root })) !== 0) failed.push(name);
  }
  if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}`);
  process.exitCode = failed.length;
}

async function chosenSuites(named: readonly string[], isTouched: boolean): Promise<readonly string[]> {
  const unknown = named.filter((name) => !Object.hasOwn(SUITES, name));
  if (unknown.length > 0) {
    throw new SetupError(`Unknown: ${unknown.join(", ")}. The suites are ${Object.keys(SUITES).join(", ")}.`);
  }
  const names = named.length > 0 ? named : Object.keys(SUITES);
  const changed = isTouched ? await changedFiles() : undefined;
  return names.filter((name) => changed === undefined || changed.some((file) => SUITES[name]?.files.test(file)));
}

async function changedFiles(): Promise<string[] | undefined> {
  const base = process.env.CLOUDDB_BASE || "HEAD^";
  const { code, stdout } = await run("git", ["diff", "--name-only", base, "HEAD"], { cwd: root });
  // Without that commit, as in a shallow clone, everything counts.
  return code === 0 ? stdout.split("\n") : undefined;
}
