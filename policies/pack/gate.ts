import { createRequire } from "node:module";
import { plainError } from "../policy/plain-error";
import { mistakeInConfig } from "./config";

/** The part of the engine's request that configures a pack which is looked at here. */
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

/** The part of the SDK's description of a pack that is looked at here. */
interface PackInfo {
  getPoliciesList: () => { getName: () => string }[];
}
interface DescribeMethod {
  responseSerialize: (info: PackInfo) => Buffer;
}

let isWatching = false;

/**
 * Refuses a configuration file with a mistake in it before anything runs. The SDK tells a policy only the settings
 * under its own name, when it runs: a policy that does not exist would be silently ignored. This looks at the request
 * that brings the file, in the one copy of the protocol that the SDK serves. The engine asks for the description of
 * the pack before: it says which policies there are, also in a pack with others beside ours.
 */
export function watchConfiguration(): void {
  if (isWatching) return;
  isWatching = true;
  const sdk = createRequire(require.resolve("@pulumi/policy"));
  const { AnalyzerService } = sdk("@pulumi/pulumi/proto/analyzer_grpc_pb") as {
    AnalyzerService: { configure: ConfigureMethod; getAnalyzerInfo: DescribeMethod };
  };
  const { EnforcementLevel } = sdk("@pulumi/pulumi/proto/analyzer_pb") as { EnforcementLevel: { DISABLED: number } };
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
    const mistake = mistakeInConfig(Object.fromEntries(config), names);
    // The SDK reads the map where an error's words still reach the user.
    if (mistake !== undefined) {
      request.getPolicyconfigMap = () => {
        throw plainError(mistake);
      };
    }
    return request;
  };
}
