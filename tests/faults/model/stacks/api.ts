import axios, { type AxiosRequestConfig, type AxiosResponse } from "axios";
import { createServer } from "../../../../simulator/http/server";
import type { FaultEffect, FaultRule, Seed } from "../../../../simulator/index";
import { createSimulation } from "../../../../simulator/simulation/simulation";
import { describeOrganizations, serviceKey } from "../../../../simulator/state/state";
import type { Properties } from "../../../support/adapters/handlers";
import { type Change, createLedger } from "./ledger";

/*
 * The simulator without a network. A request waits until the schedule lets it through, so that the schedule decides the
 * order of everything that happens.
 */

const CREDENTIALS = { keyId: "model", keySecret: "the-secret-of-the-model", accessToken: "unused" };
const BASE_URL = "http://127.0.0.1:9";

/** The end of a request, as the process sees it. */
export type Ending =
  | "answered"
  /** A read shows the service before the last write of this command. */
  | "old"
  | "refused"
  | "unavailable"
  | "lost before"
  | "lost after"
  /** The process dies before the server has the request, or before it has the response. */
  | "unsent"
  | "unread";

export interface WaitingRequest {
  readonly method: string;
  readonly path: string;
  readonly serviceId: string;
  readonly body: Properties;
  readonly proceed: (ending: Ending) => Promise<void>;
}

/** A request that the server has answered. */
export type Sent = Pick<WaitingRequest, "method" | "serviceId" | "body">;

const STATUSES: Partial<Record<Ending, FaultEffect>> = {
  refused: { kind: "status", status: 400 },
  unavailable: { kind: "status", status: 500 },
};

export type Api = ReturnType<typeof createApi>;

export function createApi(seed: Seed) {
  const simulation = createSimulation({ seed, credentials: CREDENTIALS, now: Date.now });
  const app = createServer(simulation);
  const [organizationId = ""] = simulation.state.organizations.keys();
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.keyId}:${CREDENTIALS.keySecret}`).toString("base64")}`;
  const ledger = createLedger();
  const seeded = new Set<unknown>([...simulation.state.services.values()].map(({ id }) => id));
  const waiting = new Set<WaitingRequest>();
  let author = "";
  let order: FaultRule[] = [];
  let changes: Change[] = [];
  let sent: Sent[] = [];
  /** The services before the last write of this command, by ID. */
  const former = new Map<string, Properties>();

  axios.defaults.adapter = (config) => new Promise((resolve, reject) => enqueue(config, resolve, reject));

  function enqueue(
    { method = "", url = "", headers = {}, data }: AxiosRequestConfig,
    resolve: (response: AxiosResponse) => void,
    reject: (error: Error) => void,
  ): void {
    const serviceId = /services\/([^/]+)/.exec(url)?.[1] ?? "";
    const request: WaitingRequest = {
      method: method.toUpperCase(),
      path: url,
      serviceId,
      body: data === undefined ? {} : JSON.parse(data),
      async proceed(ending) {
        waiting.delete(request);
        if (ending === "unsent") return;
        sent.push(request);
        const lost = () => reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
        if (ending === "lost before") return lost();
        const response = await send(request, { ...headers } as Record<string, string>, author, ending);
        if (ending === "unread") return;
        if (ending === "lost after") return lost();
        resolve({ ...response, config: {} } as AxiosResponse);
      },
    };
    waiting.add(request);
  }

  const storedServices = () => [...simulation.state.services.values()];
  const storedAt = (id: string) => simulation.state.services.get(serviceKey(organizationId, id));

  async function send(
    { method, path, serviceId, body }: Pick<WaitingRequest, "method" | "path" | "serviceId" | "body">,
    headers: Record<string, string>,
    by: string,
    ending: Ending = "answered",
  ) {
    const effect = STATUSES[ending];
    simulation.setConditions({ faults: effect ? [{ times: 1, effect }] : method === "GET" ? [] : order });
    const before = storedAt(serviceId);
    const old = ending === "old" ? former.get(serviceId) : undefined;
    if (old) simulation.state.services.set(serviceKey(organizationId, serviceId), old as never);
    const response = await app.inject({
      method: method as "GET",
      url: path,
      headers,
      ...(method !== "GET" && { payload: JSON.stringify(body) }),
    });
    if (old && before) simulation.state.services.set(serviceKey(organizationId, serviceId), before);
    if (method !== "GET") for (const service of storedServices()) changes.push(...ledger.record(by, service));
    if (method === "PATCH" && before && by === author) former.set(serviceId, before);
    return { status: response.statusCode, statusText: "", headers: response.headers, data: response.payload };
  }

  /** The services on the server. */
  const services = () => describeOrganizations(simulation.state).flatMap((each) => each.services) as Properties[];

  return {
    baseUrl: BASE_URL,
    ...CREDENTIALS,
    organizationId,
    ledger,
    waiting: waiting as ReadonlySet<WaitingRequest>,
    /** The services that were not in the seed. */
    createdServices: () => services().filter(({ id }) => !seeded.has(id)),
    addsFirst: () => order.length > 0,
    async reset(addsFirst: boolean): Promise<void> {
      await simulation.reset();
      order = addsFirst ? [{ times: 1, effect: { kind: "addFirst" } }] : [];
      ledger.clear();
      for (const service of storedServices()) ledger.record("others", service);
      this.begin("");
    },
    /** A command of an author starts. */
    begin(by: string): void {
      author = by;
      waiting.clear();
      former.clear();
      changes = [];
      sent = [];
    },
    /** The requests of this command. */
    requests: (): readonly Sent[] => sent,
    /** The changes of entries during this command. */
    changes: (): readonly Change[] => changes,
    /** Sends an update, like a change outside of the stacks. */
    async change(serviceId: string, body: Properties): Promise<void> {
      const path = `/v1/organizations/${organizationId}/services/${serviceId}`;
      const headers = { authorization, "content-type": "application/json" };
      const { status, data } = await send({ method: "PATCH", path, serviceId, body }, headers, "others");
      if (status !== 200) throw new Error(data);
    },
    close: () => app.close(),
  };
}
