import { Agent, request } from "node:http";
import { json as jsonOf } from "node:stream/consumers";
import type { FaultRule, JournalEntry, RunningSimulator } from "../../simulator/index";

/** A short name for each request: method and the end of its path, without ids. */
export interface Request {
  readonly request: string;
  readonly body: unknown;
  readonly status: number;
}

/** Thousands of steps go this way: it is lighter than fetch. */
const agent = new Agent({ keepAlive: true });

function asked<Answer>(url: string, method: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const asking = request(url, { method, agent, headers }, (response) => {
      jsonOf(response).then((answer) => {
        if (response.statusCode === 200) resolve(answer as Answer);
        else reject(new Error(JSON.stringify(answer)));
      }, reject);
    });
    asking.on("error", reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

type World = { services: Record<string, unknown>[] } & Record<string, unknown>;

/** A simulator as tests steer it. */
export function steered(simulator: Omit<RunningSimulator, "close">) {
  const admin = <Answer>(path: string, method = "GET", body?: unknown) =>
    asked<Answer>(`${simulator.baseUrl}/__admin${path}`, method, body);
  const organizations = async () => (await admin<{ organizations: World[] }>("/state")).organizations;
  const json = { "content-type": "application/json" };
  const authorization = `Basic ${Buffer.from(`${simulator.keyId}:${simulator.keySecret}`).toString("base64")}`;
  const services = `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}/services`;

  return {
    ...simulator,
    organization: `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}`,
    /** The requests since the last time this was asked. */
    async requests(): Promise<Request[]> {
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
    /** Everything as it was at the start. */
    async reset(): Promise<void> {
      await admin("/reset", "POST");
    },
    /** Does something behind Pulumi's back. */
    async change(
      method: "PATCH" | "POST",
      path: string,
      body: unknown,
      at = services,
    ): Promise<Record<string, unknown>> {
      const init = { method, headers: { ...json, authorization }, body: JSON.stringify(body) };
      const response = await fetch(`${at}${path}`, init);
      const answer = (await response.json()) as { result?: Record<string, unknown>; error?: string };
      if (answer.result === undefined) throw new Error(answer.error);
      await admin("/requests", "DELETE");
      return answer.result;
    },
  };
}

export type Steered = ReturnType<typeof steered>;

export function shortPath(path: string): string {
  return path.replace(/^\/v1\/organizations\/[^/]+/, "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}");
}
