import { isDeepStrictEqual } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { type IResourceProviderServer, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type Properties, secretNames, secretPaths, UNKNOWN } from "../fields";
import { UserError } from "../lifecycle/user-error";
import { entryText } from "../names/stored-names";
import { newCancellation } from "../process/cancellation";
import { version } from "../process/version";
import schema from "../schema.json";
import { createSession, type Session, type SessionDependencies } from "../session/session";
import { readSettings, type SettingKey, settingsTable } from "../settings/settings";
import { createEngineLog, type EngineLog } from "./engine-log";
import { toServiceError } from "./failure";
import { createInvoke, type Invoke } from "./invoke";
import { createOwners, type Owners } from "./owners";
import * as requests from "./resource-requests";
import { nameIn, resourceOf } from "./tokens";
import { parseUrn } from "./urn";
import { decode, encode } from "./values";

/** What a plugin is started with. */
export interface PluginDependencies extends Pick<SessionDependencies, "clock" | "random" | "environment"> {
  /** Whether the engine at this address is there to store what a write does. */
  readonly isEngineAlive: (address: string | undefined) => Promise<boolean>;
}

/** As large as the SDK allows: an engine sends a resource's whole state. */
const MAX_MESSAGE_BYTES = 400 * 2 ** 20;

/** Serves the resources to an engine on a port of this machine. */
export async function startPlugin(
  dependencies: PluginDependencies,
  engineAddress: string | undefined,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = new grpc.Server({ "grpc.max_receive_message_length": MAX_MESSAGE_BYTES });
  const plugin = createPlugin(dependencies, createEngineLog(), engineAddress);
  server.addService(ResourceProviderService, plugin as IResourceProviderServer);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown() };
}

/** What one configuration of the provider leads to. */
interface Configured {
  readonly session: Session;
  readonly invoke: Invoke;
  readonly owners: Owners;
}

/** What the plugin does for each request of an engine. */
export function createPlugin(
  dependencies: PluginDependencies,
  log: EngineLog,
  engineAddress?: string,
): Partial<IResourceProviderServer> {
  const { environment, isEngineAlive } = dependencies;
  let address = engineAddress;
  if (address !== undefined) log.attach(address);
  const host: SessionDependencies = { ...dependencies, log: log.info, isEngineAlive: () => isEngineAlive(address) };
  let canceling = newCancellation();
  let configured = configure({});

  function configure(args: Properties): Configured {
    // A plugin that was attached to serves the next command, too.
    if (canceling.signal.aborted) canceling = newCancellation();
    const session = createSession({ ...host, cancellation: canceling.signal });
    session.configure(settingIn(args));
    return { session, invoke: createInvoke(session), owners: createOwners() };
  }

  function contextOf(urn: string): requests.RequestContext {
    const name = parseUrn(urn).type;
    const type = resourceOf(name);
    if (type === undefined) throw new UserError(`Unknown resource type ${name}.`);
    return { ...configured, log, urn, type };
  }

  /** Answers requests, each about the resource whose URN it has. */
  function handle<Request, Response>(
    operation: (request: Request) => Promise<Response> | Response,
  ): grpc.handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
      const urn = (request as { getUrn?: () => string }).getUrn?.() ?? "";
      log
        .about(urn, async () => operation(request))
        .then(
          (response) => respond(null, response),
          (error: Error) => respond(toServiceError(error, (state) => encodeState(urn, state))),
        );
    };
  }

  return {
    getPluginInfo: handle(() => {
      const info = new PluginInfo();
      info.setVersion(version);
      return info;
    }),
    attach: handle((request) => {
      address = request.getAddress();
      log.attach(address);
      return new Empty();
    }),
    // Ends what waits to be sent. What has been sent is waited for, a minute at most: nobody would store its result.
    cancel: handle(() => {
      canceling.abort();
      return new Empty();
    }),
    getSchema: handle(() => {
      const response = new proto.GetSchemaResponse();
      response.setSchema(JSON.stringify(schema));
      return response;
    }),
    checkConfig: handle((request) => {
      const given = decode(request.getNews());
      return checkResponse(encode(given, secretSettings), readSettings(settingIn(given), environment).problems);
    }),
    diffConfig: handle((request) => {
      const [old, wanted] = [decode(request.getOldInputs()), decode(request.getNews())];
      const names = Object.keys({ ...old, ...wanted }).filter((name) => !isDeepStrictEqual(old[name], wanted[name]));
      const response = new proto.DiffResponse();
      const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
      response.setChanges(names.length === 0 ? DIFF_NONE : DIFF_SOME);
      // A new address or key does not replace resources.
      response.setDiffsList(names);
      return response;
    }),
    configure: handle((request) => {
      configured = configure(decode(request.getArgs()));
      const response = new proto.ConfigureResponse();
      // Without secrets in what it sends, the engine marks them in the answers by itself.
      response.setAcceptsecrets(false);
      response.setSupportspreview(true);
      return response;
    }),
    check: handle((request) => {
      const context = contextOf(request.getUrn());
      const { inputs, reasons } = requests.check(context, decode(request.getOlds()), decode(request.getNews()));
      return checkResponse(encode(inputs, secretPaths(context.type.definition)), reasons);
    }),
    diff: handle((request) => {
      const [state, inputs] = [decode(request.getOlds()), decode(request.getNews())];
      return diffResponse(requests.diff(contextOf(request.getUrn()), request.getId(), state, inputs));
    }),
    create: handle(async (request) => {
      const context = contextOf(request.getUrn());
      const { id, state } = await requests.create(context, decode(request.getProperties()), request.getPreview());
      const response = new proto.CreateResponse();
      response.setId(id);
      response.setProperties(encodeState(context.urn, state));
      return response;
    }),
    update: handle(async (request) => {
      const context = contextOf(request.getUrn());
      const [state, inputs] = [decode(request.getOlds()), decode(request.getNews())];
      const response = new proto.UpdateResponse();
      const reached = await requests.update(context, request.getId(), state, inputs, request.getPreview());
      response.setProperties(encodeState(context.urn, reached));
      return response;
    }),
    read: handle(async (request) => {
      const context = contextOf(request.getUrn());
      const [stored, args] = [decode(request.getProperties()), request.getInputs()];
      const found = await requests.read(context, request.getId(), stored, args && decode(args));
      const response = new proto.ReadResponse();
      if (found === undefined) return response;
      response.setId(found.id);
      response.setProperties(encodeState(context.urn, found.state));
      response.setInputs(encode(found.inputs, secretPaths(context.type.definition)));
      return response;
    }),
    delete: handle(async (request) => {
      await requests.deleteResource(contextOf(request.getUrn()), request.getId(), decode(request.getProperties()));
      return new Empty();
    }),
    invoke: handle(async (request) => {
      const response = new proto.InvokeResponse();
      response.setReturn(encode(await configured.invoke(request.getTok(), decode(request.getArgs()))));
      return response;
    }),
  };
}

