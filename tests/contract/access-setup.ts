import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./seeded";
import type { Properties } from "./support";

export const { service: SERVICE, otherService: OTHER } = EXAMPLE;
export const GET = "GET /services/{id}";

/** Entries of the seed, which have another owner. */
export const office = { source: "203.0.113.0/24", description: "office" };
export const build = { source: "198.51.100.7", description: "build server" };
export const jobs = { source: "192.0.2.0/28", description: "reporting jobs" };
/** The seeded office, as declared by a program that has not added it. */
export const theirs = { ...office, description: "the office" };
export const spare = { source: "192.0.2.16/28", description: "spare" };
export const ENDPOINT = "vpce-0a1b2c3d4e5f60001";

/** An entry as a stack declares it to the API. */
export const named = (entry: Properties, stack = "test/dev") => {
  const { description = "" } = entry;
  return { ...entry, description: description === "" ? stack : `${description} (${stack})` };
};

export const withList = (...ipAccessList: Properties[]) => ({ serviceId: SERVICE, ipAccessList });

/** The seeded simulator, for tests of shared access lists. */
export function useAccess() {
  const seeded = useSeededSimulator();
  return Object.assign(seeded, {
    /** The requests since the last call: bodies, or for reads the method and path. */
    bodies: async () => (await seeded.api.requests()).map(({ request, body }) => body ?? request),
    listOf: async (service: string) => (await seeded.api.services()).find(({ id }) => id === service)?.ipAccessList,
  });
}
