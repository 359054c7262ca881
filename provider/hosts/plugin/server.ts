import { isDeepStrictEqual, promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { wellFormed } from "../../api/text";
import * as lifecycle from "../../core/lifecycle";
import * as plan from "../../core/plan";
import type { Context, Resource } from "../../core/resource";
import { createSession, type SessionDependencies } from "../../core/session";
import { readSettings, settingsTable } from "../../core/settings";
import { warnOfEarlier } from "../../core/unresolved-creations";
import { UserError } from "../../core/user-error";
import { coded, type Message, render } from "../../errors";
import { describeDeprecation, fieldPathsOf, type Properties, UNKNOWN, valueAt } from "../../fields";
import { SECRET_ORGANIZATION, unknownArguments, unknownKeys } from "../../mistakes";
import { PROVIDER_KEYS, parseUrn, version } from "../../names";
import schema from "../../schema.json";
import { deadlineAfter, engineAt, newCancellation } from "../process";
import { createEngineLog, type EngineLog } from "./engine-log";
import { readResource } from "./import";
import { invoke } from "./invoke";
import {
  decode,
  decodeArguments,
  decodeMarked,
  encode,
  encodeInputs,
  encodeState,
  readableService,
  resourceOf,
  toServiceError,
} from "./values";

/** A plugin's dependencies on its process. */
export interface PluginDependencies extends Pick<SessionDependencies, "clock" | "random" | "environment" | "command"> {
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
  server.addService(readableService(), createPlugin(dependencies, log, engineAddress) as IResourceProviderServer);
  const bind = promisify(server.bindAsync).bind(server);
  const port = await bind("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
  return {
    port,
    close() {
      server.forceShutdown();
      log.close();
    },
  };
}

/** A request about a resource; the engine passes the operation's time in `customTimeouts`, or 0. */
interface ResourceRequest {
  readonly getUrn: () => string;
  readonly getTimeout?: () => number;
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
  let canceling = newCancellation();
  let session = configure({});
  let isNewProvider = false;
  let configurationProblems: Message[] = [];

  function configure(args: Properties) {
    // A plugin that was attached to also serves the next command.
    if (canceling.signal.aborted) canceling = newCancellation();
    const configured = createSession({
      ...dependencies,
      ...log,
      log: log.info,
      isEngineAlive: () => isEngineAlive(address),
      engine: () => address && engineAt(address),
      cancellation: canceling.signal,
      canImport: true,
    });
    configured.configure(settingIn(args));
    return configured;
  }

  function handle<Request, Response>(
    operation: (request: Request) => Promise<Response> | Response,
  ): grpc.handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
      const urn = (request as Partial<ResourceRequest>).getUrn?.() ?? "";
      const { redacted } = session;
      log
        .about(urn, async () => {
          if (request instanceof UserError) throw request;
          return operation(request);
        })
        .then(
          (response) => respond(null, response),
          (error) => respond(toServiceError(redacted(error), urn)),
        );
    };
  }

  /** Handles requests about resources, with a deadline for an operation that `customTimeouts` name. */
  function handleResource<Request extends ResourceRequest, Response>(
    operation: (request: Request, resource: Resource, context: Context) => Promise<Response> | Response,
    name = "",
  ): grpc.handleUnaryCall<Request, Response> {
    return handle((request: Request) => {
      const [urn, seconds = 0] = [request.getUrn(), request.getTimeout?.()];
      const { type } = parseUrn(urn);
      const resource = resourceOf(type);
      if (resource === undefined) throw new UserError(coded("CDB9002", `Unknown resource type ${type}.`));
      const end = coded("CDB3015", `the ${seconds} s of customTimeouts.${name} ended`);
      const deadline = seconds > 0 ? deadlineAfter(seconds, end) : undefined;
      return operation(request, resource, session.contextFor(urn, deadline));
    });
  }

  return {
    getPluginInfo: handle(() => new PluginInfo().setVersion(version)),
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
    getSchema: handle(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(schema))),
    checkConfig: handle((request) => {
      isNewProvider = Object.keys(decode(request.getOlds())).length === 0;
      const args = decode(request.getNews());
      const { project, name } = parseUrn(request.getUrn());
      const [names, known] = [Object.keys(args), Object.keys(settingsTable)];
      const isDefault = isDefaultProvider(request.getUrn());
      if (isDefault) unknownKeys(project, names, known).forEach(log.warn);
      const unknown = isDefault ? [] : unknownArguments(`Provider "${name}"`, names, [...known, ...PROVIDER_KEYS]);
      const { problems, sharingProblems } = readSettings(settingIn(args), environment);
      return checkResponse(encode(args, secretSettings), [...unknown, ...problems, ...sharingProblems]);
    }),
    diffConfig: handle((request) => {
      const [old, wanted] = [decode(request.getOldInputs()), decode(request.getNews())];
      const names = Object.keys({ ...old, ...wanted }).filter((name) => !isDeepStrictEqual(old[name], wanted[name]));
      const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
      // A new address or key does not replace resources.
      return new proto.DiffResponse().setChanges(names.length === 0 ? DIFF_NONE : DIFF_SOME).setDiffsList(names);
    }),
    configure: handle((request) => {
      const { args, marked } = decodeMarked(request.getArgs());
      // The engine keeps the secrets of an older state until an `up`, also after the program has corrected them.
      const secret = marked.includes("organizationId") ? [SECRET_ORGANIZATION] : [];
      configurationProblems = isNewProvider ? secret : [];
      if (!isNewProvider && isDefaultProvider(request.getUrn() ?? "")) secret.forEach(log.warn);
      session = configure(args);
      // Otherwise the engine marks responses itself, and only properties with the names of secret arguments.
      return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: handleResource((request, resource, context) => {
      const news = decodeArguments(resource, request.getNews());
      const { name } = parseUrn(request.getUrn());
      const { inputs, reasons } = plan.check(resource, context, name, decode(request.getOlds()), news);
      for (const fieldPath of fieldPathsOf(resource.fields)) {
        const deprecation = valueAt(news, fieldPath.path) === undefined ? undefined : describeDeprecation(fieldPath);
        if (deprecation !== undefined) context.warn(deprecation);
      }
      return checkResponse(encodeInputs(resource, inputs), [...configurationProblems, ...reasons]);
    }),
    diff: handleResource(async (request, resource, context) => {
      const [state, news] = [decode(request.getOlds()), decodeArguments(resource, request.getNews())];
      const { changes, replaces, changed, isHidden } = await plan.diff(resource, context, request.getId(), state, news);
      const { DIFF_UNKNOWN, DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
      // Otherwise the engine compares the arguments by itself: it sees no change of a state that is behind its
      // arguments and no entry that leaves a list, and shows as removed what the program does not declare any more.
      const [olds, current] = [request.getOldInputs(), request.getNews()];
      const argumentsIn = (struct: typeof olds) => plan.userArguments(decode(struct));
      const isDetailed =
        changes === undefined && (isHidden || isDeepStrictEqual(argumentsIn(olds), argumentsIn(current)));
      const response = new proto.DiffResponse()
        .setChanges(changes === false ? DIFF_NONE : changes === undefined && !isDetailed ? DIFF_UNKNOWN : DIFF_SOME)
        .setReplacesList([...replaces])
        .setHasdetaileddiff(isDetailed)
        // A service that cannot be deleted then fails before another one is created.
        .setDeletebeforereplace(true);
      for (const [place, kind] of isDetailed ? changed : []) {
        response.getDetaileddiffMap().set(place, new proto.PropertyDiff().setKind(proto.PropertyDiff.Kind[kind]));
      }
      return response;
    }),
    create: handleResource(async (request, resource, context) => {
      const inputs = plan.userArguments(decodeArguments(resource, request.getProperties()));
      const refusal = await warnOfEarlier(resource, context, inputs);
      if (refusal !== undefined) throw new UserError(refusal);
      const { id, state } = request.getPreview()
        ? { id: "", state: plan.planCreation(resource, inputs) }
        : await lifecycle.create(resource, context, inputs);
      return new proto.CreateResponse().setId(id).setProperties(encodeState(request.getUrn(), state));
    }, "create"),
    update: handleResource(async (request, resource, context) => {
      const [id, state] = [request.getId(), decode(request.getOlds())];
      const inputs = plan.userArguments(decodeArguments(resource, request.getNews()));
      const updated = request.getPreview()
        ? plan.planUpdate(resource, id, state, inputs)
        : await lifecycle.update(resource, context, id, state, inputs);
      return new proto.UpdateResponse().setProperties(encodeState(request.getUrn(), updated));
    }, "update"),
    read: handleResource(async (request, resource, context) => {
      const [stored, inputs] = [decode(request.getProperties()), request.getInputs()];
      const args = inputs && decodeArguments(resource, inputs);
      const current = await readResource(resource, context, request.getId(), stored, args);
      const response = new proto.ReadResponse();
      if (current === undefined) return response;
      return response
        .setId(current.id)
        .setProperties(encodeState(request.getUrn(), current.state))
        .setInputs(encodeInputs(resource, current.inputs));
    }),
    delete: handleResource(async (request, resource, context) => {
      await lifecycle.release(resource, context, request.getId(), decode(request.getProperties()));
      return new Empty();
    }, "delete"),
    invoke: handle(async (request) => {
      const { args, marked } = decodeMarked(request.getArgs());
      return new proto.InvokeResponse().setReturn(encode(await invoke(session, request.getTok(), args, marked)));
    }),
  };
}

const secretSettings = Object.entries(settingsTable).flatMap(([name, setting]) =>
  "secret" in setting ? [[name]] : [],
);

/** The configured values by the keys of settings. An unknown one counts as absent. */
function settingIn(args: Properties): (key: string) => unknown {
  return (key) => {
    const value = args[key.slice(key.indexOf(":") + 1)];
    return value === UNKNOWN ? undefined : value;
  };
}

/** A default provider has the stack's configuration, an explicit one the program's arguments. */
function isDefaultProvider(urn: string): boolean {
  return /^default(_|$)/.test(parseUrn(urn).name);
}

function checkResponse(inputs: ReturnType<typeof encode>, reasons: readonly Message[]): proto.CheckResponse {
  // The engine prints the whole value of a property that a failure names, secrets beside the fault included.
  const failures = reasons.map((reason) => new proto.CheckFailure().setReason(wellFormed(render(reason))));
  return new proto.CheckResponse().setInputs(inputs).setFailuresList(failures);
}
