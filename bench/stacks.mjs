// Duration of commands for stacks of many services, as dynamic resources and with the native
// plugin, compared with the same program written like the dynamic resources in Pulumi's
// documentation, and with as many empty components, which the engine handles without a provider.
// node bench/stacks.mjs 10 100      only these sizes The last table compares CLIs and their
// settings for states in files. `CLOUDDB_TEST_ENGINE=VERSION npm run engine` installs the newest
// one of versions.json.
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
const SIZES = given.length > 0 ? given : [10, 20, 100, 1000];
/**
 * Rounds of commands that change nothing. The variants take turns, so that the machine's load
 * affects all alike.
 */
const ROUNDS = 3;
/** The arguments of each service. */
const ARGS = `{
  provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
}`;
const VARIANTS = { dynamic: services, native: nativeServices, closure, empty: components };
const COMMANDS = ["up", "preview", "refresh", "destroy"];

/** Settings of the CLI for states in files. */
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

printTable(
  [
    "services",
    "command",
    ...Object.keys(VARIANTS),
    "dynamic / closure",
    "native / closure",
    "dynamic / empty",
    "native / empty",
  ],
  timings.flatMap(({ size, times }) =>
    COMMANDS.map((command) => {
      const [dynamic, native, other, empty] = Object.keys(VARIANTS).map((variant) =>
        median(times[variant][command]),
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
  const times = Object.fromEntries(
    Object.keys(VARIANTS).map((name) => [
      name,
      Object.fromEntries(COMMANDS.map((command) => [command, []])),
    ]),
  );
  await withSimulator([], async ({ environment }) => {
    await withAll(environment, async (projects) => {
      const timed = async (name, command) => {
        const { seconds } = await projects[name][command]();
        progress(`${size} services, ${name}, ${command}: ${seconds.toFixed(1)} s`);
        times[name][command].push(seconds);
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

/** A project for each variant, all at the same time. */
function withAll(environment, work) {
  const nested = (names, projects) => {
    const [name, ...rest] = names;
    if (name === undefined) return work(projects);
    return withProject(environment, (project) => nested(rest, { ...projects, [name]: project }));
  };
  return nested(Object.keys(VARIANTS), {});
}

/** The outputs that came from the API, without the declared ones. */
function responseIn({ inputs, outputs }) {
  const given = Object.entries(outputs).filter(
    ([name]) => !(name in inputs) && !name.startsWith("__") && name !== "password",
  );
  return JSON.stringify(Object.fromEntries(given));
}

/** The average size of a resource in the state, and how much of it is code and ciphertext. */
function bytesOf(resources) {
  const ours = resources.filter(({ type }) => !type.startsWith("pulumi:"));
  const mean = (values) => Math.round(values.reduce((sum, value) => sum + value, 0) / ours.length);
  const size = (value) => (value === undefined ? 0 : JSON.stringify(value).length);
  return [
    mean(ours.map(size)),
    mean(ours.map(({ inputs, outputs }) => size(inputs?.__provider) + size(outputs?.__provider))),
    mean(ours.map(({ outputs }) => size(outputs?.password))),
  ];
}

/** Creates and updates services of the native plugin, with each CLI and its settings. */
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
  const version = await project.version();
  const times = [];
  for (const programOf of [nativeServices, changedServices]) {
    project.program(programOf(size));
    const { seconds } = await project.up();
    progress(`${size} services, ${version}: ${seconds.toFixed(1)} s`);
    times.push(`${seconds.toFixed(1)} s`);
  }
  return [version, ...times, `${(bytesIn(join(project.folder, "state")) / 2 ** 20).toFixed(1)} MB`];
}

function bytesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
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

/** The program for the native plugin. */
function nativeServices(size) {
  return services(size, "pulumi-clouddb/native");
}

/** Changes every service of `nativeServices`. */
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
