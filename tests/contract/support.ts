import type { Clock } from "../../provider/api";
import { createDynamicRuntime, type DynamicRuntime } from "../../provider/dynamic/dynamic-runtime";
import type { ResourceType } from "../../provider/lifecycle/resource-type";
import type { ReadyLine } from "../../simulator/index";

export type Properties = Record<string, unknown>;
export type Handlers = ReturnType<DynamicRuntime["providerFor"]>;
export type Failure = Error & { id?: string; properties?: Properties; reasons?: string[] };

/** What the handlers have to know of a server. */
export type Reachable = Pick<ReadyLine, "baseUrl" | "keyId" | "keySecret" | "organizationId">;

/** The real handlers of one kind, for a server in the same process; their waits take no time, unless it is given. */
export function handlersOf(
  kind: ResourceType,
  server: Reachable,
  environment: Record<string, string> = {},
  clock: Clock = timeless(),
): Handlers & { said: string[]; clock: Clock } {
  const { runtime, said } = runtimeAt(server, environment, clock);
  return { ...runtime.providerFor(kind), said, clock };
}

/** What all kinds share in one plugin. */
export function runtimeAt(
  server: Reachable,
  environment: Record<string, string>,
  clock: Clock,
): { runtime: DynamicRuntime; said: string[] } {
  const said: string[] = [];
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
    log: (line) => said.push(line),
  });
  return { runtime, said };
}

export const STARTED_AT = Date.parse("2026-11-21T10:00:00Z");

/** Time that a wait sets forward. */
export function timeless(): Clock {
  let now = STARTED_AT;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

/** Arguments as the engine hands them on after a check that found nothing wrong. */
export async function checkedBy(
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
