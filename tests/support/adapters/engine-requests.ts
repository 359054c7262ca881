import type * as grpc from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Failure, Handlers, Properties } from "./handlers";
import { plain } from "./values";

/** The engine's side of the plugin protocol, with the values as they travel. */

export type EngineRequests = ReturnType<typeof createEngineRequests>;

const kindNames = Object.fromEntries(Object.entries(proto.PropertyDiff.Kind).map(([name, kind]) => [kind, name]));
const providerUrn = (name: string, project = "test") => `urn:pulumi:dev::${project}::pulumi:providers:clouddb::${name}`;
/** A test of several stacks gives a whole URN as the name. */
const urnOf = (type: string, name: string) =>
  name.startsWith("urn:") ? name : `urn:pulumi:dev::test::clouddb:index:${type}::${name}`;

type Autonaming = readonly [mode: "PROPOSE" | "ENFORCE" | "DISABLE", name: string];

function autonamingOptions([mode, name]: Autonaming) {
  const { AutonamingOptions } = proto.CheckRequest;
  return new AutonamingOptions().setMode(AutonamingOptions.Mode[mode]).setProposedName(name);
}

export function createEngineRequests(client: ResourceProviderClient) {
  const call = <Response>(send: (done: (error: grpc.ServiceError | null, response: Response) => void) => unknown) =>
    new Promise<Response>((resolve, reject) => {
      send((error, response) => (error ? reject(failureFrom(error)) : resolve(response)));
    });
  let acceptsSecrets = false;
  let supportsAutonaming = false;
  const struct = (properties: Properties) =>
    Struct.fromJavaScript((acceptsSecrets ? properties : plain(properties)) as never);
  const checked = (response: proto.CheckResponse) => ({
    inputs: value(response.getInputs()),
    failures: response.getFailuresList().map((item) => item.toObject()),
  });

  return {
    client,
    call,
    async checkConfig(news: Properties, providerName = "default_0_1_0", project = "test", olds: Properties = {}) {
      const request = new proto.CheckRequest();
      request.setUrn(providerUrn(providerName, project));
      request.setOlds(Struct.fromJavaScript(olds as never));
      request.setNews(Struct.fromJavaScript(news as never));
      return checked(await call<proto.CheckResponse>((done) => client.checkConfig(request, done)));
    },
    async configure(args: Properties, providerName?: string) {
      const request = new proto.ConfigureRequest();
      if (providerName !== undefined) request.setUrn(providerUrn(providerName));
      request.setArgs(Struct.fromJavaScript(args as never));
      const response = (await call<proto.ConfigureResponse>((done) => client.configure(request, done))).toObject();
      acceptsSecrets = response.acceptsecrets;
      supportsAutonaming = response.supportsAutonamingConfiguration;
      return response;
    },
    /** `autonaming` is the stack's setting, which the engine passes to plugins that support it. */
    async check(type: string, name: string, news: Properties, olds: Properties = {}, autonaming?: Autonaming) {
      const request = new proto.CheckRequest();
      request.setUrn(urnOf(type, name));
      request.setOlds(struct(olds));
      request.setNews(struct(news));
      if (autonaming && supportsAutonaming) request.setAutonaming(autonamingOptions(autonaming));
      return checked(await call<proto.CheckResponse>((done) => client.check(request, done)));
    },
    async diff(type: string, name: string, id: string, olds: Properties, news: Properties, oldInputs: Properties = {}) {
      const request = new proto.DiffRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setOlds(struct(olds));
      request.setOldInputs(struct(oldInputs));
      request.setNews(struct(news));
      const response = await call<proto.DiffResponse>((done) => client.diff(request, done));
      const details: Properties = {};
      response.getDetaileddiffMap().forEach((change, place) => {
        details[place] = kindNames[change.getKind()];
      });
      return {
        changes: ["unknown", "none", "some"][response.getChanges()],
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
        /** The kind of change at each place, if the adapter says it. */
        details,
      };
    },
    async create(type: string, name: string, inputs: Properties, preview = false, timeout = 0) {
      const request = new proto.CreateRequest();
      request.setUrn(urnOf(type, name));
      request.setProperties(struct(inputs));
      request.setPreview(preview);
      request.setTimeout(timeout);
      const response = await call<proto.CreateResponse>((done) => client.create(request, done));
      return { id: response.getId(), state: value(response.getProperties()) };
    },
    async update(
      type: string,
      name: string,
      id: string,
      olds: Properties,
      news: Properties,
      preview = false,
      timeout = 0,
    ) {
      const request = new proto.UpdateRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setOlds(struct(olds));
      request.setNews(struct(news));
      request.setPreview(preview);
      request.setTimeout(timeout);
      return value((await call<proto.UpdateResponse>((done) => client.update(request, done))).getProperties());
    },
    /** An import has no inputs; a `get` of a program has the same as state and inputs. */
    async read(type: string, name: string, id: string, state: Properties = {}, inputs?: Properties) {
      const request = new proto.ReadRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setProperties(struct(state));
      if (inputs !== undefined) request.setInputs(struct(inputs));
      const response = await call<proto.ReadResponse>((done) => client.read(request, done));
      return { id: response.getId(), state: value(response.getProperties()), inputs: value(response.getInputs()) };
    },
    async delete(type: string, name: string, id: string, state: Properties, timeout = 0) {
      const request = new proto.DeleteRequest();
      request.setUrn(urnOf(type, name));
      request.setId(id);
      request.setProperties(struct(state));
      request.setTimeout(timeout);
      await call<Empty>((done) => client.delete(request, done));
    },
    async invoke(name: string, args: Properties = {}) {
      const request = new proto.InvokeRequest();
      request.setTok(`clouddb:index:${name}`);
      request.setArgs(struct(args));
      return value((await call<proto.InvokeResponse>((done) => client.invoke(request, done))).getReturn());
    },
  };
}

