import { Agent, ClientRequest } from "node:http";
import { shortPath } from "./api";

/** A fault in transit, independent of the server. */
export interface NetworkFault {
  readonly kind: /** The operating system refuses the connection. */
    | "refused"
    /** The client times out quickly. */
    | "times out"
    /** The process crashes before the request is sent, or after the response arrives and before it is read. */
    | "crashes before"
    | "crashes after";
  /** The method of requests that fail; if absent, any. */
  readonly method?: string;
  readonly path?: string;
  /** The number of requests that fail; if absent, all. */
  readonly times?: number;
  readonly onCrash?: () => void;
}

/** A request as the client sees it. */
export interface SentRequest {
  /** Method and the end of the path, without ids. */
  readonly request: string;
  /** The status of the response; absent without one, and 0 if the connection was refused. */
  status?: number | undefined;
}

/** Nothing listens on this port. */
const DEAD_PORT = 1;
/** Far below a second, and long enough for a local server to start responding. */
const TIMEOUT_MS = 40;

let fault: (NetworkFault & { left: number }) | undefined;
const timingOut = new WeakSet<ClientRequest>();
let sent: SentRequest[] = [];

/** The requests since the last call, in order. */
export function takeSentRequests(): SentRequest[] {
  const all = sent;
  sent = [];
  return all;
}

interface AgentInternals {
  addRequest(request: ClientRequest, options: { port?: number }): void;
}

/** Applies the fault to matching requests from now on; undefined removes it. */
export function injectNetworkFault(next: NetworkFault | undefined): void {
  fault = next && { ...next, left: next.times ?? Number.POSITIVE_INFINITY };
}

/** The fault for this request, which uses it up. */
function takeFault({ method, path }: ClientRequest): NetworkFault | undefined {
  if (fault === undefined || fault.left === 0) return undefined;
  if ((fault.method ?? method) !== method || !path.includes(fault.path ?? "")) return undefined;
  fault.left -= 1;
  return fault;
}

const agent = Agent.prototype as unknown as AgentInternals;
const { addRequest } = agent;
const { setTimeout } = ClientRequest.prototype;

// A spy would record every call, and there are millions.
beforeAll(() => {
  agent.addRequest = function (request, options) {
    // Requests that control the simulator are not the client's.
    if (request.path.startsWith("/__admin")) return addRequest.call(this, request, options);
    const { kind, onCrash = () => {} } = takeFault(request) ?? {};
    if (kind === "crashes before") return crash(request, onCrash);
    const entry: SentRequest = { request: `${request.method} ${shortPath(request.path)}` };
    if (kind === "refused") entry.status = 0;
    sent.push(entry);
    request.once("response", ({ statusCode }) => {
      entry.status = statusCode;
    });
    if (kind === "crashes after") crashOnResponse(request, onCrash);
    if (kind === "times out") timingOut.add(request);
    addRequest.call(this, request, kind === "refused" ? { ...options, port: DEAD_PORT } : options);
  };
  ClientRequest.prototype.setTimeout = function (ms, then) {
    return setTimeout.call(this, timingOut.has(this) ? TIMEOUT_MS : ms, then);
  };
});
afterAll(() => {
  agent.addRequest = addRequest;
  ClientRequest.prototype.setTimeout = setTimeout;
});

/** Crashes when the response has arrived, before anything reads it. */
function crashOnResponse(request: ClientRequest, onCrash: () => void): void {
  const { emit } = request;
  request.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== "response") return emit.call(request, event, ...values);
    crash(request, onCrash);
    return true;
  };
}

/** Crashes with an error for the client, which would otherwise wait for its timeout, long after the tests are done. */
function crash(request: ClientRequest, onCrash: () => void): void {
  onCrash();
  request.destroy();
  process.nextTick(() => request.emit("error", new Error("the process has crashed")));
}
