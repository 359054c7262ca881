import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { type Message, render } from "../../../provider/errors";
import { createPlugin } from "../../../provider/hosts/plugin/server";
import { createEngineRequests, type EngineRequests, handlersOver } from "./engine-requests";
import type { Properties } from "./handlers";
import type { Host, LocalProcess } from "./index";
import { typeName } from "./type-name";
import { withoutSecrets } from "./values";

/** Our plugin as its gRPC server calls it, without a connection. */
export function startNative(host: Host): LocalProcess {
  const { engine, messages, debugLines } = startNativeEngine(host);
  const answers: Properties[] = [];
  return {
    messages,
    debugLines,
    plainText: () => JSON.stringify(answers.map(withoutSecrets)),
    handlersFor: (type, name = "db") => handlersOver(engine, typeName(type), name, answers),
  };
}

export function startNativeEngine({ engine, ...host }: Host): {
  engine: EngineRequests;
  messages: string[];
  debugLines: string[];
} {
  const messages: string[] = [];
  const debugLines: string[] = [];
  const show = (line: Message) => void messages.push(render(line));
  const log = {
    attach: () => {},
    close: () => {},
    debug: (line: Message) => void debugLines.push(render(line)),
    info: show,
    warn: show,
    about: <Result>(_: string, run: () => Promise<Result>) => run(),
  };
  const plugin = createPlugin({ ...host, isEngineAlive: async () => true }, log, engine?.());
  const client = Object.fromEntries(
    Object.entries(plugin).map(([name, handle]) => [
      name,
      (request: unknown, done: unknown) => (handle as (call: object, done: unknown) => void)({ request }, done),
    ]),
  );
  return { engine: createEngineRequests(client as unknown as ResourceProviderClient), messages, debugLines };
}
