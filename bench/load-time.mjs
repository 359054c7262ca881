// How long a program waits for the package to load, beside an empty program and the SDK, in one run.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROUNDS = 15;
const cwd = fileURLToPath(new URL("..", import.meta.url));

const programs = {
  "an empty program": "",
  "the SDK alone": 'require("@pulumi/pulumi");',
  "the SDK and pulumi-clouddb": 'require("@pulumi/pulumi"); require("pulumi-clouddb");',
};

function milliseconds(program) {
  const startedAt = process.hrtime.bigint();
  execFileSync(process.execPath, ["-e", program], { cwd });
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, program] of Object.entries(programs)) times[name].push(milliseconds(program));
}
for (const [name, values] of Object.entries(times)) {
  const median = values.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)];
  console.log(`${median.toFixed(0).padStart(6)} ms  ${name}`);
}
