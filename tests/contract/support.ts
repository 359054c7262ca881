import type { Clock } from "../../provider/api";
import { createDynamicRuntime, type DynamicRuntime } from "../../provider/dynamic/dynamic-runtime";
import type { ResourceType } from "../../provider/lifecycle/resource-type";
import type { ReadyLine } from "../../simulator/index";

export type Properties = Record<string, unknown>;
export type Handlers = ReturnType<DynamicRuntime["providerFor"]>;
export type Failure = Error & { id?: string; properties?: Properties; reasons?: string[] };

/** What the handlers need to know about a server. */
export type ServerConnection = Pick<ReadyLine, "baseUrl" | "keyId" | "keySecret" | "organizationId">;

/** The real handlers of one resource type for a server in this process. Waits take no time unless a clock is given. */
export function createHandlers(
  type: ResourceType,
  server: ServerConnection,
  environment: Record<string, string> = {},
  clock: Clock = fakeClock(),
): Handlers & { messages: string[]; clock: Clock } {
  const { runtime, messages } = createRuntime(server, environment, clock);
  return { ...runtime.providerFor(type), messages, clock };
}

/** The dependencies that all resource types share in one plugin process. */
export function createRuntime(
  server: ServerConnection,
  environment: Record<string, string>,
  clock: Clock,
): { runtime: DynamicRuntime; messages: string[] } {
  const messages: string[] = [];
  const runtime = createDynamicRuntime({
    environment: {
      CLOUDDB_BASE_URL: server.baseUrl,
      CLOUDDB_KEY_ID: server.keyId,
      CLOUDDB_KEY_SECRET: server.keySecret,
      CLOUDDB_ORGANIZATION_ID: server.organizationId,
      CLOUDDB_REQUEST_TIMEOUT_SECONDS: "5",
      CLOUDDB_MAX_RETRIES: "3",
      ...environment,
    },
    clock,
    random: () => 1,
    log: (line) => messages.push(line),
  });
  return { runtime, messages };
}

/** The `__provider` that the state of a resource holds: the runtime entry that handles it. */
export const providerText = (entry: string) => `exports.handler=()=>require("pulumi-clouddb/runtime").${entry}`;

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
  provider: string,
  args: Properties,
  olds: Properties = {},
): Promise<Properties> {
  const { inputs, failures } = await handlers.check(olds, { __provider: provider, __resourceName: "db", ...args });
  expect(failures).toEqual([]);
  return { ...inputs, __provider: provider };
}

export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: Failure) => error,
  );
}
