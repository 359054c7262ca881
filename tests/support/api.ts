import { Agent, request } from "node:http";
import { json as jsonOf } from "node:stream/consumers";
import { basic } from "pulumi-clouddb-facts";
import {
  type FaultRule,
  type JournalEntry,
  type ReadyLine,
  type RunningSimulator,
  type SimulatorOptions,
  startSimulator,
} from "../../simulator/index";

/** A short name for each request: method and the end of its path, without ids. */
export interface RecordedRequest {
  readonly request: string;
  readonly body: unknown;
  readonly status: number;
}

const JSON_BODY = { "content-type": "application/json" };
/** An agent for thousands of requests, which is lighter than fetch. */
const agent = new Agent({ keepAlive: true });

function send<Result>(
  url: string,
  method: string,
  body: unknown,
  authorization = "",
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, ...(body !== undefined && JSON_BODY) };
    const outgoing = request(url, { method, agent, headers }, (response) => {
      jsonOf(response).then((body) => {
        if (response.statusCode === 200) resolve(body as Result);
        else reject(new Error(JSON.stringify(body)));
      }, reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

type OrganizationState = { services: Record<string, unknown>[] } & Record<string, unknown>;

/** The provider's settings for a simulator, as environment variables. */
export function environmentOf(simulator: ReadyLine) {
  return {
    CLOUDDB_BASE_URL: simulator.baseUrl,
    CLOUDDB_KEY_ID: simulator.keyId,
    CLOUDDB_KEY_SECRET: simulator.keySecret,
    CLOUDDB_ORGANIZATION_ID: simulator.organizationId,
    CLOUDDB_OBSERVABILITY_URL: simulator.observabilityUrl,
    CLOUDDB_ACCESS_TOKEN: simulator.accessToken,
  };
}

const simulators: RunningSimulator[] = [];
afterAll(() => Promise.all(simulators.map((simulator) => simulator.close())));

/** Starts a simulator, which ends with the tests of the file. */
export async function simulated(options: SimulatorOptions = {}): Promise<TestApi> {
  const simulator = await startSimulator(options);
  simulators.push(simulator);
  return createTestApi(simulator);
}

/** Restarts a simulator on its data, so that it accepts only the secret `new-key`. */
export async function restartWithNewKey({ baseUrl }: TestApi, data: string): Promise<void> {
  const index = simulators.findIndex((simulator) => simulator.baseUrl === baseUrl);
  await simulators.splice(index, 1)[0]?.close();
  const port = Number(new URL(baseUrl).port);
  simulators.push(await startSimulator({ port, data, keySecret: "new-key" }));
}

/** A simulator with functions to control and inspect it. */
export function createTestApi(simulator: ReadyLine) {
  const admin = <Answer>(path: string, method = "GET", body?: unknown) =>
    send<Answer>(`${simulator.baseUrl}/__admin${path}`, method, body);
  const journal = async () => (await admin<{ requests: JournalEntry[] }>("/requests")).requests;
  /** The entries since the last call. */
  async function takeJournal(): Promise<JournalEntry[]> {
    const entries = await journal();
    await admin("/requests", "DELETE");
    return entries;
  }
  /** The requests since the last call. */
  async function requests(): Promise<RecordedRequest[]> {
    return (await takeJournal()).map(({ method, path, body, status }) => ({
      request: `${method} ${shortPath(path)}`,
      body,
      status,
    }));
  }
  const organizations = async () =>
    (await admin<{ organizations: OrganizationState[] }>("/state")).organizations;
  const authorization = basic(simulator.keyId, simulator.keySecret);
  const services = `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}/services`;

  return {
    ...simulator,
    organization: `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}`,
    admin,
    /** The requests so far. */
    journal,
    takeJournal,
    requests,
    /** The names of the requests since the last call. */
    requestNames: async () => (await requests()).map(({ request }) => request),
    /** The requests since the last call; those with a body as a pair. */
    sent: async () =>
      (await requests()).map(({ request, body }) => (body === null ? request : [request, body])),
    organizations,
    async services(): Promise<Record<string, unknown>[]> {
      return (await organizations()).flatMap(({ services }) => services);
    },
    async faults(...faults: FaultRule[]): Promise<void> {
      await admin("/faults", "PUT", { faults });
    },
    /** Restores the initial state. */
    async reset(): Promise<void> {
      await admin("/reset", "POST");
    },
    /** A change outside of Pulumi. It meets injected faults, and counts, like a client's request. */
    async change(
      method: "PATCH" | "POST",
      path: string,
      body: unknown,
      at = services,
    ): Promise<Record<string, unknown>> {
      type Updated = { result: Record<string, unknown> };
      const { result } = await send<Updated>(`${at}${path}`, method, body, authorization);
      await admin("/requests", "DELETE");
      return result;
    },
  };
}

export type TestApi = ReturnType<typeof createTestApi>;

export function shortPath(path: string): string {
  return path
    .replace(/^\/v1\/organizations\/[^/]+/, "")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}");
}
