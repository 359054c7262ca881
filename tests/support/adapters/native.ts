import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type Message, render } from "../../../provider/errors";
import {
  createPlugin,
  type PluginDependencies,
  startPlugin,
} from "../../../provider/hosts/plugin/server";
import { createEngineRequests, handlersOver } from "./engine-requests";
import type { Host, LocalProcess } from "./handlers";

/** Our plugin as its gRPC server calls it, without a connection. */
export function startNative(host: Host): LocalProcess {
  const { engine, messages, debugLines } = startNativeEngine(host);
  return {
    messages,
    debugLines,
    handlersFor: (type, name = "db") => handlersOver(engine, type, name, host.autonaming?.(name)),
  };
}

export function startNativeEngine({ engine, configuration, autonaming, ...host }: Host) {
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
      (request: unknown, done: unknown) =>
        (handle as (call: object, done: unknown) => void)({ request }, done),
    ]),
  );
  const requests = createEngineRequests(client as unknown as ResourceProviderClient);
  if (configuration) void requests.configure(configuration);
  return { engine: requests, messages, debugLines };
}

/** A message that the plugin sends to the engine for the user. */
export interface ShownMessage {
  readonly severity: number;
  /** The name of the resource that the message is about. */
  readonly name: string;
  readonly text: string;
}

/** Our plugin behind its gRPC server, and an engine that listens to its messages. */
export async function startNativePlugin(dependencies: PluginDependencies) {
  const messages: ShownMessage[] = [];
  const listener = await listen(messages);
  const plugin = await startPlugin(dependencies, listener.address);
  const client = new ResourceProviderClient(
    `127.0.0.1:${plugin.port}`,
    grpc.credentials.createInsecure(),
  );
  return {
    engine: createEngineRequests(client),
    messages,
    close() {
      client.close();
      plugin.close();
      listener.close();
    },
  };
}

/** An engine that keeps the messages it is sent, except for those at the debug level. */
export async function listen(messages: ShownMessage[]) {
  const server = new grpc.Server();
  const log: grpc.handleUnaryCall<LogRequest, Empty> = ({ request }, respond) => {
    const name = request.getUrn().split("::").at(-1) ?? "";
    if (request.getSeverity() > 0)
      messages.push({ severity: request.getSeverity(), name, text: request.getMessage() });
    respond(null, new Empty());
  };
  server.addService(EngineService, { log });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
