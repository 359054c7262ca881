const { spawnSync } = require("node:child_process");

/** A test ends only what hangs: this machine may be slow, or busy with something else. */
const QUIET_START_MS = 50;
const PATIENCE_MS = 600_000;

function startOfNodeMs() {
  const startedAt = Date.now();
  spawnSync(process.execPath, ["--eval", ""]);
  return Date.now() - startedAt;
}

/** @type {import("jest").Config} */
const common = {
  rootDir: __dirname,
  // By default, it stays in the temporary folder.
  cacheDirectory: "<rootDir>/.cache/jest",
  testEnvironment: "node",
  setupFiles: ["<rootDir>/tests/support/loopback.cjs"],
  transform: {
    "\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2022" } }],
  },
  // Generated SDKs and downloaded modules have the names of packages.
  modulePathIgnorePatterns: ["/dist/", "<rootDir>/sdks/", "<rootDir>/.cache/"],
  // Tests run in a separate context, in which access to globals is slow.
  sandboxInjectedGlobals: [
    "Array",
    "Error",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "RegExp",
    "Set",
    "String",
  ],
};

/** With the packed packages in a separate folder, as users install them. */
const installed = {
  ...common,
  globalSetup: "<rootDir>/tests/engine/support/global-setup.ts",
  globalTeardown: "<rootDir>/tests/engine/support/global-teardown.ts",
};

/**
 * The same tests run with the native plugin as with Pulumi's dynamic provider: see
 * tests/support/adapters.
 */
const native = { globals: { ADAPTER: "native" } };

/** Tests of the engine that also run with states on a server: see tests/engine/backends. */
const sharedBackend = [
  "<rootDir>/tests/engine/lifecycle.test.ts",
  "<rootDir>/tests/faults/crashes/engine.test.ts",
  "<rootDir>/tests/engine/backends/*.test.ts",
];

/** What two projects test, one with each adapter or backend. */
const TWIN = [
  "provider/hosts",
  "provider/core",
  "tests/twin",
  "tests/support/engine",
  "tests/support/adapters",
];
const OPTIONS = [
  "provider/hosts",
  "provider/sdk",
  "provider/core/journal",
  "provider/core/object/adopt.ts",
  "provider/core/session/settings.ts",
  "tests/engine/options",
];
const CRASHES = ["provider/core/journal", "tests/faults/crashes"];
const BACKENDS = ["tests/engine/backends", "tools/setup/servers.ts"];

/**
 * `slow` names the folders and files that a project tests: .ci/run runs it only after a change of
 * one of them.
 */
