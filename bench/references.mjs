// Duration of an unchanged preview of 100 pipes with secrets by reference, compared with the same pipes with literals.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, withProject, withSimulator } from "./support/project.mjs";
import { median, printTable, progress } from "./support/table.mjs";

const SIZE = 100;
/** The variants take turns, so that the machine's load affects all alike. */
const ROUNDS = 3;
/** The number of values that the pipes share; undefined for literals. */
const VARIANTS = { literals: undefined, "1 value": 1, "10 values": 10, "100 values": 100 };

const seed = JSON.parse(readFileSync(join(root, "simulator/seeds/example.json"), "utf8"));
const [service] = seed.organizations[0].services;
const [kafka] = service.pipes;
const idOf = (number) => `c1b2c3d4-0001-4a53-9c1e-${String(number).padStart(12, "0")}`;
service.pipes = Array.from({ length: SIZE }, (_, number) => ({ ...kafka, id: idOf(number) }));

function program(entry, values) {
  const secret =
    values === undefined ? `password: "secret"` : `passwordFromEnvironment: "SECRET_" + (number % ${values})`;
  return `const clouddb = require("${entry}");
for (let number = 0; number < ${SIZE}; number += 1) {
  const pipeId = "${idOf("X")}".replace("00000000000X", String(number).padStart(12, "0"));
  const source = { kafka: { credentials: { username: "u", ${secret} } } };
  new clouddb.Pipe("pipe" + number, { serviceId: "${service.id}", pipeId, source });
}`;
}

const rows = [];
const seedFile = join(root, ".cache", `references-${process.pid}.json`);
writeFileSync(seedFile, JSON.stringify(seed));
await withSimulator(["--seed", seedFile], async ({ environment }) => {
  const secrets = Object.fromEntries(service.pipes.map((_, number) => [`SECRET_${number}`, `secret ${number}`]));
  for (const entry of ["pulumi-clouddb", "pulumi-clouddb/native"]) {
    await withProject({ ...environment, ...secrets }, async (project) => {
      const times = Object.fromEntries(Object.keys(VARIANTS).map((name) => [name, []]));
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, values] of Object.entries(VARIANTS)) {
          project.program(program(entry, values));
          await project.up();
          const { seconds } = await project.preview();
          progress(`${entry}, ${name}: ${seconds.toFixed(1)} s`);
          times[name].push(seconds);
        }
      }
      const literals = median(times.literals);
      const cells = Object.values(times).map(
        (all) => `${median(all).toFixed(1)} s (${(median(all) / literals).toFixed(2)})`,
      );
      rows.push([entry, ...cells]);
    });
  }
});
rmSync(seedFile);
printTable(["classes of", ...Object.keys(VARIANTS)], rows);
