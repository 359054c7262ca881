import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { UserError, userError } from "../../core/object/user-error";
import { createSession, type SessionDependencies } from "../../core/session/session";
import { coded, type Message } from "../../errors";
import type { Properties } from "../../fields";
import { ENTRY, entryText, parseUrn, version } from "../../names";
import { resources } from "../../resources";
import schema from "../../schema.json";
import { createCodec } from "../codec";
import { deadlineAfter, engineAt, newCancellation } from "../process";
import { checkConfig, diffConfig, readConfiguration, settingIn } from "./configuration";
import { createEngineLog, type EngineLog } from "./engine-log";
import { invoke } from "./invoke";
import { resourceHandlers, type Scope } from "./resource-handlers";
import { decode, decodeMarked, encode, nameIn, readableService, toServiceError } from "./values";

export interface PluginDependencies
  extends Pick<SessionDependencies, "clock" | "random" | "environment" | "command"> {
  /** True while the engine at this address is running to store the result of a write. */
  readonly isEngineAlive: (address: string | undefined) => Promise<boolean>;
}

/** The SDK's maximum: an engine sends a resource's whole state. */
const MAX_MESSAGE_BYTES = 400 * 2 ** 20;

/** Serves the resources to an engine on a port of this machine. */
export async function startPlugin(
  dependencies: PluginDependencies,
  engineAddress: string | undefined,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = new grpc.Server({ "grpc.max_receive_message_length": MAX_MESSAGE_BYTES });
  const log = createEngineLog();
  server.addService(
    readableService(),
    createPlugin(dependencies, log, engineAddress) as IResourceProviderServer,
  );
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

/** A request about a resource. The engine passes its `customTimeouts`, or 0. */
interface ResourceRequest {
  readonly getUrn: () => string;
  readonly getTimeout?: () => number;
}

type ResourceHandler = (request: ResourceRequest, scope: Scope) => Promise<unknown>;

/** The handlers of an engine's requests. */
export function createPlugin(
  dependencies: PluginDependencies,
  log: EngineLog,
  engineAddress?: string,
): Partial<IResourceProviderServer> {
  let address = engineAddress;
  if (address !== undefined) log.attach(address);
  let isNewProvider = false;
  let command = begin({}, newCancellation());

  /** Opens a session for one configuration of the provider. */
  function begin(
    args: Properties,
    /** Ends the waits of requests that are not sent yet. */
    canceling: AbortController,
    /** Problems in the configuration that fail all resources. */
    problems: readonly Message[] = [],
  ) {
    const session = createSession({
      ...dependencies,
      ...log,
      log: log.info,
      isEngineAlive: () => dependencies.isEngineAlive(address),
      engine: () => address && engineAt(address),
      cancellation: canceling.signal,
      canImport: true,
    });
    session.configure(settingIn(args));
    return { session, canceling, problems };
  }

  function handle<Request, Response>(
    operation: (request: Request) => Promise<Response> | Response,
  ): grpc.handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
      const urn = (request as Partial<ResourceRequest>).getUrn?.() ?? "";
      const { redacted } = command.session;
      log
        .about(urn, async () => {
          if (request instanceof UserError) throw request;
          return operation(request);
        })
        .then(
          (response) => respond(null, response),
          (error) => respond(toServiceError(redacted(error))),
        );
    };
  }

  /** Handles requests about resources. `customTimeouts` set an operation's deadline. */
  function handleResource(name: string, operation: ResourceHandler) {
    return handle((request: ResourceRequest) => {
      const [urn, seconds = 0] = [request.getUrn(), request.getTimeout?.()];
      const { type } = parseUrn(urn);
      const typeName = nameIn(type) as keyof typeof resources;
      const resource = resources[typeName]?.definition;
      if (resource === undefined) throw userError("CDB9002", `Unknown resource type ${type}.`);
      const end = coded("CDB3015", `the ${seconds} s of customTimeouts.${name} ended`);
      const deadline = seconds > 0 ? deadlineAfter(seconds, end) : undefined;
      // After a migration back to dynamic resources, the engine needs the entry to read or destroy
      // this state.
      const stateMembers = { [ENTRY]: entryText(typeName) };
      const codec = createCodec(command.session, resource, { acceptsSecrets: true, stateMembers });
      const context = codec.contextFor(command.session.contextFor(urn, deadline));
      return operation(request, { resource, context, codec, problems: command.problems });
    });
  }
  const resourceMethods = Object.entries(resourceHandlers).map(([name, operation]) => [
    name,
    handleResource(name, operation as ResourceHandler),
  ]);

  return {
    getPluginInfo: handle(() => new PluginInfo().setVersion(version)),
    attach: handle((request) => {
      address = request.getAddress();
      log.attach(address);
      return new Empty();
    }),
    // Requests in flight continue for at most a minute. Later, no engine would store their results.
    cancel: handle(() => {
      command.canceling.abort();
      return new Empty();
    }),
    getSchema: handle(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(schema))),
    checkConfig: handle((request) => {
      isNewProvider = Object.keys(decode(request.getOlds())).length === 0;
      return checkConfig(request, dependencies.environment, log);
    }),
    diffConfig: handle(diffConfig),
    configure: handle((request) => {
      const { args, problems } = readConfiguration(request, isNewProvider, log);
      // A plugin that a user started also serves later commands.
      const canceling = command.canceling.signal.aborted ? newCancellation() : command.canceling;
      command = begin(args, canceling, problems);
      // Otherwise, the engine would mark responses itself, but only properties with names of secret
      // arguments.
      const response = new proto.ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true);
      return response.setSupportsAutonamingConfiguration(true);
    }),
    ...Object.fromEntries(resourceMethods),
    invoke: handle(async (request) => {
      const { properties, marked } = decodeMarked(request.getArgs());
      const result = await invoke(command.session, request.getTok(), properties, marked);
      return new proto.InvokeResponse().setReturn(encode(result));
    }),
  };
}
