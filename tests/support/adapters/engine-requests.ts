import type * as grpc from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { capitalized } from "../../../facts";
import type { Autonaming, Failure, Handlers, Properties } from "./handlers";
import { plain, unmarked } from "./values";

/** The engine's side of the plugin protocol, with the values as they travel. */

export type EngineRequests = ReturnType<typeof createEngineRequests>;
type Done<Response> = (error: grpc.ServiceError | null, response: Response) => void;
type Method =
  | "checkConfig"
  | "configure"
  | "check"
  | "diff"
  | "create"
  | "update"
  | "read"
  | "delete"
  | "invoke";

type RequestType = new () => Record<string, (member: unknown) => void>;
const requestTypes = proto as unknown as Record<string, RequestType>;
const kindNames = Object.fromEntries(
  Object.entries(proto.PropertyDiff.Kind).map(([name, kind]) => [kind, name]),
);
const providerUrn = (name: string, project = "test") =>
  `urn:pulumi:dev::${project}::pulumi:providers:clouddb::${name}`;
/** A test of several stacks gives a whole URN as the name. */
const urnOf = (type: string, name: string) =>
  name.startsWith("urn:") ? name : `urn:pulumi:dev::test::clouddb:index:${type}::${name}`;

function autonamingOptions([mode, name]: Autonaming) {
  const { AutonamingOptions } = proto.CheckRequest;
  return new AutonamingOptions().setMode(AutonamingOptions.Mode[mode]).setProposedName(name);
}

export function createEngineRequests(client: ResourceProviderClient) {
  const call = <Response>(send: (done: Done<Response>) => unknown) =>
    new Promise<Response>((resolve, reject) => {
      send((error, response) => (error ? reject(failureFrom(error)) : resolve(response)));
    });
  /** Sends a request with these members, but those that are undefined. */
  function send<Response>(
    method: Method,
    members: Properties,
    Request = requestTypes[`${capitalized(method)}Request`] as RequestType,
  ): Promise<Response> {
    const request = new Request();
    for (const [name, member] of Object.entries(members)) {
      if (member !== undefined) request[`set${capitalized(name)}`]?.(member);
    }
    return call<Response>((done) => methods[method](request, done));
  }
  const methods = client as unknown as Record<
    Method,
    (request: object, done: Done<never>) => unknown
  >;
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
    async checkConfig(
      args: Properties,
      providerName = "default_0_1_0",
      project = "test",
      before: Properties = {},
    ) {
      const [olds, news] = [before, args].map((properties) =>
        Struct.fromJavaScript(properties as never),
      );
      const request = { urn: providerUrn(providerName, project), olds, news };
      return checked(await send("checkConfig", request, requestTypes.CheckRequest));
    },
    async configure(args: Properties, providerName?: string) {
      const response = await send<proto.ConfigureResponse>("configure", {
        urn: providerName && providerUrn(providerName),
        args: Struct.fromJavaScript(args as never),
      });
      acceptsSecrets = response.getAcceptsecrets();
      supportsAutonaming = response.getSupportsAutonamingConfiguration();
      return response.toObject();
    },
    /** `autonaming` is the stack's setting, which the engine passes to plugins that support it. */
    async check(
      type: string,
      name: string,
      news: Properties,
      olds: Properties = {},
      autonaming?: Autonaming,
    ) {
      const request = { urn: urnOf(type, name), olds: struct(olds), news: struct(news) };
      const options = autonaming && supportsAutonaming ? autonamingOptions(autonaming) : undefined;
      return checked(await send("check", { ...request, autonaming: options }));
    },
    async diff(
      type: string,
      name: string,
      id: string,
      olds: Properties,
      news: Properties,
      oldInputs: Properties = {},
    ) {
      const request = {
        urn: urnOf(type, name),
        id,
        olds: struct(olds),
        oldInputs: struct(oldInputs),
      };
      const response = await send<proto.DiffResponse>("diff", {
        ...request,
        news: struct(news),
      });
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
      const request = { urn: urnOf(type, name), properties: struct(inputs), preview, timeout };
      const response = await send<proto.CreateResponse>("create", request);
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
      const request = {
        urn: urnOf(type, name),
        id,
        olds: struct(olds),
        news: struct(news),
        preview,
        timeout,
      };
      const response = await send<proto.UpdateResponse>("update", request);
      return value(response.getProperties());
    },
    /** An import has no inputs; a `get` of a program has the same as state and inputs. */
    async read(
      type: string,
      name: string,
      id: string,
      state: Properties = {},
      inputs?: Properties,
      timeout = 0,
    ) {
      const request = {
        urn: urnOf(type, name),
        id,
        properties: struct(state),
        inputs: inputs && struct(inputs),
        timeout,
      };
      const response = await send<proto.ReadResponse>("read", request);
      return {
        id: response.getId(),
        state: value(response.getProperties()),
        inputs: value(response.getInputs()),
      };
    },
    async delete(type: string, name: string, id: string, state: Properties, timeout = 0) {
      await send("delete", {
        urn: urnOf(type, name),
        id,
        properties: struct(state),
        timeout,
      });
    },
    async invoke(name: string, args: Properties = {}) {
      const request = { tok: `clouddb:index:${name}`, args: struct(args) };
      const response = await send<proto.InvokeResponse>("invoke", request);
      return value(response.getReturn());
    },
  };
}

/** The requests for one resource. */
export function handlersOver(
  engine: EngineRequests,
  type: string,
  name: string,
  autonaming?: Autonaming,
): Handlers {
  function throwReceived(failure: Failure): never {
    if (failure.properties === undefined) throw failure;
    throw Object.assign(failure, { properties: unmarked(failure.properties) });
  }
  return {
    async check(oldInputs, args) {
      const { inputs, failures } = await engine.check(type, name, args, oldInputs, autonaming);
      return { inputs: unmarked(inputs), failures };
    },
    async diff(id, state, inputs, oldInputs) {
      const { changes, replaces, deleteBeforeReplace } = await engine.diff(
        type,
        name,
        id,
        state,
        inputs,
        oldInputs,
      );
      return {
        ...(changes !== "unknown" && { changes: changes === "some" }),
        replaces,
        deleteBeforeReplace,
      };
    },
    async create(inputs) {
      const { id, state } = await engine.create(type, name, inputs).catch(throwReceived);
      return { id, outs: unmarked(state) };
    },
    update: async (id, state, inputs) => ({
      outs: unmarked(await engine.update(type, name, id, state, inputs).catch(throwReceived)),
    }),
    async read(id, state, inputs = {}) {
      const current = await engine.read(type, name, id, state, inputs);
      if (current.id === "") return {};
      return { id: current.id, props: unmarked(current.state), inputs: unmarked(current.inputs) };
    },
    delete: (id, state) => engine.delete(type, name, id, state),
    preview: {
      async create(inputs) {
        await engine.create(type, name, inputs, true);
      },
      async update(id, state, inputs) {
        await engine.update(type, name, id, state, inputs, true);
      },
    },
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
  const partial = proto.ErrorResourceInitFailed.deserializeBinary(
    detail?.getValue_asU8() ?? new Uint8Array(),
  );
  return Object.assign(failure, {
    id: partial.getId(),
    properties: value(partial.getProperties()),
    reasons: partial.getReasonsList(),
  });
}
