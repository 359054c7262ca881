import { networkOf } from "pulumi-clouddb-facts";
import type { Properties } from "../../support/adapters/handlers";

/** The authors of the entries on the services. */

export const ACCESS = "ipAccessList";
export const ENDPOINTS = "privateEndpointIds";

/** An entry's place: service, list, and the key of the entry there. */
export type Place = string;

export interface Entry {
  /** The author of a change: a stack, or `others`. */
  readonly by: string;
  readonly description: string;
}

export interface Change {
  readonly place: Place;
  readonly by: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

type Lists = { readonly id?: unknown; readonly serviceId?: unknown } & Properties;

export function sourceKey(source: string): string {
  return networkOf(source)?.text ?? source;
}

export function placeOf(id: unknown, list: string, key: string): Place {
  return `${id} ${list} ${list === ACCESS ? sourceKey(key) : key}`;
}

export const listOf = (place: Place) => place.split(" ")[1] ?? "";
export const serviceOf = (place: Place) => place.split(" ")[0] ?? "";

/**
 * The entries in the lists of a service, or of a resource's inputs or outputs, with their
 * descriptions.
 */
export function placesIn({ id, serviceId = id, ...lists }: Lists): Map<Place, string> {
  const networks = (lists[ACCESS] ?? []) as readonly { source: string; description?: string }[];
  const endpoints = (lists[ENDPOINTS] ?? []) as readonly string[];
  return new Map([
    ...networks.map(
      ({ source, description = "" }) => [placeOf(serviceId, ACCESS, source), description] as const,
    ),
    ...endpoints.map((endpoint) => [placeOf(serviceId, ENDPOINTS, endpoint), ""] as const),
  ]);
}

export function createLedger() {
  const entries = new Map<Place, Entry>();
  return {
    entries: entries as ReadonlyMap<Place, Entry>,
    /** Notes how a request of an author has changed a service. */
    record(by: string, service: Lists): Change[] {
      const current = placesIn(service);
      const known = [...entries.keys()].filter((place) => serviceOf(place) === service.id);
      const changes = [...new Set([...known, ...current.keys()])].flatMap((place): Change[] => {
        const [before, description] = [entries.get(place), current.get(place)];
        if (before?.description === description) return [];
        return [
          { place, by, before, after: description === undefined ? undefined : { by, description } },
        ];
      });
      for (const { place, after } of changes) {
        if (after === undefined) entries.delete(place);
        else entries.set(place, after);
      }
      return changes;
    },
    /** An author takes over an entry as it is. */
    claim(place: Place, by: string): void {
      const entry = entries.get(place);
      if (entry !== undefined) entries.set(place, { ...entry, by });
    },
    clear: () => entries.clear(),
  };
}
