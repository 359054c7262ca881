import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Seed } from "../../../simulator/index";
import exampleSeed from "../../../simulator/seeds/example.json";
import { newStack, outcomeOf, simulated } from "../../engine/support/stack";
import { root } from "../../support/root";
import { storeRecording } from "./support/preview";

/**
 * Records the real engine's events of previews for the golden tests of the report, without debug
 * events: npm test -- --selectProjects record [-t NAME]. Afterwards: npm test -- --selectProjects
 * unit --updateSnapshot tests/contract/report/report
 */

const POLICIES = join(root, "policies");
const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const SIZE = `provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8`;
const OFFICE = `{ source: "203.0.113.0/24", description: "office" }`;
const BUILD = `{ source: "198.51.100.7", description: "build server" }`;

const analytics = (args: string, options = "") =>
  `const analytics = new clouddb.Service("analytics", { ${SIZE}, ${args} }${options && `, ${options}`});`;
const plain = analytics(
  `maxReplicaMemoryGb: 64, numReplicas: 3, ipAccessList: [${OFFICE}, ${BUILD}]`,
);
const unprotected = analytics("maxReplicaMemoryGb: 64, numReplicas: 3", "{ protect: false }");
const pipe = (args: string) =>
  `new clouddb.Pipe("orders", { serviceId: "${ID}", pipeId: "${PIPE}", ${args} });`;
const scaling = (args: string) =>
  `new clouddb.ServiceScaling("size", { serviceId: "${ID}", ${args} });`;

/** A second account; nothing is created in it, because nothing listens at its address. */
const account = (baseUrl: string, keySecret: string) =>
  `new clouddb.Provider("account", { baseUrl: "${baseUrl}", keyId: "simulator", keySecret: "${keySecret}" });`;
const component = (args: string, note: string) => `
  class Warehouse extends pulumi.ComponentResource {
    constructor(name) {
      super("shop:index:Warehouse", name);
      new clouddb.Service("analytics", { ${SIZE}, ${args} }, { parent: this, protect: false });
    }
  }
  new Warehouse("main");
  exports.note = "${note}";
  exports.password = pulumi.secret("canary-${note}");`;

/** A user's own pack: ours changes no arguments. */
const remediatingPack = `
  const { PolicyPack } = require("@pulumi/policy");
  const described = (entry) => ({ description: "added by the company's policy", ...entry });
  new PolicyPack("company", {
    policies: [{
      name: "entries-are-described",
      description: "Entries have a description.",
      enforcementLevel: "remediate",
      remediateResource({ props }) {
        if (!props.ipAccessList) return undefined;
        props.ipAccessList = [...props.ipAccessList].map(described);
        return props;
      },
    }],
  });`;

