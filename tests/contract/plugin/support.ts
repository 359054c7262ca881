import type { PluginDependencies } from "../../../provider/hosts/plugin/server";
import type { Properties } from "../../support/adapters/handlers";
import { startNativePlugin } from "../../support/adapters/native";
import { environmentOf, simulated } from "../../support/api";
import { exampleSeed } from "../../support/example";
import { fakeClock } from "../support";

type Options = Partial<Pick<PluginDependencies, "isEngineAlive" | "clock" | "environment">>;

/**
 * A simulator, the plugin, and an engine that listens to its messages. All end after the tests of
 * the file.
 */
export async function startEngine({
  isEngineAlive = async () => true,
  clock = fakeClock(),
  environment,
}: Options = {}) {
  const api = await simulated({ seed: exampleSeed });
  const { engine, messages, close } = await startNativePlugin({
    environment: {
      CLOUDDB_JOURNAL: "off",
      PULUMI_BACKEND_URL: "file:///states",
      ...(environment ?? { ...environmentOf(api), CLOUDDB_MAX_RETRIES: "1" }),
    },
    clock,
    random: () => 1,
    isEngineAlive,
  });
  endings.push(close);
  return { api, messages, ...engine };
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

/**
 * One engine for all tests of a file; before each, its plugin is configured anew, and the simulator
 * reset.
 */
export function useEngine(options?: Options): Engine {
  const engine = {} as Engine;
  beforeAll(async () => Object.assign(engine, await startEngine(options)));
  beforeEach(async () => {
    await engine.api.reset();
    await engine.api.faults();
    await engine.api.requests();
    await engine.configure({});
    engine.messages.length = 0;
  });
  return engine;
}

const endings: (() => unknown)[] = [];
afterAll(() => Promise.all(endings.splice(0).map((end) => end())));

/** Checks a resource and creates or adopts it, as the engine does. */
export async function up(engine: Engine, type: string, name: string, args: Properties) {
  const { inputs, failures } = await engine.check(type, name, args);
  expect(failures).toEqual([]);
  return { inputs, ...(await engine.create(type, name, inputs)) };
}
