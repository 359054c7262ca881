import { Agent, ClientRequest, createServer } from "node:http";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { shortPath } from "./api";
import { certificateFile, serve } from "./local-server";

/** A fault in transit, independent of the server. */
export interface NetworkFault {
  readonly kind: /** The operating system refuses the connection, or a proxy closes it without an answer. */
    | "refused"
    /**
     * The connection ends before it is made, in its TLS handshake, or before the first byte of the
     * request.
     */
    | "cut before connect"
    | "cut in the handshake"
    | "cut when open"
    /** The client times out quickly. */
    | "times out"
    /**
     * The process crashes before the request is sent, or after the response arrives and before it
     * is read.
     */
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
  /** The status of the response; absent without one, and 0 if the request did not leave. */
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
  addRequest(request: ClientRequest, options: { port?: number; localAddress?: string }): void;
}

/** A way to a local server. */
export type Route = "http" | "https" | "proxy";

let cutterPort = 0;

/** The base URL of each route to a server. That of the proxy is for requests with `HTTPS_PROXY`. */
export async function openRoutes(baseUrl: string) {
  const [key, cert] = [certificateFile("key.pem"), certificateFile("certificate.pem")];
  const front = createTlsServer({ key, cert }, (socket) => {
    socket.pipe(connect(Number(new URL(baseUrl).port), "127.0.0.1")).pipe(socket);
  });
  front.addContext("other.example", { key, cert: certificateFile("other-host.pem") });
  const frontPort = await serve(front);
  const proxy = createServer().on("connect", ({ url = "" }, client) => {
    const port = Number(url.split(":")[1]);
    if (port === DEAD_PORT) return client.end();
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.pipe(connect(port === 443 ? frontPort : port, "127.0.0.1")).pipe(client);
  });
  cutterPort = await serve(createTcpServer((socket) => socket.once("data", () => socket.end())));
  return {
    proxyUrl: `http://127.0.0.1:${await serve(proxy)}`,
    http: baseUrl,
    https: `https://127.0.0.1:${frontPort}`,
    proxy: "https://other.example",
  };
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
    // Requests to the proxy, and those that control the simulator, are not the client's.
    if (request.method === "CONNECT" || request.path.startsWith("/__admin"))
      return addRequest.call(this, request, options);
    const { kind, onCrash = () => {} } = takeFault(request) ?? {};
    if (kind === "crashes before") return crash(request, onCrash);
    const entry: SentRequest = { request: `${request.method} ${shortPath(request.path)}` };
    if (kind === "refused" || kind?.startsWith("cut")) entry.status = 0;
    sent.push(entry);
    request.once("response", ({ statusCode }) => {
      entry.status = statusCode;
    });
    if (kind === "crashes after") crashOnResponse(request, onCrash);
    if (kind === "times out") timingOut.add(request);
    if (kind === "cut before connect") request.once("socket", lose);
    if (kind === "cut when open")
      request.once("socket", (socket: TLSSocket) => {
        const event = socket.encrypted ? "secureConnect" : "connect";
        socket.prependOnceListener(event, () => lose(socket));
      });
    addRequest.call(this, request, { ...options, ...placeFor(kind) });
  };
  ClientRequest.prototype.setTimeout = function (ms, then) {
    return setTimeout.call(this, timingOut.has(this) ? TIMEOUT_MS : ms, then);
  };
});
afterAll(() => {
  agent.addRequest = addRequest;
  ClientRequest.prototype.setTimeout = setTimeout;
});

/** Options that lead a request to its fault, on a connection of its own. */
function placeFor(kind: NetworkFault["kind"] | undefined) {
  if (kind === "refused") return { port: DEAD_PORT };
  if (kind === "cut in the handshake") return { port: cutterPort };
  return kind?.startsWith("cut") ? { localAddress: "127.0.0.1" } : {};
}

function lose(socket: Socket): void {
  socket.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
}

/** Crashes when the response has arrived, before anything reads it. */
function crashOnResponse(request: ClientRequest, onCrash: () => void): void {
  const { emit } = request;
  request.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== "response") return emit.call(request, event, ...values);
    crash(request, onCrash);
    return true;
  };
}

/**
 * Crashes with an error for the client, which would otherwise wait for its timeout, long after the
 * tests are done.
 */
function crash(request: ClientRequest, onCrash: () => void): void {
  onCrash();
  request.destroy();
  process.nextTick(() => request.emit("error", new Error("the process has crashed")));
}
