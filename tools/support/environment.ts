import { delimiter } from "node:path";
import { settingVariable } from "../../provider/names";
import { SETTINGS } from "../../provider/sdk/generated/provider-args";
import type { ReadyLine } from "../../simulator";

/** The environment without the settings of a real account: nothing here may reach one. */
export function withoutAccount(): NodeJS.ProcessEnv {
  const settings = new Set(SETTINGS.map(settingVariable));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.has(name)));
}

/** The environment in which a command finds an engine first. */
export function withEngine(folder: string): NodeJS.ProcessEnv {
  return { ...withoutAccount(), PATH: `${folder}${delimiter}${process.env.PATH}`, PULUMI_SKIP_UPDATE_CHECK: "true" };
}

/** The provider's settings for a running simulator, as environment variables. */
export function simulatorSettings(simulator: Omit<ReadyLine, "page">): Record<string, string> {
  return {
    CLOUDDB_BASE_URL: simulator.baseUrl,
    CLOUDDB_KEY_ID: simulator.keyId,
    CLOUDDB_KEY_SECRET: simulator.keySecret,
    CLOUDDB_ORGANIZATION_ID: simulator.organizationId,
    CLOUDDB_OBSERVABILITY_URL: simulator.observabilityUrl,
    CLOUDDB_ACCESS_TOKEN: simulator.accessToken,
  };
}
