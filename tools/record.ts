// Records the real engine's events of previews for the golden tests of the report: npm run record [NAME...]
// Debug events are not kept. Afterwards: npm test -- --selectProjects unit --updateSnapshot tests/contract/report/report
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunningSimulator } from "clouddb-simulator";
import { ensureAll } from "./setup/engine";
import { stackIn, withEngine } from "./support/environment";
import { run } from "./support/process";
import { root, textOf } from "./support/repository";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const SIZE = `provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8`;
const OFFICE = `{ source: "203.0.113.0/24", description: "office" }`;
const BUILD = `{ source: "198.51.100.7", description: "build server" }`;

const analytics = (args: string, options = "") =>
  `const analytics = new clouddb.Service("analytics", { ${SIZE}, ${args} }${options && `, ${options}`});`;
const plain = analytics(`maxReplicaMemoryGb: 64, numReplicas: 3, ipAccessList: [${OFFICE}, ${BUILD}]`);
const unprotected = analytics("maxReplicaMemoryGb: 64, numReplicas: 3", "{ protect: false }");
const pipe = (args: string) => `new clouddb.Pipe("orders", { serviceId: "${ID}", pipeId: "${PIPE}", ${args} });`;
const scaling = (args: string) => `new clouddb.ServiceScaling("size", { serviceId: "${ID}", ${args} });`;

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
  "update-scaling": { before: scaling("numReplicas: 3"), program: scaling("numReplicas: 2, maxReplicaMemoryGb: 32") },
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
  drift: { before: scaling("numReplicas: 3"), program: scaling("numReplicas: 3"), drift: true, flags: ["--refresh"] },
  "policies-broken": {
    program: `${analytics(`maxReplicaMemoryGb: 64, numReplicas: 3, ipAccessList: [{ source: "0.0.0.0/0" }]`)}
      new clouddb.ServiceScaling("size", { serviceId: analytics.id, numReplicas: 4 });`,
    flags: ["--policy-pack", join(root, "policies")],
  },
  "program-failed": { program: `${plain} throw new pulumi.RunError("the region is not configured");` },
  "check-failed": { program: analytics("minReplicaMemoryGb: 10, numReplicas: 50") },
  secrets: {
    before: analytics(`encryptionKey: "canary-1", maxReplicaMemoryGb: 64, numReplicas: 3`, "{ protect: false }"),
    program: analytics(`encryptionKey: "canary-2", maxReplicaMemoryGb: 64, numReplicas: 3`, "{ protect: false }"),
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
    flags: ["--policy-pack", join(root, "policies"), "--policy-pack-config", "policies.json"],
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
    flags: ["--policy-pack", join(root, "policies"), "--policy-pack-config", "nowhere.json"],
  },
  "unknown-chain": {
    program: `${plain} const reader = new clouddb.Service("reader", { ${SIZE}, maxReplicaMemoryGb: 32, numReplicas: 1,
        dataWarehouseId: analytics.dataWarehouseId, isReadonly: true });
      new clouddb.ServiceScaling("size", { serviceId: reader.id, numReplicas: 2 });`,
  },
};

interface Recording {
  readonly engine: string;
  readonly simulator: RunningSimulator;
  readonly folder: string;
}

export async function main(): Promise<void> {
  const engine = await ensureAll();
  const { startSimulator } = await import("clouddb-simulator");
  const seed = JSON.parse(textOf("simulator/seeds/example.json"));
  const folder = mkdtempSync(join(root, ".cache", "record-"));
  try {
    const wanted = process.argv.slice(2);
    for (const [name, preview] of Object.entries(previews)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const simulator = await startSimulator({ seed });
      try {
        await record(name, preview, { engine, simulator, folder: join(folder, name) });
      } finally {
        await simulator.close();
      }
      console.log(name);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function record(
  name: string,
  { before, program, drift, command = ["preview"], flags = [], files = {} }: Preview,
  { engine, simulator, folder }: Recording,
): Promise<void> {
  mkdirSync(folder);
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: shop\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  );
  writeFileSync(join(folder, "package.json"), '{"name":"shop","main":"index.js"}');
  const head = 'const pulumi = require("@pulumi/pulumi"); const clouddb = require("pulumi-clouddb");\n';
  const write = (text: string) => writeFileSync(join(folder, "index.js"), head + text);
  const env = { ...withEngine(engine), ...stackIn(folder, "production", simulator) };
  const pulumi = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    run("pulumi", [...args, "--non-interactive"], { cwd: folder, env: { ...env, ...more } });
  await pulumi(["stack", "init", "production"]);
  if (before !== undefined) {
    write(before);
    await pulumi(["up", "--yes", "--skip-preview"]);
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  if (drift) await changeOutside(simulator);
  write(program);
  const stream = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const { stdout } = await pulumi([...command, "--json", ...flags], stream);
  writeFileSync(join(root, "tests/contract/report/previews", `${name}.ndjson`), cleaned(stdout, folder));
}

async function changeOutside({ baseUrl, organizationId, keyId, keySecret }: RunningSimulator): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
  await fetch(`${baseUrl}/v1/organizations/${organizationId}/services/${ID}/replicaScaling`, {
    method: "PATCH",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ numReplicas: 7 }),
  });
}

/** The events without debug, which holds secrets, and without this machine's folders. */
function cleaned(stdout: string, folder: string): string {
  const lines = stdout.split("\n").filter((line) => line.startsWith('{"'));
  const kept = lines.filter((line) => JSON.parse(line).diagnosticEvent?.severity !== "debug");
  const text = kept.join("\n").replaceAll(folder, "/program").replaceAll(root, "/packages");
  if (text.includes("canary")) throw new Error("a secret is among the recorded events");
  return `${text}\n`;
}
