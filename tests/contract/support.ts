import type { Clock } from "../../provider/api/rate-limiter";
import type { Resource } from "../../provider/core/object/resource";
import type { ReadyLine } from "../../simulator/index";
import { startAdapter } from "../support/adapters";
import type {
  Failure,
  Handlers,
  Host,
  LocalProcess,
  Properties,
} from "../support/adapters/handlers";

export type { Failure, Handlers, Properties };

/** A server's address and credentials for the handlers. */
export type ServerConnection = Pick<
  ReadyLine,
  "baseUrl" | "keyId" | "keySecret" | "organizationId"
>;

/**
 * The real handlers of one resource type for a server in this process. Waits take no time unless a
 * clock is given.
 */
export function createHandlers(
  type: Resource,
  server: ServerConnection,
  environment: Record<string, string> = {},
  clock: Clock = fakeClock(),
  configuration?: Host["configuration"],
): Handlers & { messages: string[] } {
  const { handlersFor, messages } = startProcess(
    server,
    environment,
    clock,
    undefined,
    configuration,
  );
  return { ...handlersFor(type), messages };
}

/** A plugin process of the adapter under test. */
export function startProcess(
  server: ServerConnection,
  environment: Record<string, string>,
  clock: Clock,
  engine?: string,
  configuration?: Host["configuration"],
): LocalProcess {
  const host = {
    environment: { ...environmentFor(server), ...environment },
    clock,
    random: () => 1,
  };
  return startAdapter({ ...host, configuration, engine: () => engine });
}

/** The provider's settings for a server. */
export function environmentFor(server: ServerConnection) {
  return {
    CLOUDDB_BASE_URL: server.baseUrl,
    CLOUDDB_KEY_ID: server.keyId,
    CLOUDDB_KEY_SECRET: server.keySecret,
    CLOUDDB_ORGANIZATION_ID: server.organizationId,
    CLOUDDB_REQUEST_TIMEOUT_SECONDS: "5",
    CLOUDDB_MAX_RETRIES: "3",
    CLOUDDB_JOURNAL: "off",
    PULUMI_BACKEND_URL: "file:///states",
  };
}

export const STARTED_AT = Date.parse("2026-11-21T10:00:00Z");

/** A clock that only sleeping moves forward. */
export function fakeClock(): Clock {
  let now = STARTED_AT;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

/** The inputs as the engine passes them on after a successful check. */
export async function checkInputs(
  handlers: Handlers,
  args: Properties,
  oldInputs: Properties = {},
): Promise<Properties> {
  const { inputs, failures } = await handlers.check(oldInputs, args);
  expect(failures).toEqual([]);
  return inputs;
}

export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: Failure) => error,
  );
}
