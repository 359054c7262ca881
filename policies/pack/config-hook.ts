import { createRequire } from "node:module";
import { plainError } from "../policy/plain-error";
import { configError } from "./config";

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

let isInstalled = false;

/**
 * Rejects an invalid configuration file before anything runs. The SDK passes a policy only the settings under its own
 * name, when it runs: an unknown policy name would be silently ignored. This inspects the request that carries the
 * file, in the one copy of the protocol that the SDK serves. The engine asks for the description of the pack first: it
 * lists the policies, also in a pack that adds others to ours.
 */
export function installConfigHook(): void {
  if (isInstalled) return;
  isInstalled = true;
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
    const error = configError(Object.fromEntries(config), names);
    // The SDK reads the map where the message of an error still reaches the user.
    if (error !== undefined) {
      request.getPolicyconfigMap = () => {
        throw plainError(error);
      };
    }
    return request;
  };
}
