import { createRequire } from "node:module";
import { type ReportViolation, UnknownValueError } from "@pulumi/policy";
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

/** Reports a violation as an advisory, whatever the level of its policy. The types of the SDK omit this form. */
export function reportAdvisory(report: ReportViolation, message: string, urn: string | undefined): void {
  (report as (violation: unknown) => void)({ message, urn, enforcementLevel: "advisory" });
}

/** True if the SDK takes resources of this type for instances of a class. */
export function isClassOf(
  type: string,
  resourceClass: { readonly __pulumiType?: string; readonly isInstance?: (value: object) => boolean },
): boolean {
  const { __pulumiType: own } = resourceClass;
  return own === undefined ? resourceClass.isInstance?.({ __pulumiType: type }) === true : own === type;
}

/** The part of the engine's protocol that is used here, in the one copy of it that the SDK serves. */
function protocol() {
  const sdk = createRequire(require.resolve("@pulumi/policy"));
  const { AnalyzerService } = sdk("@pulumi/pulumi/proto/analyzer_grpc_pb") as {
    AnalyzerService: {
      configure: ConfigureMethod;
      getAnalyzerInfo: DescribeMethod;
      analyze: AnalyzeMethod<AnalyzedResource>;
      analyzeStack: AnalyzeMethod<{ getResourcesList: () => AnalyzedResource[] }>;
    };
  };
  const { EnforcementLevel } = sdk("@pulumi/pulumi/proto/analyzer_pb") as {
    EnforcementLevel: { DISABLED: number };
  };
  return { AnalyzerService, EnforcementLevel };
}

/** The part of the engine's configure request that is used here. */
interface ConfigureRequest {
  getPolicyconfigMap: () => { entries: () => Iterable<[string, ConfiguredPolicy]> };
}
interface ConfiguredPolicy {
  getEnforcementlevel: () => number;
  getProperties: () => { toJavaScript: () => Record<string, unknown> };
}
interface ConfigureMethod {
  requestDeserialize: (bytes: Buffer) => ConfigureRequest;
}

/** The part of the SDK's description of a pack that is used here. */
interface PackInfo {
  getPoliciesList: () => { getName: () => string }[];
}
interface DescribeMethod {
  responseSerialize: (info: PackInfo) => Buffer;
}

interface AnalyzeMethod<Request> {
  requestDeserialize: (bytes: Buffer) => Request;
}
interface AnalyzedResource {
  getUrn: () => string;
  getType: () => string;
  getProperties: () => { toJavaScript: () => Record<string, unknown> } | undefined;
}
/**
 * Records secrets before a policy sees them. The engine sends them marked, and the SDK passes only their plain values.
 */
export function recordSecretsWith(record: (urn: string, properties: object) => void): void {
  const { AnalyzerService } = protocol();
  const recordOne = (resource: AnalyzedResource) => {
    if (resourceTypeOf(resource.getType()) === undefined) return;
    record(resource.getUrn(), resource.getProperties()?.toJavaScript() ?? {});
  };
  const { analyze, analyzeStack } = AnalyzerService;
  const [readOne, readAll] = [analyze.requestDeserialize, analyzeStack.requestDeserialize];
  analyze.requestDeserialize = (bytes) => {
    const request = readOne(bytes);
    recordOne(request);
    return request;
  };
  analyzeStack.requestDeserialize = (bytes) => {
    const request = readAll(bytes);
    request.getResourcesList().forEach(recordOne);
    return request;
  };
}

/** Finds the error in a configuration, given the names of all policies of the pack once they are known. */
type FindError = (
  config: Record<string, { readonly enforcementLevel: "disabled" | "mandatory" }>,
  names?: readonly string[],
) => string | undefined;

/**
 * Rejects an invalid configuration file before anything runs. The SDK passes a policy only the settings under its own
 * name, when it runs: an unknown policy name would be silently ignored. This inspects the request that carries the
 * file. The engine asks for the description of the pack first: it lists the policies, also in a pack that adds others
 * to ours.
 */
export function checkConfigurationWith(findError: FindError): void {
  const { AnalyzerService, EnforcementLevel } = protocol();
  const { configure, getAnalyzerInfo } = AnalyzerService;
  let names: string[] | undefined;
  const write = getAnalyzerInfo.responseSerialize;
  getAnalyzerInfo.responseSerialize = (info) => {
    names = info.getPoliciesList().map((policy) => policy.getName());
    return write(info);
  };
  const read = configure.requestDeserialize;
  configure.requestDeserialize = (bytes) => {
    const request = read(bytes);
    const config = [...request.getPolicyconfigMap().entries()].map(([name, policy]) => {
      const isDisabled = policy.getEnforcementlevel() === EnforcementLevel.DISABLED;
      const enforcementLevel = isDisabled ? "disabled" : "mandatory";
      return [name, { enforcementLevel, ...policy.getProperties().toJavaScript() }];
    });
    const error = findError(Object.fromEntries(config), names);
    // The SDK reads the map where the message of an error still reaches the user.
    if (error !== undefined) {
      request.getPolicyconfigMap = () => {
        throw plainError(error);
      };
    }
    return request;
  };
}
