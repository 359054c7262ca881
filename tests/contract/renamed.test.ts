import { service as serviceType } from "../../provider/resources/service/service";
import { useServices } from "./service-setup";
import { environmentFor, fakeClock, startProcess } from "./support";

const setup = useServices();

test("a refresh before the program does not make a renamed resource a second owner", async () => {
  const { id, outs, inputs } = await setup.createService({ region: "us-east-1" });
  // One process, as for `pulumi up --refresh`.
  const { handlersFor } = startProcess(setup.simulator, environmentFor(setup.simulator), fakeClock());
  const [old, renamed] = [handlersFor(serviceType, "db"), handlersFor(serviceType, "orders")];
  const { props = {} } = await old.read(id, outs);
  await old.diff(id, props, inputs);
  const { inputs: next, failures } = await renamed.check(inputs, inputs);
  expect(failures).toEqual([]);
  expect((await renamed.diff(id, props, next)).replaces).toEqual([]);
});
