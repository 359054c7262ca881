import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from "axios";
import type { FaultEffect, FaultRule } from "../../../simulator/index";
import { serviceKey } from "../../../simulator/state/state";
import type { Properties } from "../../support/adapters/handlers";
import { type Change, createLedger } from "./ledger";
import type { Server } from "./server";

/* Requests that wait until the schedule lets them through, so that the schedule decides the order of everything. */

/** The end of a request, as the process sees it. */
export type Ending =
  | "answered"
  /** A read shows the service before the last write of this command. */
  | "old"
  /** The operating system refuses the connection. */
  | "refused"
  | FaultEffect
  /** The process dies before the server has the request, or before it has the response. */
  | "unsent"
  | "unread";

/** A request that has left the process. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly serviceId: string;
  readonly body: Properties;
  /** The status of the response; absent without one, and 0 if the connection was refused. */
  status?: number;
}

export interface WaitingRequest extends Sent {
  readonly proceed: (ending: Ending) => Promise<void>;
}

export type Api = ReturnType<typeof createApi>;

export function createApi(server: Server) {
  const { organizationId } = server;

  const ledger = createLedger();
  const waiting = new Set<WaitingRequest>();
  let seeded = new Set<unknown>();
  let author = "";
  let order: FaultRule[] = [];
  let changes: Change[] = [];
  let sent: Sent[] = [];
  /** The services before the last write of this command, by ID. */
  const former = new Map<string, Properties>();

  const overNetwork = axios.getAdapter("http");
  axios.defaults.adapter = (config) =>
    new Promise((resolve, reject) => enqueue(config, resolve, reject));

  function enqueue(
    config: InternalAxiosRequestConfig,
    resolve: (response: AxiosResponse) => void,
    reject: (error: Error) => void,
  ): void {
    const { method = "", url = "", data } = config;
    const request: WaitingRequest = {
      method: method.toUpperCase(),
      path: url,
      serviceId: /services\/([^/]+)/.exec(url)?.[1] ?? "",
      body: data === undefined ? {} : JSON.parse(data),
      async proceed(ending) {
        waiting.delete(request);
        if (ending === "unsent") return;
        sent.push(request);
        if (ending === "refused") {
          request.status = 0;
          return reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
        }
        const sending = passOn(request, author, ending, () => overNetwork(config));
        if (ending === "unread") await sending.catch(() => {});
        else await sending.then(resolve, reject);
      },
    };
    waiting.add(request);
  }

  const keyOf = (id: string) => serviceKey(organizationId, id);

  /** Sends a request of an author, and notes what it changes. */
  async function passOn(
    request: Pick<WaitingRequest, "method" | "serviceId"> & { status?: number },
    by: string,
    ending: Ending,
    send: () => Promise<{ readonly status: number }>,
  ): Promise<AxiosResponse> {
    const { method, serviceId } = request;
    const isWrite = method !== "GET";
    if (typeof ending === "object") server.faults({ times: 1, effect: ending });
    else server.faults(...(isWrite ? order : []));
    const before = server.simulation.state.services.get(keyOf(serviceId));
    const old = ending === "old" && !isWrite ? former.get(serviceId) : undefined;
    if (old) server.simulation.state.services.set(keyOf(serviceId), old as never);
    try {
      const response = await send();
      request.status = response.status;
      return response as AxiosResponse;
    } finally {
      if (old && before) server.simulation.state.services.set(keyOf(serviceId), before);
      if (isWrite)
        for (const service of server.simulation.state.services.values())
          changes.push(...ledger.record(by, service));
      if (method === "PATCH" && before && by === author) former.set(serviceId, before);
    }
  }

  return {
    server,
    ledger,
    waiting: waiting as ReadonlySet<WaitingRequest>,
    /** The services that were not in the seed. */
    createdServices: () => server.organization().services.filter(({ id }) => !seeded.has(id)),
    addsFirst: () => order.length > 0,
    async reset(addsFirst: boolean): Promise<void> {
      await server.reset();
      order = addsFirst ? [{ times: 1, effect: { kind: "addFirst" } }] : [];
      ledger.clear();
      const services = [...server.simulation.state.services.values()];
      for (const service of services) ledger.record("others", service);
      seeded = new Set(services.map(({ id }) => id));
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
    /** Sends an update of a service or a part of it, like a change outside of the stacks. */
    async change(serviceId: string, body: Properties, part = ""): Promise<void> {
      const send = () => server.change(`/${serviceId}${part}`, body).then(() => ({ status: 200 }));
      await passOn({ method: "PATCH", serviceId }, "others", "answered", send);
    },
  };
}
