import { readFileSync } from "node:fs";
import type { PolicySettings, SettingsFiles } from "../judge/weakened";
import { UnreadableInput } from "./input";

/** Settings of policies from files such as --policy-pack-config takes. What cannot be read has to be reported, too. */
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

function settingsIn(file: string): PolicySettings {
  const text = readFileSync(file, "utf8");
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch {
    // Reported below, like what is JSON but not an object.
  }
  throw new UnreadableInput(`${file} does not hold policy settings: use a JSON object by policy name.`);
}
