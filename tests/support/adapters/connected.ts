import * as grpc from "@grpc/grpc-js";
import type { dynamic } from "@pulumi/pulumi";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { render } from "../../../provider/errors";
import { createDynamicRuntime } from "../../../provider/hosts/dynamic";
import { entryText, runtimeExport } from "../../../provider/names";
import { resources } from "../../../provider/resources";
import { handlersBehind } from "./dynamic";
import { createEngineRequests, handlersOver } from "./engine-requests";
import { ADAPTER, type AdapterProcess, type Host } from "./handlers";
import { startNativePlugin } from "./native";

/**
 * The adapter under test behind a gRPC connection: requests and responses travel as between the
 * engine and a plugin. A restart forgets everything, like a new process.
 */
export const connectAdapter = { dynamic: connectDynamic, native: connectNative }[ADAPTER];

export type ConnectedAdapter = Awaited<ReturnType<typeof connectAdapter>>;

async function connectDynamic() {
  const { engine, use, close } = await startDynamicPlugin();
  return {
    close,
    async restart(host: Host): Promise<AdapterProcess> {
      const messages: string[] = [];
      const { providerFor } = createDynamicRuntime({
        ...host,
        log: (line) => messages.push(render(line)),
      });
      const all = Object.entries(resources);
      use(
        Object.fromEntries(
          all.map(([name, { definition }]) => [runtimeExport(name), providerFor(definition)]),
        ),
      );
      return {
        messages,
        handlersFor: (type, name = "db") =>
          handlersBehind(handlersOver(engine, type, name), entryText(type), name),
      };
    },
  };
}

async function connectNative() {
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
    async restart(next: Host): Promise<AdapterProcess> {
      host = next;
      Object.assign(environment, next.environment);
      await engine.configure({});
      messages.length = 0;
      return {
        get messages() {
          return messages.map(({ text }) => text);
        },
        handlersFor: (type, name = "db") => handlersOver(engine, type, name),
      };
    },
  };
}

/**
 * The entries by the names that states hold:
 * `exports.handler=()=>require("pulumi-clouddb/runtime").service`.
 */
export type Entries = Readonly<Record<string, Required<dynamic.ResourceProvider>>>;

let entries: Entries = {};

// Loads the `__provider` of a state as Pulumi does, with the runtime under test behind it.
jest.mock("require-from-string", () => (code: string) => {
  const loaded = { exports: {} };
  new Function("exports", "require", code)(loaded.exports, () => currentEntries());
  return loaded.exports;
});

/** Handlers that look up the entry on each call, since the plugin caches what it has loaded. */
function currentEntries(): Entries {
  const current = (name: string) =>
    new Proxy({} as Required<dynamic.ResourceProvider>, {
      get: (_, method: keyof dynamic.ResourceProvider) => entries[name]?.[method],
    });
  return new Proxy({}, { get: (_, name: string) => current(name) });
}

export type DynamicPlugin = Awaited<ReturnType<typeof startDynamicPlugin>>;

/** Starts Pulumi's own plugin for dynamic resources in this process. */
export async function startDynamicPlugin() {
  const bind = jest.spyOn(grpc.Server.prototype, "bindAsync");
  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  const { argv } = process;
  process.argv = ["node", "dynamic-provider", "engine"];
  require("@pulumi/pulumi/cmd/dynamic-provider");
  process.argv = argv;
  while (log.mock.calls.length === 0) await new Promise(setImmediate);
  const [port] = log.mock.calls[0] as [string];
  log.mockRestore();
  // The plugin also prints failures, which the engine reports anyway.
  const errorLog = jest.spyOn(console, "error").mockImplementation(() => {});
  const server = bind.mock.contexts[0] as grpc.Server;
  bind.mockRestore();

  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const engine = createEngineRequests(client);
  await engine.configure({});
  return {
    engine,
    use: (next: Entries) => {
      entries = next;
    },
    close() {
      errorLog.mockRestore();
      client.close();
      server.forceShutdown();
    },
  };
}
