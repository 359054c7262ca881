// Duration of commands for stacks of many services, as dynamic resources and with the native
// plugin, compared with dynamic resources as in Pulumi's documentation, and with empty components,
// which need no provider. The last table compares CLIs and their settings for states in files.
// `CLOUDDB_TEST_ENGINE=VERSION npm run engine` installs the newest one of versions.json.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  enginePaths,
  median,
  printTable,
  progress,
  withProject,
  withSimulator,
} from "./support/project.mjs";

const given = process.argv.slice(2).map(Number);
const SIZES = given.length > 0 ? given : [10, 100, 1000];
/** The variants take turns, so that the machine's load affects all alike. */
const ROUNDS = 3;
const ARGS = `{
  provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
}`;
const VARIANTS = { dynamic: services, native: nativeServices, closure, empty: components };
const COMMANDS = ["up", "preview", "refresh", "destroy"];

const SETTINGS = {
  none: {},
  "zstd, no backups": {
    PULUMI_DIY_BACKEND_ZSTD: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
  },
};

const timings = [];
const states = [];
for (const size of SIZES) timings.push({ size, times: await measure(size) });

const RATIOS = ["dynamic / closure", "native / closure", "dynamic / empty", "native / empty"];
printTable(
  ["services", "command", ...Object.keys(VARIANTS), ...RATIOS],
  timings.flatMap(({ size, times }) =>
    COMMANDS.map((command) => {
      const [dynamic, native, other, empty] = Object.keys(VARIANTS).map((variant) =>
        median(times[variant + command]),
      );
      const seconds = [dynamic, native, other, empty].map((value) => `${value.toFixed(1)} s`);
      const ratios = [dynamic / other, native / other, dynamic / empty, native / empty];
      return [size, command, ...seconds, ...ratios.map((ratio) => ratio.toFixed(2))];
    }),
  ),
);
console.log("");
printTable(["services", "state of", "bytes per service", "__provider", "the secret"], states);
console.log("");
const files = [];
for (const size of SIZES) files.push(...(await measureFiles(size)));
printTable(
  ["services", "CLI", "settings", "create all", "update all", "folder of the state"],
  files,
);

async function measure(size) {
  const times = {};
  await withSimulator([], async ({ environment }) => {
    await withAll(environment, async (projects) => {
      const timed = async (name, command) => {
        const { seconds } = await projects[name][command]();
        progress(`${size} services, ${name}, ${command}: ${seconds.toFixed(1)} s`);
        times[name + command] = [...(times[name + command] ?? []), seconds];
      };
      for (const name of Object.keys(VARIANTS)) {
        projects[name].program(VARIANTS[name](size));
        await timed(name, "up");
        const resources = await projects[name].resources();
        states.push([size, name, ...bytesOf(resources)]);
        // The closure's handlers return the same outputs, so that only the mechanism differs, not
        // the amount of state.
        if (name === "dynamic")
          writeFileSync(
            join(projects.closure.folder, "response.json"),
            responseIn(resources.at(-1)),
          );
      }
      for (const command of ["preview", "refresh"]) {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const name of Object.keys(VARIANTS)) await timed(name, command);
        }
      }
      for (const name of Object.keys(VARIANTS)) await timed(name, "destroy");
    });
  });
  return times;
}

function withAll(environment, work) {
  const nest = (inner, name) => (projects) =>
    withProject(environment, (project) => inner({ ...projects, [name]: project }));
  return Object.keys(VARIANTS).reduce(nest, work)({});
}

function responseIn({ inputs, outputs }) {
  const given = Object.entries(outputs).filter(
    ([name]) => !(name in inputs) && !name.startsWith("__") && name !== "password",
  );
  return JSON.stringify(Object.fromEntries(given));
}

/** The average size of a resource in the state, and how much of it is code and ciphertext. */
function bytesOf(resources) {
  const ours = resources.filter(({ type }) => !type.startsWith("pulumi:"));
  const size = (value) => (value === undefined ? 0 : JSON.stringify(value).length);
  const mean = (part) => Math.round(ours.reduce((sum, one) => sum + part(one), 0) / ours.length);
  const code = ({ inputs, outputs }) => size(inputs?.__provider) + size(outputs?.__provider);
  return [mean(size), mean(code), mean(({ outputs }) => size(outputs?.password))];
}

async function measureFiles(size) {
  const rows = [];
  for (const PATH of await enginePaths()) {
    for (const [settings, variables] of Object.entries(SETTINGS)) {
      const [version, ...measured] = await withSimulator([], ({ environment }) =>
        withProject({ ...environment, ...variables, PATH }, (project) => writeFiles(size, project)),
      );
      rows.push([size, version, settings, ...measured]);
    }
  }
  return rows;
}

async function writeFiles(size, project) {
  const cells = [await project.version()];
  for (const programOf of [nativeServices, changedServices]) {
    project.program(programOf(size));
    cells.push(`${(await project.up()).seconds.toFixed(1)} s`);
    progress(`${size} services, ${cells.join(", ")}`);
  }
  return [...cells, `${(bytesIn(join(project.folder, "state")) / 2 ** 20).toFixed(1)} MB`];
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) =>
    statSync(join(folder, name)),
  );
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

/*
 * One program in four variants. Services cannot be deleted, so all of them are retained: destroy
 * empties the stack without calling a provider.
 */

function services(size, entry = "pulumi-clouddb", args = ARGS) {
  return `const clouddb = require("${entry}");
for (let number = 0; number < ${size}; number += 1) {
  new clouddb.Service("service" + number, ${args}, { retainOnDelete: true });
}`;
}

function nativeServices(size) {
  return services(size, "pulumi-clouddb/native");
}

function changedServices(size) {
  return services(size, "pulumi-clouddb/native", ARGS.replace("numReplicas: 3", "numReplicas: 4"));
}

/**
 * As https://www.pulumi.com/docs/iac/concepts/providers/dynamic-providers/ shows it. Its handlers
 * send no requests; the response of an API is in a file next to the program.
 */
function closure(size) {
  return `const pulumi = require("@pulumi/pulumi");
const serviceProvider = {
  async check(olds, news) {
    return { inputs: news, failures: [] };
  },
  async diff(id, olds, news) {
    return { changes: olds.numReplicas !== news.numReplicas };
  },
  async create(inputs) {
    const id = require("node:crypto").randomUUID();
    return { id, outs: { ...inputs, ...require(process.cwd() + "/response.json"), password: id } };
  },
  async read(id, props) {
    return { id, props };
  },
  async update(id, olds, news) {
    return { outs: { ...olds, ...news } };
  },
  async delete(id, props) {},
};
class Service extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(serviceProvider, name, { password: undefined, ...args, name }, { ...opts, additionalSecretOutputs: ["password"] });
  }
}
for (let number = 0; number < ${size}; number += 1) {
  new Service("service" + number, ${ARGS}, { retainOnDelete: true });
}`;
}

function components(size) {
  return `const pulumi = require("@pulumi/pulumi");
for (let number = 0; number < ${size}; number += 1) {
  new pulumi.ComponentResource("bench:index:Empty", "service" + number, {}, { retainOnDelete: true });
}`;
}
