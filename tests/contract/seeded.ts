import { type RunningSimulator, startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { createTestApi, type TestApi } from "../support/api";
import { create } from "./stack";
import type { Handlers, Properties } from "./support";

/** A simulator with the example organization for all tests of a file, reset before each. */
export function useSeededSimulator() {
  const seeded = {} as { simulator: RunningSimulator; api: TestApi };
  beforeAll(async () => {
    seeded.simulator = await startSimulator({ seed: seed as never });
    seeded.api = createTestApi(seeded.simulator);
  });
  afterAll(() => seeded.simulator.close());
  beforeEach(() => seeded.api.reset());

  return Object.assign(seeded, {
    /** The requests since the last call; those with a body as a pair. */
    sent: () => sentTo(seeded.api),
    async adopt(handlers: Handlers, args: Properties) {
      const resource = await create(handlers, args);
      await seeded.api.requests();
      return resource;
    },
    /**
     * Adopts an object with the first program and applies the others in turn; returns the requests
     * of each.
     */
    async runPrograms(handlers: Handlers, first: Properties, ...others: Properties[]) {
      let resource = await create(handlers, first);
      const requests = [await sentTo(seeded.api)];
      for (const program of others) {
        resource = await resource.up(program);
        requests.push(await sentTo(seeded.api));
      }
      return { requests, resource, outs: resource.outs };
    },
  });
}

export async function sentTo(api: TestApi) {
  return (await api.requests()).map(({ request, body }) =>
    body === null ? request : [request, body],
  );
}
