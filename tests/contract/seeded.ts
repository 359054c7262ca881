import { type RunningSimulator, startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { createTestApi, type TestApi } from "../support/api";
import { checkInputs, type Handlers, type Properties } from "./support";

/** A simulator with the example organization for all tests of a file, reset before each. */
export function useSeededSimulator(): { readonly simulator: RunningSimulator; readonly api: TestApi } {
  const seeded = {} as { simulator: RunningSimulator; api: TestApi };
  beforeAll(async () => {
    seeded.simulator = await startSimulator({ seed: seed as never });
    seeded.api = createTestApi(seeded.simulator);
  });
  afterAll(() => seeded.simulator.close());
  beforeEach(() => seeded.api.reset());
  return seeded;
}

/** Adopts an object with the first program and applies the others in turn; returns the requests of each. */
export async function runPrograms(api: TestApi, handlers: Handlers, ...programs: Properties[]) {
  const requests: unknown[] = [];
  let id = "";
  let outs: Properties = {};
  let olds: Properties = {};
  for (const [index, program] of programs.entries()) {
    const inputs = await checkInputs(handlers, program, olds);
    if (index === 0) ({ id, outs = {} } = await handlers.create(inputs));
    else if ((await handlers.diff(id, outs, inputs)).changes !== false) {
      outs = (await handlers.update(id, outs, inputs)).outs as Properties;
    }
    olds = inputs;
    requests.push((await api.requests()).map(({ request, body }) => (body === null ? request : [request, body])));
  }
  return { requests, outs, id };
}
