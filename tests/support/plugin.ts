import * as grpc from "@grpc/grpc-js";
import type { dynamic } from "@pulumi/pulumi";
import * as service from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import * as status from "@pulumi/pulumi/proto/status_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../contract/support";

/** Pulumi's own plugin for dynamic resources in this process, and the engine's side of its protocol. */

export type Handlers = Required<dynamic.ResourceProvider>;

/** The permanent entry: `exports.handler=()=>require("pulumi-clouddb/runtime").service`. */
export type Entries = Readonly<Record<string, Handlers>>;

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
    new Proxy({} as Handlers, { get: (_, method: keyof Handlers) => entries[name]?.[method] });
  return new Proxy({}, { get: (_, name: string) => current(name) });
}

export interface Plugin {
  /** The handlers of one resource type, called over gRPC. */
  readonly handlers: Handlers;
  readonly use: (entries: Entries) => void;
  readonly close: () => void;
}

/** Starts the plugin. Requests and responses travel as they do between the engine and a plugin process. */
export async function startPlugin(): Promise<Plugin> {
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

  const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const configuration = new provider.ConfigureRequest();
  configuration.setArgs(Struct.fromJavaScript({}));
  await new Promise((resolve) => client.configure(configuration, resolve));
  return {
    handlers: createRemoteHandlers(client),
    use: (next) => {
      entries = next;
    },
    close() {
      errorLog.mockRestore();
      client.close();
      server.forceShutdown();
    },
  };
}

type Response = { getProperties(): Struct | undefined };

function createRemoteHandlers(client: service.IResourceProviderClient): Handlers {
  const call = <Response>(send: (done: (error: grpc.ServiceError | null, response: Response) => void) => unknown) =>
    new Promise<Response>((resolve, reject) => {
      send((error, response) => (error ? reject(failureFrom(error)) : resolve(response)));
    });
  const outsOf = (response: Response) => response.getProperties()?.toJavaScript() as Properties;

  return {
    async configure() {},
    async check(olds, news) {
      const request = new provider.CheckRequest();
      request.setOlds(Struct.fromJavaScript(olds));
      request.setNews(Struct.fromJavaScript(news));
      const response = await call<provider.CheckResponse>((done) => client.check(request, done));
      const failures = response.getFailuresList().map((each) => each.toObject());
      return { inputs: response.getInputs()?.toJavaScript(), failures };
    },
    async diff(id, olds, news) {
      const request = new provider.DiffRequest();
      request.setId(id);
      request.setOlds(Struct.fromJavaScript(olds));
      request.setNews(Struct.fromJavaScript(news));
      const response = await call<provider.DiffResponse>((done) => client.diff(request, done));
      const changes = [undefined, false, true][response.getChanges()];
      return { ...(changes !== undefined && { changes }), replaces: response.getReplacesList() };
    },
    async create(inputs) {
      const request = new provider.CreateRequest();
      request.setProperties(Struct.fromJavaScript(inputs));
      const response = await call<provider.CreateResponse>((done) => client.create(request, done));
      return { id: response.getId(), outs: outsOf(response) };
    },
    async update(id, olds, news) {
      const request = new provider.UpdateRequest();
      request.setId(id);
      request.setOlds(Struct.fromJavaScript(olds));
      request.setNews(Struct.fromJavaScript(news));
      return { outs: outsOf(await call<provider.UpdateResponse>((done) => client.update(request, done))) };
    },
    async read(id, outputs) {
      const request = new provider.ReadRequest();
      request.setId(id);
      request.setProperties(Struct.fromJavaScript(outputs));
      const response = await call<provider.ReadResponse>((done) => client.read(request, done));
      return { id: response.getId(), props: outsOf(response), inputs: response.getInputs()?.toJavaScript() };
    },
    async delete(id, outputs) {
      const request = new provider.DeleteRequest();
      request.setId(id);
      request.setProperties(Struct.fromJavaScript(outputs));
      await call((done) => client.delete(request, done));
    },
  };
}

/** The error as the engine sees it, with what was created in a partial failure. */
function failureFrom(error: grpc.ServiceError): Error {
  const failure = new Error(error.details);
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (details === undefined) return failure;
  const [detail] = status.Status.deserializeBinary(details as Buffer).getDetailsList();
  const partial = provider.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return Object.assign(failure, {
    id: partial.getId(),
    properties: partial.getProperties()?.toJavaScript(),
    reasons: partial.getReasonsList(),
  });
}
