import { readFileSync } from "node:fs";
import { isRecord, type Prices } from "pulumi-clouddb-facts";
import { UnreadableInput } from "./input";

/** Policy settings as in a --policy-pack-config file; without those before, only disabled policies are known. */
export interface SettingsFiles {
  readonly before?: PolicySettings | undefined;
  readonly after: PolicySettings;
  /** Why they could not be read. */
  readonly problem?: string;
}

export type PolicySettings = Readonly<Record<string, unknown>>;

/** The entry for the level of policies without one of their own. */
export const ALL = "all";
const DEFAULT = "the default level";

export function levelOf(settings: PolicySettings, name: string): string {
  return ownLevel(settings, name) ?? ownLevel(settings, ALL) ?? DEFAULT;
}

export function ownLevel(settings: PolicySettings, name: string): string | undefined {
  const own = settings[name];
  const level = isRecord(own) ? own.enforcementLevel : own;
  return typeof level === "string" ? level : undefined;
}

/** A file that cannot be read is reported, too. */
export function readSettings(files: { readonly before: string | undefined; readonly after: string }): SettingsFiles {
  try {
    return {
      before: files.before === undefined ? undefined : settingsIn(files.before),
      after: settingsIn(files.after),
    };
  } catch (error) {
    return { after: {}, problem: (error as Error).message };
  }
}

export function settingsIn(file: string): PolicySettings {
  const text = readFileSync(file, "utf8");
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new UnreadableInput(`${file} is not a policy settings file: expected a JSON object keyed by policy name.`);
}

/** The prices in a file, or nothing without a file. */
export function pricesIn(file: string): Prices | undefined {
  if (file === "") return undefined;
  // Loaded only here: a validator takes longer to load than a small report takes to write.
  const { readPrices } = require("pulumi-clouddb-facts/price-file") as typeof import("pulumi-clouddb-facts/price-file");
  try {
    return readPrices(file);
  } catch (error) {
    throw new UnreadableInput((error as Error).message);
  }
}
