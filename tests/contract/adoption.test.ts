import { pipe as pipeType } from "../../provider/resources/pipe/pipe";
import { serviceAccess } from "../../provider/resources/service-access/service-access";
import { serviceScaling } from "../../provider/resources/service-scaling/service-scaling";
import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./seeded";
import { ci, office, useServices } from "./service-setup";
import { checkInputs, createHandlers, failureOf, fakeClock, type Properties, startProcess } from "./support";

/** The lines of an adoption: a preview reads nothing, and `up` says what it has changed. */

const setup = useServices();
const reading = "`pulumi up` reads it, compares it with the program and changes what differs; a preview reads nothing.";

async function adopt(existing: Properties, args: Properties) {
  const { id } = await setup.createService(existing);
  setup.messages.length = 0;
  const inputs = await setup.checkArgs({ ...args, existingServiceId: id });
  const previewed = setup.messages.splice(0);
  return { id, inputs, previewed };
}

test("an adoption with a partial list says which entries it removes, and what else it changes", async () => {
  const existing = { numReplicas: 3, idleScaling: true, ipAccessList: [office, { source: "192.0.2.5" }] };
  const declared = { numReplicas: 2, idleScaling: true, releaseChannel: "fast", name: "new" };
  const list = [{ ...office, description: "head office" }, ci];
  const { id, inputs, previewed } = await adopt(existing, { ...declared, ipAccessList: list });
  expect(previewed).toEqual([
    `Adopting service ${id}: ${reading} Entries of ipAccessList that the program does not declare are removed. [CDB5009]`,
  ]);
  await setup.handlers.create(inputs);
  const access = "ipAccessList, adding 1 entry (198.51.100.7/32), removing 1 entry (192.0.2.5/32)";
  expect(setup.messages).toEqual([
    `Adopting service ${id} ("new") changed name from "db" to "new"; ${access}; releaseChannel; numReplicas from 3 to 2. [CDB5009]`,
  ]);
});

test("an adoption that changes nothing says nothing more", async () => {
  const { id, inputs, previewed } = await adopt({ numReplicas: 3 }, { numReplicas: 3 });
  expect(previewed).toEqual([`Adopting service ${id}: ${reading} [CDB5009]`]);
  await setup.handlers.create(inputs);
  expect(setup.messages).toEqual([]);
});

test("an adoption that fails halfway says what it has changed", async () => {
  const { id, inputs } = await adopt({ numReplicas: 3 }, { name: "new", numReplicas: 2 });
  await setup.api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422 } });
  await failureOf(setup.handlers.create(inputs));
  expect(setup.messages).toEqual([`Adopting service ${id} ("new") changed name from "db" to "new". [CDB5009]`]);
});

test("a 404 names the argument and the setting to check", async () => {
  const missing = "a1b2c3d4-0009-4a53-9c1e-000000000009";
  const setting = "organizationId or clouddb:organizationId (CLOUDDB_ORGANIZATION_ID)";
  const inputs = await setup.checkArgs({ existingServiceId: missing });
  const adoption = await failureOf(setup.handlers.create(inputs));
  expect(adoption.message).toContain(
    `Nothing was changed. Check existingServiceId and ${setting}. The request went to `,
  );
  const created = await setup.checkArgs({ organizationId: missing });
  const creation = await failureOf(setup.handlers.create(created));
  expect(creation.message).toContain(`Nothing was created. Check ${setting}. The request went to `);
});

describe("of other objects", () => {
  const seeded = useSeededSimulator();

  test("the adoption of a pipe names its secrets, and never shows them", async () => {
    const handlers = createHandlers(pipeType, seeded.simulator);
    const program = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };
    const credentials = { username: "reader", password: "canary-5f2a" };
    const inputs = await checkInputs(handlers, {
      ...program,
      source: { kafka: { credentials } },
      settings: { engineMaxThreads: 4 },
    });
    await handlers.create(inputs);
    const pipe = `pipe ${program.pipeId}`;
    expect(handlers.messages).toEqual([
      `Adopting ${pipe}, and each further one: ${reading} [CDB5009]`,
      `Adopting ${pipe} changed source.kafka.credentials; settings.engineMaxThreads from 8 to 4. [CDB5009]`,
    ]);
  });

  test("access to a service is announced once, however many resources add to it", async () => {
    const { handlersFor, messages } = startProcess(seeded.simulator, {}, fakeClock());
    for (const name of ["one", "two"]) {
      const list = [{ source: name === "one" ? "192.0.2.1" : "192.0.2.2" }];
      await checkInputs(handlersFor(serviceAccess, name), { serviceId: EXAMPLE.service, ipAccessList: list });
    }
    const effect = "adds the declared entries that it lacks and leaves those of others";
    const access = `access to service ${EXAMPLE.service}`;
    expect(messages).toEqual([
      `Adopting ${access}, and each further one: \`pulumi up\` reads it, ${effect}; a preview reads nothing. [CDB5009]`,
    ]);
  });

  test("the adoption of a scaling reads and compares it", async () => {
    const handlers = createHandlers(serviceScaling, seeded.simulator);
    const inputs = await checkInputs(handlers, { serviceId: EXAMPLE.service, numReplicas: 2 });
    await handlers.create(inputs);
    const scaling = `scaling of service ${EXAMPLE.service}`;
    expect(handlers.messages).toEqual([
      `Adopting ${scaling}, and each further one: ${reading} [CDB5009]`,
      `Adopting ${scaling} changed numReplicas from 3 to 2. [CDB5009]`,
    ]);
  });
});
