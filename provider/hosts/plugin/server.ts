import { isDeepStrictEqual } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { type IResourceProviderServer, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { wellFormed } from "../../api/text";
import { confirmStored } from "../../core/handlers";
import type { Naming } from "../../core/resource-type";
import { createSession, type Session, type SessionDependencies, withDeadline } from "../../core/session";
import { readSettings, type SettingKey, settingsTable } from "../../core/settings";
import { messageOf, UserError } from "../../core/user-error";
import { coded, type Message, render } from "../../errors";
import {
  type Definition,
  hasUnknown,
  markedPaths,
  type Properties,
  secretNames,
  secretPaths,
  UNKNOWN,
} from "../../fields";
import { ENTRY, entryText, SECRETS, version } from "../../names";
import schema from "../../schema.json";
import { createIdentities } from "../backend";
import { createOwners, type Owners } from "../owners";
import { deadlineAfter, newCancellation } from "../process";
import { parseUrn } from "../urn";
import { createEngineLog, type EngineLog } from "./engine-log";
import { messagesFor } from "./explicit-provider";
import { toServiceError } from "./failure";
import { createInvoke, type Invoke } from "./invoke";
import { withUnreadableRequests } from "./readable";
import * as requests from "./resource-requests";
import { nameIn, resourceOf } from "./tokens";
import { decode, decodeArguments, encode } from "./values";

/** A plugin's dependencies on its process. */
export interface PluginDependencies extends Pick<SessionDependencies, "clock" | "random" | "environment"> {
  /** True while the engine at this address is running to store the result of a write. */
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
  const log = createEngineLog();
  const plugin = createPlugin(dependencies, log, engineAddress);
  server.addService(withUnreadableRequests(ResourceProviderService), plugin as IResourceProviderServer);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    port,
    close() {
      server.forceShutdown();
      log.close();
    },
  };
}

/** The services of one configuration of the provider. */
interface Configured {
  readonly session: Session;
  readonly invoke: Invoke;
  readonly owners: Owners;
}

/** The handlers of an engine's requests. */
export function createPlugin(
  dependencies: PluginDependencies,
  log: EngineLog,
  engineAddress?: string,
): Partial<IResourceProviderServer> {
  const { environment, isEngineAlive } = dependencies;
  let address = engineAddress;
  if (address !== undefined) log.attach(address);
  const host: SessionDependencies = {
    ...dependencies,
    log: log.info,
    debug: log.debug,
    isEngineAlive: () => isEngineAlive(address),
  };
  const identityOf = createIdentities(environment, process.cwd());
  let canceling = newCancellation();
  let configured = configure({});
  /** The engine that has attached itself, with the configuration of its provider. */
  let attached: { readonly args?: Properties } | undefined;
  let reword = messagesFor();

  function configure(args: Properties): Configured {
    // A plugin that was attached to serves the next command, too.
    if (canceling.signal.aborted) canceling = newCancellation();
    const session = createSession({ ...host, cancellation: canceling.signal });
    session.configure(settingIn(args));
    return { session, invoke: createInvoke(session), owners: createOwners() };
  }

  /** The engine passes the operation's time in `customTimeouts`, or 0. */
  function contextOf(urn: string, operation = "", seconds = 0): requests.RequestContext {
    const name = parseUrn(urn).type;
    const type = resourceOf(name);
    if (type === undefined) throw new UserError(coded("CDB9002", `Unknown resource type ${name}.`));
    const context = { ...configured, log, urn, identity: identityOf(urn), type };
    if (seconds === 0) return context;
    const deadline = deadlineAfter(seconds, coded("CDB3015", `the ${seconds} s of customTimeouts.${operation} ended`));
    return { ...context, session: withDeadline(context.session, deadline) };
  }

  /** Answers requests, each about the resource whose URN it has. */
  function handle<Request, Response>(
    operation: (request: Request) => Promise<Response> | Response,
  ): grpc.handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
      const urn = (request as { getUrn?: () => string }).getUrn?.() ?? "";
      log
        .about(urn, async () => {
          if (request instanceof UserError) throw request;
          return operation(request);
        })
        .then(
          (response) => respond(null, response),
          (error: Error) => {
            error.message = render(reword(configured.session.dependencies.redactMessage(messageOf(error))));
            respond(toServiceError(error, (state) => encodeState(urn, state)));
          },
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
      if (request.getAddress() !== address) attached = {};
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
      const inputs = decode(request.getNews());
      const { problems } = readSettings(settingIn(inputs), environment);
      return checkResponse(encode(inputs, secretSettings), problems.map(messagesFor(request.getUrn())));
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
      const args = decode(request.getArgs());
      // Pulumi starts a process for each provider, but attaches all of them to the same one.
      if (attached !== undefined && !hasUnknown(args)) {
        if (!isDeepStrictEqual(attached.args ?? args, args))
          throw new UserError(
            coded(
              "CDB9003",
              "Cannot configure a second provider: with PULUMI_DEBUG_PROVIDERS, one plugin process serves all providers of a run, and this one has other settings than the first. Nothing was changed. Run Pulumi without PULUMI_DEBUG_PROVIDERS, or debug a stack with one provider.",
            ),
          );
        attached = { args };
      }
      configured = configure(args);
      reword = messagesFor(request.getUrn());
      const response = new proto.ConfigureResponse();
      // Otherwise the engine marks answers by itself, and only under the names that arguments have.
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      response.setSupportsAutonamingConfiguration(true);
      return response;
    }),
    check: handle((request) => {
      const context = contextOf(request.getUrn());
      const { definition } = context.type;
      const news = decodeArguments(definition, request.getNews());
      const { inputs, reasons } = requests.check(context, decode(request.getOlds()), news, namingIn(request));
      return checkResponse(encodeInputs(definition, inputs), reasons.map(reword));
    }),
    diff: handle(async (request) => {
      const context = contextOf(request.getUrn());
      const [id, state] = [request.getId(), decode(request.getOlds())];
      const news = decodeArguments(context.type.definition, request.getNews());
      const isUnstored = await confirmStored(context.type, context.session.dependencies, id, state, context.identity);
      return diffResponse(requests.diff(context, id, state, news, isUnstored));
    }),
    create: handle(async (request) => {
      const context = contextOf(request.getUrn(), "create", request.getTimeout());
      const inputs = decodeArguments(context.type.definition, request.getProperties());
      const { id, state } = await requests.create(context, inputs, request.getPreview());
      const response = new proto.CreateResponse();
      response.setId(id);
      response.setProperties(encodeState(context.urn, state));
      return response;
    }),
    update: handle(async (request) => {
      const context = contextOf(request.getUrn(), "update", request.getTimeout());
      const [state, inputs] = [decode(request.getOlds()), decodeArguments(context.type.definition, request.getNews())];
      const response = new proto.UpdateResponse();
      const reached = await requests.update(context, request.getId(), state, inputs, request.getPreview());
      response.setProperties(encodeState(context.urn, reached));
      return response;
    }),
    read: handle(async (request) => {
      const context = contextOf(request.getUrn());
      const { definition } = context.type;
      const [stored, inputs] = [decode(request.getProperties()), request.getInputs()];
      const args = inputs && decodeArguments(definition, inputs);
      const current = await requests.read(context, request.getId(), stored, args);
      const response = new proto.ReadResponse();
      if (current === undefined) return response;
      response.setId(current.id);
      response.setProperties(encodeState(context.urn, current.state));
      response.setInputs(encodeInputs(definition, current.inputs));
      return response;
    }),
    delete: handle(async (request) => {
      const context = contextOf(request.getUrn(), "delete", request.getTimeout());
      await requests.deleteResource(context, request.getId(), decode(request.getProperties()));
      return new Empty();
    }),
    invoke: handle(async (request) => {
      const response = new proto.InvokeResponse();
      const secrets: string[] = [];
      const args = decode(request.getArgs(), (name) => secrets.push(name));
      response.setReturn(encode(await configured.invoke(request.getTok(), args, secrets)));
      return response;
    }),
  };
}

