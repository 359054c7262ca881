import { createDynamicRuntime } from "../../provider/dynamic/dynamic-runtime";
import { entryText } from "../../provider/names/stored-names";
import { service as serviceType } from "../../provider/resources/service/lifecycle";
import { environmentOf } from "../support/api";
import { useSeededSimulator } from "./seeded";
import { type Failure, failureOf, fakeClock } from "./support";

/** Behaviour of the adapter to Pulumi's dynamic provider alone. */

const seeded = useSeededSimulator();
const __provider = entryText("Service");
const service = (environment: Record<string, string> = environmentOf(seeded.simulator)) =>
  createDynamicRuntime({ environment, clock: fakeClock(), random: () => 1, log: () => {} }).providerFor(serviceType);

function expectNoTrace(failure: Failure): void {
  // The engine prints the stack.
  expect(failure.stack).toBe(failure.message);
}

test("a partial failure stores the runtime's name, since the engine does not", async () => {
  const privateEndpointIds = ["vpce-0a1b2c3d4e5f60001"];
  const { inputs } = await service().check({}, { __provider, __resourceName: "db", privateEndpointIds });
  await seeded.api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
  const failure = await failureOf(service().create({ ...inputs, __provider }));
  expect(failure).toMatchObject({ id: expect.any(String), properties: { __provider, name: "db" } });
  expectNoTrace(failure);
});

test("no error has a stack trace", async () => {
  expectNoTrace(await failureOf(service({}).create({ __provider })));
  expectNoTrace(await failureOf(service({}).read("id", { __provider })));
});
