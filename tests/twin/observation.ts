import exampleSeed from "../../simulator/seeds/example.json";
import type { Properties } from "../support/adapters/handlers";
import type { StateResource } from "../support/engine/state";

/** What a command has done. */
export interface Observation {
  readonly hasFailed: boolean;
  /** URNs and names of operations. */
  readonly operations: readonly string[];
  readonly requests: readonly unknown[];
  /** The codes of messages. */
  readonly codes: readonly string[];
  readonly state: readonly Partial<StateResource>[];
}

/** Codes that only the classes of programs show. */
const OF_CLASSES = ["CDB5001"];

export function codesIn(text: string): string[] {
  const codes = new Set(text.match(/\bCDB\d{4}\b/g));
  return [...codes].filter((code) => !OF_CLASSES.includes(code)).sort();
}

const KNOWN = JSON.stringify(exampleSeed);
const SECRET = "[secret]";
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The observation with placeholders for generated values and times; `ids` numbers the IDs of one run. */
export function normalize(observation: Observation, ids: Map<string, string>): Observation {
  const { operations, state, ...rest } = observation;
  const place = ({ urn, isToDelete }: Partial<StateResource>) => `${urn} ${isToDelete === true}`;
  const sorted = {
    ...rest,
    operations: [...operations].sort(),
    state: [...state].map(withoutDefaults).sort((a, b) => place(a).localeCompare(place(b))),
  };
  const text = JSON.stringify(sorted)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (KNOWN.includes(id)) return id;
      ids.set(id, ids.get(id) ?? `<id ${ids.size + 1}>`);
      return ids.get(id) ?? id;
    })
    .replace(/[0-9a-f]{8}(?=\.db\.example\.com)/g, "<host>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
  return JSON.parse(text);
}

function withoutDefaults(resource: Partial<StateResource>): Partial<StateResource> {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value));
}

/** The value with a placeholder wherever the other one, which an engine has stored, is encrypted. */
export function withSecretsOf(stored: unknown, value: unknown): unknown {
  if (typeof stored !== "object" || stored === null) return value;
  if (SIGNATURE in stored) return value === undefined ? value : SECRET;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => withSecretsOf((stored as unknown[])[index], item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withSecretsOf((stored as Properties)[name], item),
    ]),
  );
}
