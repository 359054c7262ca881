import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { createPlugin } from "../../../provider/hosts/plugin/server";
import { createEngineRequests, type EngineRequests, handlersOver } from "./engine-requests";
import type { Properties } from "./handlers";
import type { EndingProcess, Host } from "./index";
import { typeName } from "./type-name";
import { withoutSecrets } from "./values";

/** Our plugin as its gRPC server calls it, without a connection. */
export function startNative(host: Host): EndingProcess {
  const acts: (() => Promise<void>)[] = [];
  const { engine, messages } = startNativeEngine(host, (act) => acts.push(act));
  const answers: Properties[] = [];
  return {
    messages,
    end: async () => void (await Promise.all(acts.map((act) => act()))),
    plainText: () => JSON.stringify(answers.map(withoutSecrets)),
    handlersFor: (type, name = "db") => handlersOver(engine, typeName(type), name, answers),
  };
}

export function startNativeEngine(
  host: Host,
  onInterrupt?: (act: () => Promise<void>) => void,
): { engine: EngineRequests; messages: string[] } {
  const messages: string[] = [];
  const show = (line: string) => void messages.push(line);
  const log = {
    attach: () => {},
    close: () => {},
    info: show,
    warn: show,
    about: <Result>(_: string, run: () => Promise<Result>) => run(),
  };
  const plugin = createPlugin({ ...host, isEngineAlive: async () => true, ...(onInterrupt && { onInterrupt }) }, log);
  const client = Object.fromEntries(
    Object.entries(plugin).map(([name, handle]) => [
      name,
      (request: unknown, done: unknown) => (handle as (call: object, done: unknown) => void)({ request }, done),
    ]),
  );
  return { engine: createEngineRequests(client as unknown as ResourceProviderClient), messages };
}