interface Preview {
  /** The program whose stack exists already. */
  readonly before?: string;
  /** The program that is previewed. */
  readonly program: string;
  /** Set to change a service outside of Pulumi in between. */
  readonly drift?: true;
  readonly command?: readonly string[];
  readonly flags?: readonly string[];
  /** Other files of the project, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

const previews: Readonly<Record<string, Preview>> = {
  create: { program: plain },
  "update-service": {
    before: plain,
    program: analytics(
      `maxReplicaMemoryGb: 120, numReplicas: 4, ipAccessList: [${OFFICE}, { source: "192.0.2.0/24", description: "partner" }]`,
    ),
  },
  "update-scaling": {
    before: scaling("numReplicas: 3"),
    program: scaling("numReplicas: 2, maxReplicaMemoryGb: 32"),
  },
  "update-pipe": {
    before: pipe(`name: "orders", settings: { engineMaxThreads: 8 }`),
    program: pipe(
      `name: "all orders", settings: { engineMaxThreads: 4 }, source: { kafka: { credentials: { username: "u", password: "canary" } } }`,
    ),
  },
  replace: { before: plain, program: plain.replace("us-east-1", "us-east-2") },
  forget: {
    before: `${analytics("numReplicas: 3, maxReplicaMemoryGb: 64", "{ retainOnDelete: true }")} ${scaling("numReplicas: 3")}`,
    program: "",
  },
  remove: { before: plain, program: "" },
  renamed: {
    before: unprotected,
    program: unprotected
      .replace('"analytics"', '"reports"')
      .replace("us-east-1", "us-east-2")
      .replace("protect: false", 'protect: false, aliases: [{ name: "analytics" }]'),
  },
  "destroy-with-program": {
    before: unprotected,
    program: unprotected,
    command: ["destroy", "--preview-only", "--run-program"],
  },
  drift: {
    before: scaling("numReplicas: 3"),
    program: scaling("numReplicas: 3"),
    drift: true,
    flags: ["--refresh"],
  },
  "policies-broken": {
    program: `${analytics(`maxReplicaMemoryGb: 64, numReplicas: 3, ipAccessList: [{ source: "0.0.0.0/0" }]`)}
      new clouddb.ServiceScaling("size", { serviceId: analytics.id, numReplicas: 4 });`,
    flags: ["--policy-pack", POLICIES],
  },
  "program-failed": {
    program: `${plain} throw new pulumi.RunError("the region is not configured");`,
  },
  "check-failed": { program: analytics("minReplicaMemoryGb: 10, numReplicas: 50") },
  secrets: {
    before: analytics(
      `encryptionKey: "canary-1", maxReplicaMemoryGb: 64, numReplicas: 3`,
      "{ protect: false }",
    ),
    program: analytics(
      `encryptionKey: "canary-2", maxReplicaMemoryGb: 64, numReplicas: 3`,
      "{ protect: false }",
    ),
  },
  nothing: { before: plain, program: plain },
  unprotected: { before: plain, program: plain.replace(" });", " }, { protect: false });") },
  retained: {
    before: unprotected,
    program: unprotected.replace("protect: false", "protect: false, retainOnDelete: true"),
  },
  "provider-changed": {
    before: account("http://127.0.0.1:4010", "canary-1"),
    program: account("http://127.0.0.1:4020", "canary-2"),
  },
  components: {
    before: component("maxReplicaMemoryGb: 64, numReplicas: 3", "one"),
    program: component("maxReplicaMemoryGb: 32, numReplicas: 3", "two"),
  },
  "list-undeclared": {
    before: unprotected.replace("numReplicas: 3", `numReplicas: 3, ipAccessList: [${OFFICE}]`),
    program: unprotected,
  },
  "policies-disabled": {
    program: plain,
    files: { "policies.json": '{"all":"disabled"}' },
    flags: ["--policy-pack", POLICIES, "--policy-pack-config", "policies.json"],
  },
  "policies-remediated": {
    program: `${analytics(`maxReplicaMemoryGb: 64, numReplicas: 3, ipAccessList: [{ source: "203.0.113.7" }, ${OFFICE}]`)}
      new clouddb.Service("reports", { maxReplicaMemoryGb: 32, numReplicas: 3, ipAccessList: pulumi.secret([{ source: "203.0.113.8" }]) });`,
    files: {
      "pack/PulumiPolicy.yaml": "runtime: nodejs\n",
      "pack/package.json": '{"version":"1.0.0"}',
      "pack/index.js": remediatingPack,
    },
    flags: ["--policy-pack", "pack"],
  },
  "settings-missing": {
    program: plain,
    flags: ["--policy-pack", POLICIES, "--policy-pack-config", "nowhere.json"],
  },
  "unknown-chain": {
    program: `${plain} const reader = new clouddb.Service("reader", { ${SIZE}, maxReplicaMemoryGb: 32, numReplicas: 1,
        dataWarehouseId: analytics.dataWarehouseId, isReadonly: true });
      new clouddb.ServiceScaling("size", { serviceId: reader.id, numReplicas: 2 });`,
  },
};

test.each(Object.entries(previews))(
  "%s",
  async (name, { before, program, drift, files = {}, flags = [], command = ["preview"] }) => {
    const api = await simulated({ seed: exampleSeed as unknown as Seed });
    const stack = await newStack(api);
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(stack.folder, file)), { recursive: true });
      writeFileSync(join(stack.folder, file), text);
    };
    write(
      "Pulumi.yaml",
      "name: shop\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    );
    write("package.json", '{"name":"shop","main":"index.js"}');
    for (const [file, text] of Object.entries(files)) write(file, text);
    stack.environment({ PULUMI_STACK: "production", PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
    await stack.pulumi("stack", "init", "production");
    if (before !== undefined) {
      stack.program(before);
      await stack.up();
    }
    if (drift) await api.change("PATCH", `/${ID}/replicaScaling`, { numReplicas: 7 });
    stack.program(program);
    const { output } = await outcomeOf(stack.pulumi(...command, "--json", ...flags));
    const lines = output.split("\n").filter((line) => line.startsWith('{"'));
    // Debug events hold secrets.
    const kept = lines.filter((line) => JSON.parse(line).diagnosticEvent?.severity !== "debug");
    const text = kept.join("\n").replaceAll(stack.folder, "/program").replaceAll(root, "/packages");
    expect(text).not.toContain("canary");
    storeRecording(name, `${text}\n`);
  },
);
