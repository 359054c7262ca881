// A process of a fleet: creates services with the built provider, as a plugin does. It prints a line when it is ready,
// starts when it reads one, and ends by itself.
//   COUNT services, named after NAME; with URGENT, each takes a second request. EXISTING is a service to read before.
//   With READS, it reads as many services that do not exist instead: each request then has a path of its own.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { service } = createRequire(import.meta.url)("../../../provider/dist/runtime.js");
/** At once so many as the engine does by default on a machine with four processors. */
const { NAME, COUNT, URGENT, EXISTING, READS, AT_ONCE = "16" } = process.env;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function create(number) {
  const more = URGENT ? { privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] } : {};
  const args = { __resourceName: `${NAME}-${number}`, name: `${NAME} ${number}`, numReplicas: 2, ...more };
  const { inputs, failures } = await service.check({}, args);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  await service.create(inputs);
}

const read = () => service.read(randomUUID(), { organizationId: process.env.CLOUDDB_ORGANIZATION_ID });

async function work() {
  let next = 0;
  let failure;
  const worker = async () => {
    while (next < Number(COUNT)) {
      next += 1;
      await (READS ? read() : create(next)).catch((error) => {
        failure = error.message;
      });
    }
  };
  await Promise.all(Array.from({ length: Number(AT_ONCE) }, worker));
  return failure;
}

// Loads what the first request loads.
if (EXISTING) await service.read(EXISTING, { organizationId: process.env.CLOUDDB_ORGANIZATION_ID });
say({ ready: true });
createInterface(process.stdin).once("line", async () => {
  process.stdin.destroy();
  const failure = await work();
  say({ done: true, failure });
});
