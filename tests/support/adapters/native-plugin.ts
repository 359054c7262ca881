import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type PluginDependencies, startPlugin } from "../../../provider/hosts/plugin/server";
import { createEngineRequests, type EngineRequests } from "./engine-requests";

/** A message that the plugin sends to the engine for the user. */
export interface Message {
  readonly severity: number;
  /** The name of the resource that the message is about. */
  readonly name: string;
  readonly text: string;
}

export interface NativePlugin {
  readonly engine: EngineRequests;
  readonly messages: Message[];
  readonly close: () => void;
}

/** Our plugin behind its gRPC server, and an engine that listens to its messages. */
export async function startNativePlugin(dependencies: PluginDependencies): Promise<NativePlugin> {
  const messages: Message[] = [];
  const listener = await listen(messages);
  const plugin = await startPlugin(dependencies, listener.address);
  const client = new ResourceProviderClient(`127.0.0.1:${plugin.port}`, grpc.credentials.createInsecure());
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
export async function listen(messages: Message[]): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = new grpc.Server();
  const log: grpc.handleUnaryCall<LogRequest, Empty> = ({ request }, respond) => {
    const name = request.getUrn().split("::").at(-1) ?? "";
    if (request.getSeverity() > 0) messages.push({ severity: request.getSeverity(), name, text: request.getMessage() });
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
