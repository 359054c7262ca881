import { readFileSync } from "node:fs";
import type { PolicySettings } from "../judge/weakened";
import { UnreadableInput } from "./input";

/** Settings of policies from a file such as --policy-pack-config takes. */
export function readSettings(file: string): PolicySettings {
  const text = readFileSync(file, "utf8");
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch {
    // Reported below, like what is JSON but not an object.
  }
  throw new UnreadableInput(`${file} does not hold policy settings: use a JSON object by policy name.`);
}
