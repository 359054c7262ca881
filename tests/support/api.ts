import type { FaultRule, JournalEntry, RunningSimulator } from "../../simulator/index";

/** A short name for each request: method and the end of its path, without ids. */
export interface Request {
  readonly request: string;
  readonly body: unknown;
  readonly status: number;
}

/** A simulator as tests steer it. */
export function steered(simulator: Omit<RunningSimulator, "close">) {
  const admin = (path: string, init?: RequestInit) => fetch(`${simulator.baseUrl}/__admin${path}`, init);
  const json = { "content-type": "application/json" };
  const authorization = `Basic ${Buffer.from(`${simulator.keyId}:${simulator.keySecret}`).toString("base64")}`;
  const services = `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}/services`;

  return {
    ...simulator,
    organization: `${simulator.baseUrl}/v1/organizations/${simulator.organizationId}`,
    /** The requests since the last time this was asked. */
    async requests(): Promise<Request[]> {
      const { requests } = (await (await admin("/requests")).json()) as { requests: JournalEntry[] };
      await admin("/requests", { method: "DELETE" });
      return requests.map(({ method, path, body, status }) => ({
        request: `${method} ${shortPath(path)}`,
        body,
        status,
      }));
    },
    async services(): Promise<Record<string, unknown>[]> {
      const { organizations } = (await (await admin("/state")).json()) as {
        organizations: { services: Record<string, unknown>[] }[];
      };
      return organizations.flatMap((organization) => organization.services);
    },
    async faults(...faults: FaultRule[]): Promise<void> {
      await admin("/faults", { method: "PUT", headers: json, body: JSON.stringify({ faults }) });
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
      await admin("/requests", { method: "DELETE" });
      return answer.result;
    },
  };
}

export type Steered = ReturnType<typeof steered>;

export function shortPath(path: string): string {
  return path.replace(/^\/v1\/organizations\/[^/]+/, "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}");
}
