import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./simulators";
import { create, type Properties, type ResourceType, startProcess } from "./support";

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
export const withEndpoint = { serviceId: SERVICE, privateEndpointIds: [ENDPOINT] };

/** The seeded simulator, for tests of shared access lists. */
export function useAccess() {
  const seeded = useSeededSimulator();

  /** A command: the resources of one process, by their names. */
  function command(environment: Record<string, string> = {}) {
    const { handlersFor, messages } = startProcess(seeded.api, environment);
    const of = (name = "access", type: ResourceType = "ServiceAccess") => handlersFor(type, name);
    return {
      of,
      create: (name: string, args: Properties) => create(of(name), args),
      messages,
      /** Messages but for the announcements of new resources. */
      ofEntries: () =>
        messages.filter((message) => !message.startsWith("Adopting access to service")),
    };
  }

  async function server() {
    const { ipAccessList, privateEndpointIds } =
      (await seeded.api.services()).find(({ id }) => id === SERVICE) ?? {};
    return { ipAccessList, privateEndpointIds };
  }

  return Object.assign(seeded, {
    command,
    /** The handlers of a ServiceAccess in a process of its own. */
    access: () => command().of(),
    /** The lists of the service on the server. */
    server,
    listOnServer: async () => (await server()).ipAccessList,
    /** The requests since the last call: bodies, or for reads the method and path. */
    bodies: async () => (await seeded.api.requests()).map(({ request, body }) => body ?? request),
    /** A change outside of the stack. */
    change: (body: Properties) => seeded.api.change("PATCH", `/${SERVICE}`, body),
  });
}
