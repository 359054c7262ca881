import type { SimulatorOptions } from "../../simulator/index";
import { simulated, type TestApi } from "../support/api";
import { exampleSeed } from "../support/example";
import { checkInputs, create, type Handlers, type Properties, startProcess } from "./support";

export const office = { source: "203.0.113.0/24", description: "office" };
export const ci = { source: "198.51.100.7", description: "ci" };

/** A simulator for all tests of a file, reset before each. */
function useSimulator(options: SimulatorOptions) {
  const setup = {} as { api: TestApi };
  beforeAll(async () => {
    setup.api = await simulated(options);
  });
  beforeEach(() => setup.api.reset());
  return Object.assign(setup, { sent: () => setup.api.sent() });
}

/** A simulator with the example organization. */
export function useSeededSimulator() {
  const seeded = useSimulator({ seed: exampleSeed });
  return Object.assign(seeded, {
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
      const requests = [await seeded.sent()];
      for (const program of others) {
        resource = await resource.up(program);
        requests.push(await seeded.sent());
      }
      return { requests, resource, outs: resource.outs };
    },
  });
}

export interface ServiceProcess {
  handlers: Handlers & { messages: string[] };
  messages: string[];
  /** The handlers of another service in the same process. */
  handlersFor: (name: string) => Handlers;
}

/**
 * The real handlers of a Service against the real simulator, in one process, with waits that take
 * no time.
 */
export function useServices() {
  const simulator = useSimulator({ organization: { tier: "ENTERPRISE" } });
  const setup = Object.assign(simulator, {} as ServiceProcess);
  function start(environment: Record<string, string>, engine?: string): void {
    const { handlersFor, messages } = startProcess(setup.api, environment, {
      engine: () => engine,
    });
    setup.handlers = { ...handlersFor("Service"), messages };
    setup.handlersFor = (name) => handlersFor("Service", name);
  }
  beforeEach(() => {
    start({});
    setup.messages = setup.handlers.messages;
  });

  return Object.assign(setup, {
    checkArgs: (args: Properties) => checkInputs(setup.handlers, args),
    /** Another plugin process, with these environment variables. */
    restartWith: start,
    async createService(args: Properties) {
      const service = await create(setup.handlers, args);
      await setup.api.requests();
      return service;
    },
  });
}
