import { ApiError } from "../operations/api-error";
import type { State } from "../state/state";
import { type Journal, MAX_ENTRIES } from "./journal";

/** A request without values that differ from run to run: ids, times, secrets. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** 0 for a broken connection. */
  readonly status: number;
}

/** The requests of a run, to compare another run with. The document's `Recording`. */
export interface Recording {
  /** By path, and in order of arrival for each path: requests to different objects may overtake each other. */
  readonly requests: readonly RecordedRequest[];
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

export function createRecording(journal: Journal, state: State): Recording {
  const entries = journal.find();
  if (entries.length >= MAX_ENTRIES) {
    const message = `the journal keeps only the latest ${MAX_ENTRIES} requests; clear it before the part to record`;
    throw new ApiError(409, "JOURNAL_FULL", message);
  }
  const labels = labelsOf(state);
  const normalizeText = (text: string) =>
    text.replaceAll(UUID, (id) => labels.get(id.toLowerCase()) ?? id).replaceAll(DATE_TIME, "{time}");
  const recorded = entries.map(({ method, path: url, body, status, serviceId }) => {
    const path = normalizeText(url);
    const request = { method, path, ...(body !== null && { body: normalize(body, normalizeText) }), status };
    return { key: addressedPath(path, serviceId && normalizeText(serviceId)), request };
  });
  recorded.sort((one, other) => compare(one.key, other.key));
  return { requests: recorded.map(({ request }) => request) };
}

/** The path of the object that a request addresses: for a creation, that of the created service. */
function addressedPath(path: string, service: string | undefined): string {
  const [plain = ""] = path.split("?");
  return service === undefined || plain.includes(service) ? plain : `${plain}/${service}`;
}

/** Sorts the members of objects, because their order does not matter. */
function normalize(value: unknown, normalizeText: (text: string) => string): unknown {
  if (typeof value === "string") return normalizeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => normalize(inner, normalizeText));
  const members = Object.entries(value).sort(([one], [other]) => compare(one, other));
  return Object.fromEntries(members.map(([name, inner]) => [name, normalize(inner, normalizeText)]));
}

/** By code units: the same on every machine. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** A placeholder for each object's id, such as `{service Analytics}`. */
function labelsOf(state: State): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const uses = new Map<string, number>();
  function add(id: string, label: string): void {
    const count = (uses.get(label) ?? 0) + 1;
    uses.set(label, count);
    labels.set(id, count === 1 ? `{${label}}` : `{${label} ${count}}`);
  }
  for (const organization of state.organizations.values()) {
    add(organization.id, "organization");
    for (const service of organization.services.values()) {
      add(service.id, `service ${service.name}`);
      if (service.isPrimary) add(service.dataWarehouseId, `warehouse ${service.name}`);
      for (const pipe of service.pipes.values()) add(pipe.id, `pipe ${pipe.name}`);
    }
  }
  return labels;
}