/** The name for a new object by the stack's `pulumi:autonaming`, if it is set. */
function namingIn(request: proto.CheckRequest): Naming | undefined {
  const autonaming = request.getAutonaming();
  if (autonaming === undefined) return undefined;
  const { PROPOSE, DISABLE } = proto.CheckRequest.AutonamingOptions.Mode;
  const mode = autonaming.getMode();
  return { name: mode === DISABLE ? "" : autonaming.getProposedName(), isEnforced: mode !== PROPOSE };
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

/** Arguments as they are stored. */
function encodeInputs(definition: Definition, inputs: Properties) {
  const { [SECRETS]: _, ...stored } = inputs;
  return encode(stored, [...secretPaths(definition), ...markedPaths(definition, inputs)]);
}

/** A state as it is stored. Its secrets are arguments, and what only the API gives. */
function encodeState(urn: string, state: Properties) {
  const { type } = parseUrn(urn);
  const definition = resourceOf(type)?.definition;
  if (definition === undefined) return encode(state);
  const secrets = [...secretPaths(definition), ...secretNames(definition).map((name) => [name])];
  // A program that goes back to dynamic resources finds where their code is: they could neither be read nor destroyed.
  return encode({ ...state, [ENTRY]: entryText(nameIn(type) ?? "") }, secrets);
}

function checkResponse(inputs: ReturnType<typeof encode>, reasons: readonly Message[]): proto.CheckResponse {
  const response = new proto.CheckResponse();
  response.setInputs(inputs);
  for (const reason of reasons) {
    // The engine prints the whole value of a property that a failure names, secrets beside the fault included.
    const failure = new proto.CheckFailure();
    failure.setReason(wellFormed(render(reason)));
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
  response.setHasdetaileddiff(isChanged);
  for (const { place, kind, replaces: isReplacing } of places) {
    const change = new proto.PropertyDiff();
    change.setKind(proto.PropertyDiff.Kind[isReplacing ? (`${kind}_REPLACE` as const) : kind]);
    response.getDetaileddiffMap().set(place, change);
  }
  return response;
}
