import { createRequire } from "node:module";
import { type EnforcementLevel, type ReportViolation, UnknownValueError } from "@pulumi/policy";
import type * as services from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/analyzer_pb";
import { resourceTypeOf, UNKNOWN } from "pulumi-clouddb-facts";

/*
 * Undocumented behavior of Pulumi's policy SDK. A new SDK breaks here: each export has a test.
 */

/** An error without a stack trace: the SDK prints `stack`, so it holds the message alone. */
export function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

/** The SDK's own error for a value that a preview cannot know, with our message. */
export function unknownValueError(message: string): UnknownValueError {
  return Object.assign(new UnknownValueError(UNKNOWN, []), { message });
}

/**
 * Reports a violation at a level, whatever that of its policy. The types of the SDK omit this form.
 */
export function reportAt(
  level: EnforcementLevel,
  report: ReportViolation,
  message: string,
  urn?: string,
): void {
  (report as (violation: unknown) => void)({ message, urn, enforcementLevel: level });
}

/** True if the SDK takes resources of this type for instances of a class. */
export function isClassOf(
  type: string,
  resourceClass: {
    readonly __pulumiType?: string;
    readonly isInstance?: (value: object) => boolean;
  },
): boolean {
  const { __pulumiType: own } = resourceClass;
  return own === undefined
    ? resourceClass.isInstance?.({ __pulumiType: type }) === true
    : own === type;
}

/** The methods of the engine's protocol, in the one copy of it that the SDK serves. */
function methods() {
  const sdk = createRequire(require.resolve("@pulumi/policy"));
  return (sdk("@pulumi/pulumi/proto/analyzer_grpc_pb") as typeof services).AnalyzerService;
}

/** The levels, indexed by their numbers in the protocol. */
const LEVELS: readonly EnforcementLevel[] = ["advisory", "mandatory", "disabled", "remediate"];

/** Passes each request on before the SDK reads it. */
function intercept<Request>(
  method: { requestDeserialize: (bytes: Buffer) => Request },
  receive: (request: Request) => void,
): void {
  const read = method.requestDeserialize;
  method.requestDeserialize = (bytes) => {
    const request = read(bytes);
    receive(request);
    return request;
  };
}

/**
 * Passes on our resources before any policy sees them, with marked secrets: policies get only their
 * plain values.
 */
export function interceptResources(
  receive: (resources: readonly { readonly urn: string; readonly properties: object }[]) => void,
): void {
  const { analyze, analyzeStack } = methods();
  const receiveOurs = (
    resources: readonly (messages.AnalyzeRequest | messages.AnalyzerResource)[],
  ) => {
    const ours = resources.filter((resource) => resourceTypeOf(resource.getType()) !== undefined);
    receive(
      ours.map((item) => ({
        urn: item.getUrn(),
        properties: item.getProperties()?.toJavaScript() ?? {},
      })),
    );
  };
  intercept(analyze, (resource) => receiveOurs([resource]));
  intercept(analyzeStack, (request) => receiveOurs(request.getResourcesList()));
}

/** The settings of each policy, with its level. */
type ReceivedConfig = Record<string, { readonly enforcementLevel?: EnforcementLevel | undefined }>;

/**
 * Rejects an invalid configuration file before anything runs. The SDK passes a policy only the
 * settings under its own name, when it runs: an unknown policy name would be silently ignored. This
 * inspects the request that carries the file. The engine asks for the description of the pack
 * first: it lists the policies, also in a pack that adds others to ours.
 */
export function checkConfigurationWith(
  findError: (config: ReceivedConfig, names?: readonly string[]) => string | undefined,
): void {
  const { configure, getAnalyzerInfo } = methods();
  let names: string[] | undefined;
  const write = getAnalyzerInfo.responseSerialize;
  getAnalyzerInfo.responseSerialize = (info) => {
    names = info.getPoliciesList().map((policy) => policy.getName());
    return write(info);
  };
  intercept(configure, (request) => {
    const config: ReceivedConfig = {};
    request.getPolicyconfigMap().forEach((policy, name) => {
      config[name] = {
        enforcementLevel: LEVELS[policy.getEnforcementlevel()],
        ...policy.getProperties()?.toJavaScript(),
      };
    });
    const error = findError(config, names);
    // The SDK reads the map where the message of an error still reaches the user.
    if (error !== undefined) {
      request.getPolicyconfigMap = () => {
        throw plainError(error);
      };
    }
  });
}
