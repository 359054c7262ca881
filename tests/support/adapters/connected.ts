import { render } from "../../../provider/errors";
import { createDynamicRuntime } from "../../../provider/hosts/dynamic";
import { entryText, runtimeExport } from "../../../provider/names";
import { resources } from "../../../provider/resources";
import { ADAPTER } from "./adapter";
import { handlersBehind } from "./dynamic";
import { startDynamicPlugin } from "./dynamic-plugin";
import { handlersOver } from "./engine-requests";
import type { Properties } from "./handlers";
import type { AdapterProcess, Host } from "./index";
import { startNativePlugin } from "./native-plugin";
import { typeName } from "./type-name";
import { withoutSecrets } from "./values";

/** An adapter behind a gRPC connection: requests and responses travel as between the engine and a plugin. */
export interface ConnectedAdapter {
  /** Begins anew, as a new process does. */
  readonly restart: (host: Host) => Promise<AdapterProcess>;
  readonly close: () => void;
}

/** Connects the adapter under test. */
export const connectAdapter = { dynamic: connectDynamic, native: connectNative }[ADAPTER];

async function connectDynamic(): Promise<ConnectedAdapter> {
  const { engine, use, close } = await startDynamicPlugin();
  return {
    close,
    async restart(host) {
      const messages: string[] = [];
      const { providerFor } = createDynamicRuntime({ ...host, log: (line) => messages.push(render(line)) });
      use(
        Object.fromEntries(
          Object.entries(resources).map(([name, { definition }]) => [runtimeExport(name), providerFor(definition)]),
        ),
      );
      return {
        messages,
        plainText: () => "",
        handlersFor: (type, name = "db") => {
          const resource = typeName(type);
          return handlersBehind(handlersOver(engine, resource, name), entryText(resource), name);
        },
      };
    },
  };
}

async function connectNative(): Promise<ConnectedAdapter> {
  let host: Host | undefined;
  const environment: Record<string, string | undefined> = {};
  const clock = {
    now: () => host?.clock.now() ?? 0,
    sleep: async (ms: number) => host?.clock.sleep(ms),
  };
  const { engine, messages, close } = await startNativePlugin({
    environment,
    clock,
    random: () => 1,
    isEngineAlive: async () => true,
  });
  return {
    close,
    async restart(next) {
      host = next;
      Object.assign(environment, next.environment);
      await engine.configure({});
      messages.length = 0;
      const answers: Properties[] = [];
      return {
        plainText: () => JSON.stringify(answers.map(withoutSecrets)),
        get messages() {
          return messages.map(({ text }) => text);
        },
        handlersFor: (type, name = "db") => handlersOver(engine, typeName(type), name, answers),
      };
    },
  };
}