/** The requests for one resource. What the adapter answers with is also added to `answers`, as it came. */
export function handlersOver(engine: EngineRequests, type: string, name: string, answers: Properties[] = []): Handlers {
  function received(properties: Properties): Properties {
    answers.push(properties);
    return plain(properties);
  }
  function throwReceived(failure: Failure): never {
    if (failure.properties === undefined) throw failure;
    throw Object.assign(failure, { properties: received(failure.properties) });
  }
  return {
    async check(oldInputs, args) {
      const { inputs, failures } = await engine.check(type, name, args, oldInputs);
      return { inputs: received(inputs), failures };
    },
    async diff(id, state, inputs) {
      const { changes, replaces, deleteBeforeReplace } = await engine.diff(type, name, id, state, inputs);
      return { ...(changes !== "unknown" && { changes: changes === "some" }), replaces, deleteBeforeReplace };
    },
    async create(inputs) {
      const { id, state } = await engine.create(type, name, inputs).catch(throwReceived);
      return { id, outs: received(state) };
    },
    update: async (id, state, inputs) => ({
      outs: received(await engine.update(type, name, id, state, inputs).catch(throwReceived)),
    }),
    async read(id, state) {
      const current = await engine.read(type, name, id, state, {});
      if (current.id === "") return {};
      return { id: current.id, props: received(current.state), inputs: received(current.inputs) };
    },
    delete: (id, state) => engine.delete(type, name, id, state),
  };
}

function value(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() as Properties;
}

/** The error as the engine sees it, with what was created in a partial failure. */
function failureFrom(error: grpc.ServiceError): Failure {
  const failure: Failure = new Error(error.details);
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (details === undefined) return failure;
  const [detail] = Status.deserializeBinary(details as Buffer).getDetailsList();
  expect(detail?.getTypeName()).toBe("pulumirpc.ErrorResourceInitFailed");
  const partial = proto.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return Object.assign(failure, {
    id: partial.getId(),
    properties: value(partial.getProperties()),
    reasons: partial.getReasonsList(),
  });
}
