/** The folders of the simulator, from the bottom up. A folder imports only from those below it. */
const SIMULATOR_LAYERS = ["schema", "state", "operations", "simulation", "http"];

/** The arrows of the house: who may import whom. Imports of types count. */
module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "facts-stand-below-everything",
      comment:
        "Packages that do not know each other share them: they know neither Pulumi nor any other package.",
      severity: "error",
      from: { path: "^facts/", pathNot: "\\.test\\.ts$" },
      to: {
        pathNot: "^facts/|node_modules/(ip-address|yaml)|^(fs|https?|net|path|querystring|tls)$",
      },
    },
    {
      name: "errors-know-nothing",
      comment: "Every folder shows messages, also those that programs load.",
      severity: "error",
      from: { path: "^provider/errors\\.ts$" },
      to: {},
    },
    {
      name: "fields-know-nothing",
      comment: "The functions over field tables are pure: no Pulumi, HTTP, files or other folders.",
      severity: "error",
      from: { path: "^provider/fields/", pathNot: "\\.test\\.ts$" },
      to: {
        pathNot:
          "^(facts|provider/fields)/|^provider/(errors|mistakes|names)\\.ts|node_modules/zod|^util$",
      },
    },
    {
      name: "fields-have-one-entrance",
      comment: "Everything else imports from the folder, so that its files can change.",
      severity: "error",
      from: { pathNot: "^provider/fields/" },
      to: { path: "^provider/fields/(?!(index|conversions)\\.ts$)" },
    },
    {
      name: "one-border",
      comment:
        "The codec converts, marks and resolves what engines store. Everything inside handles plain properties.",
      severity: "error",
      from: { pathNot: "^provider/hosts/(codec|plugin/values)\\.ts$|\\.test\\.ts$" },
      to: { path: "^provider/fields/conversions\\.ts$" },
    },
    {
      name: "api-knows-nothing",
      comment: "The HTTP client must not depend on Pulumi or field tables.",
      severity: "error",
      from: { path: "^provider/api/", pathNot: "\\.test\\.ts$" },
      to: {
        pathNot:
          "^(facts|provider/api)/|^provider/errors\\.ts|node_modules/(zod|axios)|^(https?|tls)$",
      },
    },
    {
      name: "simulator-is-its-own",
      comment: "If the simulator shared code with the provider, it would share its bugs.",
      severity: "error",
      from: { path: "^simulator/" },
      to: { path: "^(facts|provider|policies|tests(?!/support/vectors))/" },
    },
    ...SIMULATOR_LAYERS.map((layer, index) => ({
      name: `simulator-${layer}-imports-from-below`,
      comment: "Layers: HTTP above operations above state; imports only point down.",
      severity: "error",
      from: { path: `^simulator/${layer}/` },
      to: {
        path: [
          ...SIMULATOR_LAYERS.slice(index + 1).map((above) => `^simulator/${above}/`),
          "^simulator/[^/]+\\.ts$",
        ],
      },
    })),
    {
      name: "the-core-knows-no-engine",
      comment:
        "Tables, lifecycles and everything below them work without Pulumi: hosts carry them to an engine.",
      severity: "error",
      from: { path: "^provider/(core|resources)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^provider/(sdk|hosts)/|node_modules/@pulumi/" },
    },
    {
      name: "core-stands-below-resources",
      severity: "error",
      from: { path: "^provider/core/", pathNot: "\\.test\\.ts$" },
      to: { path: "^provider/resources/" },
    },
    {
      name: "plugin-is-an-adapter-of-its-own",
      comment:
        "It serves every language: of Pulumi's SDK it knows the protocol, and nothing of programs and their classes.",
      severity: "error",
      from: { path: "^provider/hosts/plugin/", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^provider/(sdk/(?!generated/tables)|hosts/(dynamic|lookup)|(index|native|runtime)\\.ts$)|node_modules/@pulumi/pulumi/(?!proto/)",
      },
    },
    {
      name: "programs-stay-light",
      comment:
        "A program must not load schemas or the HTTP client: a plugin does, and a function when it is called.",
      severity: "error",
      from: { path: "^provider/(sdk/|(index|native)\\.ts$)", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^facts/|^provider/(?!sdk/|(errors|mistakes|names)\\.ts|package\\.json)|node_modules/(zod|axios)",
        dependencyTypesNot: ["type-only", "type-import", "require"],
      },
    },
    {
      name: "one-adapter-does-not-load-the-other",
      severity: "error",
      from: { path: "^provider/native\\.ts$" },
      to: {
        path: "^provider/(index\\.ts$|sdk/generated/(?!tables))",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "report-is-its-own",
      comment: "The report works with any stack; it knows our resources only through the facts.",
      severity: "error",
      from: { path: "^report/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(provider|policies|simulator|tests)/" },
    },
    {
      name: "fleet-is-its-own",
      comment:
        "The commands work with the stacks of any project; of the packages, they use the report, and the provider's client for alerts.",
      severity: "error",
      from: { path: "^fleet/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(provider/(?!alerts\\.ts$)|(policies|report|simulator|tests)/)" },
    },
    {
      name: "nothing-needs-the-policies",
      severity: "error",
      from: { path: "^(provider|simulator)/" },
      to: { path: "^policies/" },
    },
    {
      name: "nothing-needs-the-report",
      severity: "error",
      from: { path: "^(provider|policies|simulator)/" },
      to: { path: "^report/" },
    },
    {
      name: "nothing-imports-commands",
      comment:
        "A command of tools/ is one file in its root, which setup.mjs starts. What several need is in its folders.",
      severity: "error",
      from: {},
      to: { path: "^tools/[^/]+\\.ts$" },
    },
    {
      name: "published-code-has-its-dependencies",
      comment: "The plugin's gRPC and protobuf are those of the SDK: it is published as a bundle.",
      severity: "error",
      from: {
        path: "^(facts|provider|policies|report|fleet|simulator)/",
        pathNot: "^provider/hosts/plugin/|\\.test\\.ts$",
      },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
  },
};
