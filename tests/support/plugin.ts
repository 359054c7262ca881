import * as grpc from "@grpc/grpc-js";
import type { dynamic } from "@pulumi/pulumi";
import * as service from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import * as status from "@pulumi/pulumi/proto/status_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../contract/support";

/** Pulumi's own plugin for dynamic resources in this process, and the engine's side of its protocol. */

export type Handlers = Required<dynamic.ResourceProvider>;

/** What the permanent entry names: `exports.handler=()=>require("pulumi-clouddb/runtime").service`. */
export type Entries = Readonly<Record<string, Handlers>>;

let entries: Entries = {};

// What a state holds as `__provider` is loaded here as Pulumi does it, with the runtime under test behind it.
jest.mock("require-from-string", () => (code: string) => {
  const loaded = { exports: {} };
  new Function("exports", "require", code)(loaded.exports, () => lateEntries());
  return loaded.exports;
});

/** Handlers that are those of the entries at the time of a call: the plugin keeps what it has loaded. */
function lateEntries(): Entries {
  const late = (name: string) =>
    new Proxy({} as Handlers, { get: (_, method: keyof Handlers) => entries[name]?.[method] });
  return new Proxy({}, { get: (_, name: string) => late(name) });
}

export interface Plugin {
  /** The handlers of one kind, each call over the wire. */
  readonly handlers: Handlers;
  readonly use: (entries: Entries) => void;
  readonly close: () => void;
}

/** Starts the plugin. Requests and answers take the way that they take between the engine and a plugin process. */
export async function startPlugin(): Promise<Plugin> {
  const binding = jest.spyOn(grpc.Server.prototype, "bindAsync");
  const printed = jest.spyOn(console, "log").mockImplementation(() => {});
  const { argv } = process;
  process.argv = ["node", "dynamic-provider", "engine"];
  require("@pulumi/pulumi/cmd/dynamic-provider");
  process.argv = argv;
  while (printed.mock.calls.length === 0) await new Promise(setImmediate);
  const [port] = printed.mock.calls[0] as [string];
  printed.mockRestore();
  // What fails is printed, too, which the engine shows once more.
  const complained = jest.spyOn(console, "error").mockImplementation(() => {});
  const server = binding.mock.contexts[0] as grpc.Server;
  binding.mockRestore();

  const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const configuration = new provider.ConfigureRequest();
  configuration.setArgs(Struct.fromJavaScript({}));
  await new Promise((resolve) => client.configure(configuration, resolve));
  return {
    handlers: overTheWire(client),
    use: (next) => {
      entries = next;
    },
    close() {
      complained.mockRestore();
      client.close();
      server.forceShutdown();
    },
  };
}

type Answer = { getProperties(): Struct | undefined };

function overTheWire(client: service.IResourceProviderClient): Handlers {
  const asked = <Response>(send: (done: (error: grpc.ServiceError | null, response: Response) => void) => unknown) =>
    new Promise<Response>((resolve, reject) => {
      send((error, response) => (error ? reject(failureFrom(error)) : resolve(response)));
    });
  const outsOf = (answer: Answer) => answer.getProperties()?.toJavaScript() as Properties;

  return {
    async configure() {},
    async check(olds, news) {
      const request = new provider.CheckRequest();
      request.setOlds(Struct.fromJavaScript(olds));
      request.setNews(Struct.fromJavaScript(news));
      const answer = await asked<provider.CheckResponse>((done) => client.check(request, done));
      const failures = answer.getFailuresList().map((each) => each.toObject());
      return { inputs: answer.getInputs()?.toJavaScript(), failures };
    },
    async diff(id, olds, news) {
      const request = new provider.DiffRequest();
      request.setId(id);
      request.setOlds(Struct.fromJavaScript(olds));
      request.setNews(Struct.fromJavaScript(news));
      const answer = await asked<provider.DiffResponse>((done) => client.diff(request, done));
      const changes = [undefined, false, true][answer.getChanges()];
      return { ...(changes !== undefined && { changes }), replaces: answer.getReplacesList() };
    },
    async create(inputs) {
      const request = new provider.CreateRequest();
      request.setProperties(Struct.fromJavaScript(inputs));
      const answer = await asked<provider.CreateResponse>((done) => client.create(request, done));
      return { id: answer.getId(), outs: outsOf(answer) };
    },
    async update(id, olds, news) {
      const request = new provider.UpdateRequest();
      request.setId(id);
      request.setOlds(Struct.fromJavaScript(olds));
      request.setNews(Struct.fromJavaScript(news));
      return { outs: outsOf(await asked<provider.UpdateResponse>((done) => client.update(request, done))) };
    },
    async read(id, outputs) {
      const request = new provider.ReadRequest();
      request.setId(id);
      request.setProperties(Struct.fromJavaScript(outputs));
      const answer = await asked<provider.ReadResponse>((done) => client.read(request, done));
      return { id: answer.getId(), props: outsOf(answer), inputs: answer.getInputs()?.toJavaScript() };
    },
    async delete(id, outputs) {
      const request = new provider.DeleteRequest();
      request.setId(id);
      request.setProperties(Struct.fromJavaScript(outputs));
      await asked((done) => client.delete(request, done));
    },
  };
}

/** The error as the engine sees it: with what was created, where a part of it was. */
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