const projects = [
  {
    ...common,
    displayName: "unit",
    testMatch: [
      "<rootDir>/{facts,provider,policies,report,fleet,simulator}/**/*.test.ts",
      "<rootDir>/tests/{contract,support,witness}/**/*.test.ts",
      "<rootDir>/tests/conformance/vectors.test.ts",
    ],
    testPathIgnorePatterns: ["/node_modules/", "/contract/simulator/page/"],
  },
  {
    ...common,
    displayName: "page",
    slow: ["simulator", "tests/contract/simulator/page"],
    testMatch: ["<rootDir>/tests/contract/simulator/page/*.test.ts"],
  },
  {
    ...common,
    displayName: "faults",
    testMatch: ["<rootDir>/tests/faults/{functions,matrix,model/*}.test.ts"],
  },
  {
    ...common,
    ...native,
    displayName: "native-faults",
    testMatch: [
      "<rootDir>/tests/{contract/*,witness/*,faults/functions,faults/matrix,faults/model/*}.test.ts",
    ],
    // Tests that no adapter takes part in.
    testPathIgnorePatterns: ["contract/(certificates|complete|dynamic)\\."],
  },
  {
    ...installed,
    displayName: "conformance",
    slow: ["tests/conformance"],
    testMatch: ["<rootDir>/tests/conformance/{gateways,leaks}.test.ts"],
  },
  {
    ...common,
    displayName: "limiter",
    slow: [
      "provider/api",
      "provider/core/session/shared-quota.ts",
      "provider/core/journal/redis-connection.ts",
      "tests/faults/limiter",
    ],
    testMatch: ["<rootDir>/tests/faults/limiter/**/*.test.ts"],
  },
  {
    ...installed,
    displayName: "engine",
    testMatch: ["<rootDir>/tests/engine/!(fleet).test.ts"],
  },
  {
    ...installed,
    ...native,
    displayName: "native",
    testMatch: [
      "<rootDir>/tests/engine/{lifecycle,references,secrets,several,upgrade,plugin/*}.test.ts",
    ],
  },
  {
    ...installed,
    ...native,
    displayName: "native-engine",
    slow: ["provider/hosts/plugin", "provider/sdk", "tests/engine"],
    testMatch: [
      "<rootDir>/tests/engine/{adoption,faults,options,preview,protection,providers,secret-arguments,transformed-secrets}.test.ts",
    ],
  },
  // The twin of the engine, held against the engine.
  {
    ...installed,
    displayName: "twin",
    slow: TWIN,
    testMatch: ["<rootDir>/tests/twin/*.test.ts"],
  },
  {
    ...installed,
    ...native,
    displayName: "native-twin",
    slow: TWIN,
    testMatch: ["<rootDir>/tests/twin/*.test.ts"],
  },
  // Slow tables of Pulumi's options.
  {
    ...installed,
    displayName: "options",
    slow: OPTIONS,
    testMatch: ["<rootDir>/tests/engine/options/*.test.ts"],
  },
  {
    ...installed,
    ...native,
    displayName: "native-options",
    slow: OPTIONS,
    testMatch: ["<rootDir>/tests/engine/options/*.test.ts"],
  },
  {
    ...installed,
    displayName: "review",
    testMatch: ["<rootDir>/tests/programs/review/{executable-pack,policies*,report}.test.ts"],
  },
  {
    ...installed,
    displayName: "record",
    testMatch: ["<rootDir>/tests/contract/report/record.ts"],
  },
  {
    ...installed,
    displayName: "pipelines",
    slow: [
      ".github/workflows/stacks.yml",
      "examples/ci",
      "report",
      "policies",
      "tests/programs/review",
    ],
    testMatch: ["<rootDir>/tests/programs/review/workflows.test.ts"],
  },
  {
    ...installed,
    displayName: "fleet",
    slow: ["fleet", "examples/fleet", "tests/programs/fleet", "tests/engine/fleet.test.ts"],
    testMatch: ["<rootDir>/tests/{programs/fleet/*,engine/fleet}.test.ts"],
  },
  {
    ...installed,
    displayName: "programs",
    testMatch: [
      "<rootDir>/tests/programs/{arguments,examples,mocks,types}.test.ts",
      "<rootDir>/tests/programs/documentation/{crashes,pages}.test.ts",
    ],
  },
  {
    ...installed,
    displayName: "documentation",
    slow: ["README.md", "docs", "examples", "templates", "tests/programs"],
    testMatch: [
      "<rootDir>/tests/programs/guides.test.ts",
      "<rootDir>/tests/programs/documentation/walkthroughs.test.ts",
    ],
  },
  // What a release does, and the pages say about it, in empty homes.
  {
    ...installed,
    displayName: "rehearsal",
    testMatch: ["<rootDir>/tests/programs/rehearsal.test.ts"],
  },
  {
    ...installed,
    displayName: "setup",
    slow: [
      "package.json",
      "package-lock.json",
      ".npmrc",
      "CONTRIBUTING.md",
      "tools/setup",
      "tools/setup.mjs",
      "tools/build.ts",
      "tools/registry-pages.ts",
      "tools/support",
      "tests/faults/setup.test.ts",
      "tests/programs/release.test.ts",
      ".github/workflows/release.yml",
    ],
    testMatch: ["<rootDir>/tests/{faults/setup,programs/release}.test.ts"],
  },
  {
    ...common,
    displayName: "site",
    slow: ["docs", "tools/docs", "tests/programs/site.test.ts"],
    testMatch: ["<rootDir>/tests/programs/site.test.ts"],
  },
  {
    ...installed,
    displayName: "languages",
    slow: [
      "provider/schema.json",
      "provider/hosts/plugin",
      "tools/sdks",
      "tools/setup/sdks.ts",
      "tools/setup/language-host.ts",
      "tools/setup/languages.ts",
      "tools/setup/go.ts",
      "tools/setup/python.ts",
      "tests/languages",
      "templates",
      "docs/reference",
      "docs/guides",
      "docs/getting-started.md",
      "examples",
    ],
    testMatch: ["<rootDir>/tests/languages/**/*.test.ts"],
  },
  {
    ...installed,
    displayName: "crashes",
    testMatch: ["<rootDir>/tests/faults/crashes/{engine,simulator}.test.ts"],
  },
  {
    ...installed,
    ...native,
    displayName: "native-crashes",
    testMatch: ["<rootDir>/tests/faults/crashes/journal.test.ts"],
  },
  // Each crash with the other adapter.
  {
    ...installed,
    displayName: "more-crashes",
    slow: CRASHES,
    testMatch: ["<rootDir>/tests/faults/crashes/{journal,pod}.test.ts"],
  },
  {
    ...installed,
    ...native,
    displayName: "more-native-crashes",
    slow: CRASHES,
    testMatch: ["<rootDir>/tests/faults/crashes/engine.test.ts"],
  },
  {
    ...installed,
    globals: { ADAPTER: "native", BACKEND: "postgres" },
    displayName: "postgres",
    slow: BACKENDS,
    testMatch: sharedBackend,
  },
  {
    ...installed,
    globals: { BACKEND: "s3" },
    displayName: "s3",
    slow: BACKENDS,
    testMatch: sharedBackend,
  },
];

/** Other slow runs of .ci/run. */
const others = [
  { displayName: "model", slow: ["tests/faults/model"] },
  {
    displayName: "sdk-versions",
    slow: [
      "provider/sdk",
      "provider/hosts",
      "provider/names.ts",
      "versions.json",
      ".ci/sdk-versions",
      "tests/engine/states",
    ],
  },
];

module.exports = () => ({
  projects: projects.map(({ slow, ...project }) => project),
  maxWorkers: 3,
  testSequencer: "<rootDir>/tests/support/sequencer.cjs",
  testTimeout: PATIENCE_MS * Math.max(1, startOfNodeMs() / QUIET_START_MS),
});

module.exports.projects = projects;
module.exports.slow = [...projects, ...others].filter(({ slow }) => slow);
