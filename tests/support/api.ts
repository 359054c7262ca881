import { Agent, request } from "node:http";
import { json as jsonOf } from "node:stream/consumers";
import type { FaultRule, JournalEntry, ReadyLine } from "../../simulator/index";

/** A short name for each request: method and the end of its path, without ids. */
export interface RecordedRequest {
  readonly request: string;
  readonly body: unknown;
  readonly status: number;
}

/** An agent for thousands of requests, which is lighter than fetch. */
const agent = new Agent({ keepAlive: true });

function send<Result>(url: string, method: string, body?: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
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

/** A simulator with functions to control and inspect it. */
export function createTestApi(simulator: ReadyLine) {
  const admin = <Answer>(path: string, method = "GET", body?: unknown) =>
    send<Answer>(`${simulator.baseUrl}/__admin${path}`, method, body);
  const organizations = async () =>
    (await admin<{ organizations: OrganizationState[] }>("/state")).organizations;
  const json = { "content-type": "application/json" };
  const authorization = `Basic ${Buffer.from(`${simulator.keyId}:${simulator.keySecret}`).toString("base64")}`;
  const services = `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}/services`;

  return {
    ...simulator,
    organization: `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}`,
    /** The requests since the last call. */
    async requests(): Promise<RecordedRequest[]> {
      const { requests } = await admin<{ requests: JournalEntry[] }>("/requests");
      await admin("/requests", "DELETE");
      return requests.map(({ method, path, body, status }) => ({
        request: `${method} ${shortPath(path)}`,
        body,
        status,
      }));
    },
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
    /** Sends a request, like a change outside of Pulumi. */
    async change(
      method: "PATCH" | "POST",
      path: string,
      body: unknown,
      at = services,
    ): Promise<Record<string, unknown>> {
      const init = { method, headers: { ...json, authorization }, body: JSON.stringify(body) };
      const response = await fetch(`${at}${path}`, init);
      const updated = (await response.json()) as {
        result?: Record<string, unknown>;
        error?: string;
      };
      if (updated.result === undefined) throw new Error(updated.error);
      await admin("/requests", "DELETE");
      return updated.result;
    },
  };
}

export type TestApi = ReturnType<typeof createTestApi>;

export function shortPath(path: string): string {
  return path
    .replace(/^\/v1\/organizations\/[^/]+/, "")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}");
}
