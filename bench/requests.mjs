// Number of requests per operation of each resource, from the simulator's journal.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { printTable, progress, root, withProject, withSimulator } from "./support/project.mjs";

const SEED = join(root, "simulator/seeds/example.json");
const [{ services }] = JSON.parse(readFileSync(SEED, "utf8")).organizations;
const serviceId = services[0].id;
const [pipe] = services[0].pipes;
const pipeId = pipe.id;

/**
 * The first and the next declaration; for adoption, also one without differences. Names start with
 * the type.
 */
const RESOURCES = {
  Service: {
    first: { name: "one", numReplicas: 3 },
    next: { name: "two", numReplicas: 3 },
  },
  "Service with an argument that only an update can set; name and size change": {
    first: { name: "one", numReplicas: 3, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] },
    next: { name: "two", numReplicas: 4, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] },
  },
  "Service with existingServiceId": {
    same: { existingServiceId: serviceId, name: services[0].create.name },
    first: { existingServiceId: serviceId, name: "one" },
    next: { existingServiceId: serviceId, name: "two" },
  },
  ServiceScaling: {
    same: { serviceId, numReplicas: services[0].create.numReplicas },
    first: { serviceId, numReplicas: 4 },
    next: { serviceId, numReplicas: 5 },
  },
  ServiceAccess: {
    same: { serviceId, ipAccessList: services[0].create.ipAccessList },
    first: { serviceId, ipAccessList: [{ source: "192.0.2.1" }] },
    next: { serviceId, ipAccessList: [{ source: "192.0.2.2" }] },
  },
  Pipe: {
    same: { serviceId, pipeId, name: pipe.name },
    first: { serviceId, pipeId, name: "one" },
    next: { serviceId, pipeId, name: "two" },
  },
  Organization: { first: { name: "one" }, next: { name: "two" } },
};

/** Functions, each called twice with the same arguments in one run of a program. */
const READS = {
  getService: `clouddb.getService({ serviceId: "${serviceId}" })`,
  getPipe: `clouddb.getPipe({ serviceId: "${serviceId}", pipeId: "${pipeId}" })`,
  getPipeSettings: `clouddb.getPipeSettings({ serviceId: "${serviceId}", pipeId: "${pipeId}" })`,
  getAlert: 'clouddb.getAlert({ id: "alert-errors" })',
  getDashboards: "clouddb.getDashboards()",
};

const summarize = (requests) => {
  const names = requests.map(({ method }) => method);
  return names.length === 0 ? "0" : `${names.length} (${names.join(", ")})`;
};
const programOf = (type, args) =>
  `const clouddb = require("pulumi-clouddb");
   new clouddb.${type}("db", ${JSON.stringify(args)}, { protect: false, retainOnDelete: ${type === "Service" && !args.existingServiceId} });`;

async function resourceRow(name, { same, first, next }) {
  progress(name);
  const [type] = name.split(" ");
  return withSimulator(["--seed", SEED], ({ environment, requests }) =>
    withProject(environment, async (project) => {
      const after = async (command, args) => {
        if (args) project.program(programOf(type, args));
        await project[command]();
        return summarize(await requests());
      };
      const agreeing = same ? await after("up", same) : "–";
      if (same) await after("destroy");
      const made = await after("up", first);
      const [preview, again] = [await after("preview"), await after("up")];
      const unchanged = preview === again ? again : `${preview} / ${again}`;
      return [
        name,
        ...(same ? ["–", agreeing, made] : [made, "–", "–"]),
        unchanged,
        await after("refresh"),
        await after("up", next),
        await after("destroy"),
      ];
    }),
  );
}

async function readRows() {
  return withSimulator(["--seed", SEED], ({ environment, requests }) =>
    withProject(environment, async (project) => {
      const rows = [];
      for (const [name, call] of Object.entries(READS)) {
        progress(name);
        project.program(
          `const clouddb = require("pulumi-clouddb");\nmodule.exports = async () => { await ${call}; await ${call}; };`,
        );
        const cells = [];
        for (const command of ["preview", "up", "refresh", "destroy"]) {
          await project[command]();
          cells.push(summarize(await requests()));
        }
        rows.push([name, ...cells]);
      }
      return rows;
    }),
  );
}

const rows = [];
for (const [name, resource] of Object.entries(RESOURCES))
  rows.push(await resourceRow(name, resource));
printTable(
  [
    "resource",
    "create",
    "adopt, no difference",
    "adopt, one difference",
    "preview and up without changes",
    "refresh",
    "update",
    "destroy",
  ],
  rows,
);
console.log("");
printTable(
  ["function, called twice", "preview", "up without preview", "refresh", "destroy"],
  await readRows(),
);