const secretSettings = Object.entries(settingsTable).flatMap(([name, setting]) =>
  "secret" in setting ? [[name]] : [],
);

/** The configured values by the keys that settings have. One that is not known yet is not there. */
function settingIn(args: Properties): (key: string) => unknown {
  return (key) => {
    const value = args[key.slice(key.indexOf(":") + 1) as SettingKey];
    return value === UNKNOWN ? undefined : value;
  };
}

/** A state as it is stored. Its secrets are arguments, and what only the API gives. */
function encodeState(urn: string, state: Properties) {
  const { type } = parseUrn(urn);
  const definition = resourceOf(type)?.definition;
  if (definition === undefined) return encode(state);
  const secrets = [...secretPaths(definition), ...secretNames(definition).map((name) => [name])];
  // A program that goes back to dynamic resources finds where their code is: they could neither be read nor destroyed.
  return encode({ ...state, __provider: entryText(nameIn(type) ?? "") }, secrets);
}

function checkResponse(inputs: ReturnType<typeof encode>, reasons: readonly string[]): proto.CheckResponse {
  const response = new proto.CheckResponse();
  response.setInputs(inputs);
  for (const reason of reasons) {
    // The engine prints the whole value of a property that a failure names, secrets beside the fault included.
    const failure = new proto.CheckFailure();
    failure.setReason(reason);
    response.addFailures(failure);
  }
  return response;
}

function diffResponse({ isChanged, replaces, places }: requests.Diffed): proto.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse();
  response.setChanges(isChanged ? DIFF_SOME : DIFF_NONE);
  response.setReplacesList([...replaces]);
  // A service that cannot be deleted then fails before another one is created.
  response.setDeletebeforereplace(true);
  response.setHasdetaileddiff(places.length > 0);
  for (const { place, kind, replaces: isReplacing } of places) {
    const change = new proto.PropertyDiff();
    change.setKind(proto.PropertyDiff.Kind[isReplacing ? (`${kind}_REPLACE` as const) : kind]);
    response.getDetaileddiffMap().set(place, change);
  }
  return response;
}
