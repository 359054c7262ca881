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

module.exports = {
  projects: [
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
      testMatch: ["<rootDir>/tests/conformance/{gateways,leaks}.test.ts"],
    },
    {
      ...common,
      displayName: "limiter",
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
      testMatch: [
        "<rootDir>/tests/engine/{adoption,faults,options,preview,protection,providers,secret-arguments,transformed-secrets}.test.ts",
      ],
    },
    // The twin of the engine, held against the engine.
    {
      ...installed,
      displayName: "twin",
      testMatch: ["<rootDir>/tests/twin/*.test.ts"],
    },
    {
      ...installed,
      ...native,
      displayName: "native-twin",
      testMatch: ["<rootDir>/tests/twin/*.test.ts"],
    },
    // Slow tables of Pulumi's options.
    {
      ...installed,
      displayName: "options",
      testMatch: ["<rootDir>/tests/engine/options/*.test.ts"],
    },
    {
      ...installed,
      ...native,
      displayName: "native-options",
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
      testMatch: ["<rootDir>/tests/programs/review/workflows.test.ts"],
    },
    {
      ...installed,
      displayName: "fleet",
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
      testMatch: [
        "<rootDir>/tests/programs/guides.test.ts",
        "<rootDir>/tests/programs/documentation/walkthroughs.test.ts",
      ],
    },
    {
      ...installed,
      displayName: "setup",
      testMatch: ["<rootDir>/tests/{faults/setup,programs/release}.test.ts"],
    },
    {
      ...common,
      displayName: "site",
      testMatch: ["<rootDir>/tests/programs/site.test.ts"],
    },
    {
      ...installed,
      displayName: "languages",
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
      testMatch: ["<rootDir>/tests/faults/crashes/{journal,pod}.test.ts"],
    },
    {
      ...installed,
      ...native,
      displayName: "more-native-crashes",
      testMatch: ["<rootDir>/tests/faults/crashes/engine.test.ts"],
    },
    {
      ...installed,
      globals: { ADAPTER: "native", BACKEND: "postgres" },
      displayName: "postgres",
      testMatch: sharedBackend,
    },
    {
      ...installed,
      globals: { BACKEND: "s3" },
      displayName: "s3",
      testMatch: sharedBackend,
    },
  ],
  maxWorkers: 3,
  testSequencer: "<rootDir>/tests/support/sequencer.cjs",
  testTimeout: PATIENCE_MS * Math.max(1, startOfNodeMs() / QUIET_START_MS),
};
