import { service as serviceType } from "../../provider/resources/service/service";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import { createTestApi, type TestApi } from "../support/api";
import { checkInputs, createHandlers, type Properties } from "./support";

export const office = { source: "203.0.113.0/24", description: "office" };
export const ci = { source: "198.51.100.7", description: "ci" };

interface ServiceSetup {
  simulator: RunningSimulator;
  api: TestApi;
  handlers: ReturnType<typeof createHandlers>;
  messages: string[];
}

/** The real handlers of a Service against the real simulator, in one process, with waits that take no time. */
export function useServices() {
  const setup = {} as ServiceSetup;
  const handlersFor = (environment: Record<string, string>) =>
    createHandlers(serviceType, setup.simulator, environment);
  const checkArgs = (args: Properties, olds: Properties = {}) => checkInputs(setup.handlers, args, olds);

  beforeAll(async () => {
    setup.simulator = await startSimulator({ organization: { tier: "ENTERPRISE" } });
    setup.api = createTestApi(setup.simulator);
  });
  afterAll(() => setup.simulator.close());
  beforeEach(async () => {
    await setup.api.reset();
    setup.handlers = handlersFor({});
    setup.messages = setup.handlers.messages;
  });

  return Object.assign(setup, {
    checkArgs,
    /** Another plugin process, with these environment variables. */
    restartWith(environment: Record<string, string>): void {
      setup.handlers = handlersFor(environment);
    },
    async createService(args: Properties) {
      const inputs = await checkArgs(args);
      const { id, outs } = await setup.handlers.create(inputs);
      await setup.api.requests();
      return { id, outs: outs as Properties, inputs };
    },
  });
}
