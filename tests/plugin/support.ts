import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type PluginDependencies, startPlugin } from "../../provider/plugin/server";
import { startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { fakeClock, type Properties } from "../contract/support";
import { createTestApi, environmentOf } from "../support/api";

/** The engine's side of the plugin protocol, with the values as they travel. */

export type { Properties };
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SIGNATURE = "4dabf18193072939515e22adb298388d";

export const secret = (value: unknown) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });
export const asset = (text: string) => ({ [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", text });

export interface Message {
  readonly severity: number;
  readonly name: string;
  readonly text: string;
}

export type Failure = Error & { id?: string; properties?: Properties; reasons?: string[] };

export const urnOf = (type: string, name: string) => `urn:pulumi:dev::test::clouddb:index:${type}::${name}`;

/** A simulator, the plugin, and an engine that listens to its messages. All end after the tests of the file. */
export async function startEngine({
  isEngineAlive = async () => true,
}: Partial<Pick<PluginDependencies, "isEngineAlive">> = {}) {
  const api = createTestApi(await simulator());
  const messages: Message[] = [];
  const { address } = await listen(messages);
  const plugin = await startPlugin(
    {
      environment: {
        ...environmentOf(api),
        CLOUDDB_MAX_RETRIES: "1",
      },
      clock: fakeClock(),
      random: () => 1,
      isEngineAlive,
    },
    address,
  );
  const client = new ResourceProviderClient(`127.0.0.1:${plugin.port}`, grpc.credentials.createInsecure());
  endings.push(() => {
    client.close();
    plugin.close();
  });
  return { api, messages, ...createRequests(client) };
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

/** One engine for all tests of a file; before each, its plugin is configured anew, and the simulator reset. */
export function useEngine(): Engine {
  const engine = {} as Engine;
  beforeAll(async () => Object.assign(engine, await startEngine()));
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

async function simulator(): Promise<Parameters<typeof createTestApi>[0]> {
  const running = await startSimulator({ seed: seed as never });
  endings.push(() => running.close());
  return running;
}

/** An engine that keeps the messages it is sent. */
export async function listen(messages: Message[]): Promise<{ address: string; close: () => void }> {
  const server = new grpc.Server();
  const log: grpc.handleUnaryCall<LogRequest, Empty> = ({ request }, respond) => {
    const name = request.getUrn().split("::").at(-1) ?? "";
    messages.push({ severity: request.getSeverity(), name, text: request.getMessage() });
    respond(null, new Empty());
  };
  server.addService(EngineService, { log });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const close = () => server.forceShutdown();
  endings.push(close);
  return { address: `127.0.0.1:${port}`, close };
}

function createRequests(client: ResourceProviderClient) {
  const call = <Response>(send: (done: (error: grpc.ServiceError | null, response: Response) => void) => unknown) =>
    new Promise<Response>((resolve, reject) => {
      send((error, response) => (error ? reject(failureFrom(error)) : resolve(response)));
    });
  const struct = (properties: Properties) => Struct.fromJavaScript(properties as never);
  const checked = (response: proto.CheckResponse) => ({
    inputs: given(response.getInputs()),
    failures: response.getFailuresList().map((each) => each.toObject()),
  });

  return {
    client,
    call,
    async checkConfig(news: Properties) {
      const request = new proto.CheckRequest();
      request.setNews(struct(news));
      return checked(await call<proto.CheckResponse>((done) => client.checkConfig(request, done)));
    },
    async configure(args: Properties) {
      const request = new proto.ConfigureRequest();
      request.setArgs(struct(args));
      return (await call<proto.ConfigureResponse>((done) => client.configure(request, done))).toObject();
    },
    async check(type: string, name: string, news: Properties, olds: Properties = {}) {
      const request = new proto.CheckRequest();
      request.setUrn(urnOf(type, name));
      request.setOlds(struct(olds));
      request.setNews(struct(news));
      return checked(await call<proto.CheckResponse>((done) => client.check(request, done)));
    },
    async diff(type: string, name: string, id: string, olds: Properties, news: Properties) {
      const request = new proto.DiffRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setOlds(struct(plain(olds) as Properties));
      request.setNews(struct(plain(news) as Properties));
      const response = await call<proto.DiffResponse>((done) => client.diff(request, done));
      const kinds = Object.keys(proto.PropertyDiff.Kind);
      const places = response
        .toObject()
        .detaileddiffMap.map(([place, { kind }]) => [place, kinds.at(kind) ?? ""] as const);
      return {
        changes: ["unknown", "none", "some"][response.getChanges()],
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
        places: Object.fromEntries(places),
      };
    },
    async create(type: string, name: string, inputs: Properties, preview = false) {
      const request = new proto.CreateRequest();
      request.setUrn(urnOf(type, name));
      request.setProperties(struct(plain(inputs) as Properties));
      request.setPreview(preview);
      const response = await call<proto.CreateResponse>((done) => client.create(request, done));
      return { id: response.getId(), state: given(response.getProperties()) };
    },
    async update(type: string, name: string, id: string, olds: Properties, news: Properties, preview = false) {
      const request = new proto.UpdateRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setOlds(struct(plain(olds) as Properties));
      request.setNews(struct(plain(news) as Properties));
      request.setPreview(preview);
      return given((await call<proto.UpdateResponse>((done) => client.update(request, done))).getProperties());
    },
    async read(type: string, name: string, id: string, state: Properties = {}) {
      const request = new proto.ReadRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setProperties(struct(plain(state) as Properties));
      const response = await call<proto.ReadResponse>((done) => client.read(request, done));
      return { id: response.getId(), state: given(response.getProperties()), inputs: given(response.getInputs()) };
    },
    async delete(type: string, name: string, id: string, state: Properties) {
      const request = new proto.DeleteRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setProperties(struct(plain(state) as Properties));
      await call<Empty>((done) => client.delete(request, done));
    },
    async invoke(name: string, args: Properties = {}) {
      const request = new proto.InvokeRequest();
      request.setTok(`clouddb:index:${name}`);
      request.setArgs(struct(args));
      return given((await call<proto.InvokeResponse>((done) => client.invoke(request, done))).getReturn());
    },
  };
}

function given(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() as Properties;
}

/** What the engine sends to a plugin that accepts no secrets. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value && "value" in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function failureFrom(error: grpc.ServiceError): Failure {
  const failure = new Error(error.details);
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (details === undefined) return failure;
  const [detail] = Status.deserializeBinary(details as Buffer).getDetailsList();
  expect(detail?.getTypeName()).toBe("pulumirpc.ErrorResourceInitFailed");
  const partial = proto.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return Object.assign(failure, {
    id: partial.getId(),
    properties: given(partial.getProperties()),
    reasons: partial.getReasonsList(),
  });
}

/** Creates or adopts what was checked before, as the engine does. */
export async function up(engine: Engine, type: string, name: string, args: Properties) {
  const { inputs, failures } = await engine.check(type, name, args);
  expect(failures).toEqual([]);
  return { inputs, ...(await engine.create(type, name, inputs)) };
}
