import { createRequire } from "node:module";
import { type EnforcementLevel, type ReportViolation, UnknownValueError } from "@pulumi/policy";
import type * as services from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/analyzer_pb";
import { resourceTypeOf, UNKNOWN } from "pulumi-clouddb-facts";

/*
 * Undocumented behavior of Pulumi's policy SDK. A new SDK breaks here: each export has a test.
 */

/** An error without a stack trace. The SDK prints `stack`, so it only contains the message. */
export function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

/** The SDK's error for an unknown value, with another message. */
export function unknownValueError(message: string): UnknownValueError {
  return Object.assign(new UnknownValueError(UNKNOWN, []), { message });
}

/** Reports a violation at a level other than its policy's. The SDK's types lack this form. */
export function reportAt(
  level: EnforcementLevel,
  report: ReportViolation,
  message: string,
  urn?: string,
): void {
  (report as (violation: unknown) => void)({ message, urn, enforcementLevel: level });
}

/** True if the SDK treats resources of this type as instances of the class. */
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

/** The engine's protocol methods, in the copy that the SDK serves. */
function methods() {
  const sdk = createRequire(require.resolve("@pulumi/policy"));
  return (sdk("@pulumi/pulumi/proto/analyzer_grpc_pb") as typeof services).AnalyzerService;
}

/** Levels by their numbers in the protocol. */
const LEVELS: readonly EnforcementLevel[] = ["advisory", "mandatory", "disabled", "remediate"];

/** Calls back with each request before the SDK reads it. */
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
 * Calls back with this provider's resources before any policy runs. Secrets are still marked,
 * unlike in the plain values for policies.
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

type ReceivedConfig = Record<string, { readonly enforcementLevel?: EnforcementLevel | undefined }>;

/**
 * Rejects an invalid configuration file before any policy runs, by inspecting its request. The SDK
 * only passes a policy the settings under its name, and ignores unknown policy names. The engine
 * first requests the pack's description, which lists all policies, even those added to a custom
 * pack.
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
    // Throws where the SDK reads the map, because it reports errors at this point to the user.
    if (error !== undefined) {
      request.getPolicyconfigMap = () => {
        throw plainError(error);
      };
    }
  });
}
