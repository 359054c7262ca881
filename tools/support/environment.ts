import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { settingVariable } from "../../provider/names";
import { SETTINGS } from "../../provider/sdk/generated/provider-args";
import type { JournalEntry, ReadyLine } from "../../simulator";

/** The environment without a real account's settings, so that nothing here reaches an account. */
export function withoutAccount(): NodeJS.ProcessEnv {
  const settings = new Set(SETTINGS.map(settingVariable));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.has(name)));
}

/** The environment with an engine first on PATH. */
export function withEngine(folder: string): NodeJS.ProcessEnv {
  return {
    ...withoutAccount(),
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
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

/** The settings for Pulumi commands that keep a stack and all files in a folder. */
export function stackIn(
  folder: string,
  stack: string,
  simulator: ReadyLine,
): Record<string, string> {
  mkdirSync(join(folder, "state"));
  return {
    PULUMI_HOME: join(folder, "home"),
    CLOUDDB_JOURNAL: join(folder, "journal"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: stack,
    PULUMI_STACK: stack,
    ...simulatorSettings(simulator),
  };
}

/** The simulator's requests since the last call. */
export async function takeRequests({
  baseUrl,
}: Pick<ReadyLine, "baseUrl">): Promise<readonly JournalEntry[]> {
  const journal = `${baseUrl}/__admin/requests`;
  const { requests } = (await (await fetch(journal)).json()) as { requests: JournalEntry[] };
  await fetch(journal, { method: "DELETE" });
  return requests;
}
