import { service as serviceType } from "../../provider/resources/service/service";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import { createTestApi, type TestApi } from "../support/api";
import { sentTo } from "./seeded";
import { create } from "./stack";
import { checkInputs, fakeClock, type Handlers, type Properties, startProcess } from "./support";

export const office = { source: "203.0.113.0/24", description: "office" };
export const ci = { source: "198.51.100.7", description: "ci" };

export interface ServiceSetup {
  simulator: RunningSimulator;
  api: TestApi;
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
  const setup = {} as ServiceSetup;
  function start(environment: Record<string, string>, engine?: string): void {
    const { handlersFor, messages } = startProcess(
      setup.simulator,
      environment,
      fakeClock(),
      engine,
    );
    setup.handlers = { ...handlersFor(serviceType), messages };
    setup.handlersFor = (name) => handlersFor(serviceType, name);
  }

  beforeAll(async () => {
    setup.simulator = await startSimulator({ organization: { tier: "ENTERPRISE" } });
    setup.api = createTestApi(setup.simulator);
  });
  afterAll(() => setup.simulator.close());
  beforeEach(async () => {
    await setup.api.reset();
    start({});
    setup.messages = setup.handlers.messages;
  });

  return Object.assign(setup, {
    checkArgs: (args: Properties, olds: Properties = {}) => checkInputs(setup.handlers, args, olds),
    /** Another plugin process, with these environment variables. */
    restartWith: start,
    /** The requests since the last call; those with a body as a pair. */
    sent: () => sentTo(setup.api),
    async createService(args: Properties) {
      const service = await create(setup.handlers, args);
      await setup.api.requests();
      return service;
    },
  });
}
