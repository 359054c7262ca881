import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "../free-port";
import { applyEdits, applyVariant, type ServerVariant, type Shape } from "./edits";
import { createService, updateOrganization, updatePipe, updateScaling, updateService } from "./operations";
import { type Data, initialState, type ServerState } from "./state";

/**
 * A second, small server of the specification, in many variants. It shares no code with the simulator or the provider,
 * so that it does not share their mistakes.
 */
export interface SecondServer {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly organizationId: string;
  /** The actual data, for tests to inspect, and to change outside the stack. */
  readonly state: ServerState;
  /** Answers all later requests as this variant does. */
  readonly useVariant: (variant: ServerVariant | undefined) => void;
  /** Method and path of each request since the last call. */
  readonly requests: () => string[];
  readonly close: () => Promise<void>;
}

const KEY = { keyId: "second", keySecret: "the-secret-of-the-second" };
const AUTHORIZATION = `Basic ${Buffer.from(`${KEY.keyId}:${KEY.keySecret}`).toString("base64")}`;

export async function startSecondServer(): Promise<SecondServer> {
  const state = initialState();
  let variant: ServerVariant | undefined;
  let left = 0;
  let requests: string[] = [];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const body = method === "GET" ? {} : ((await json(request)) as Data);
    requests.push(`${method} ${url}`);
    if (request.headers.authorization !== AUTHORIZATION) return sendError(response, 401, "UNAUTHORIZED: another key");
    const gateway = variant?.gateway;
    if (gateway && gateway.method === method && left > 0) {
      left -= 1;
      const { status, headers = {} } = gateway;
      const text = typeof gateway.body === "string" ? gateway.body : JSON.stringify(gateway.body);
      const type = typeof gateway.body === "string" ? "text/html" : "application/json";
      response.writeHead(status, { "content-type": type, ...headers }).end(text);
      return;
    }
    const operation = operationFor(state, method, url);
    if (operation === undefined) return sendError(response, 404, "NOT_FOUND: there is nothing of that id");
    const result = operation.operate(applyEdits(body, variant?.requests) as Data);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(applyVariant(variant, operation.shape, { status: 200, requestId: randomUUID(), result })),
    );
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => sendError(response, 500, `INTERNAL_ERROR: ${error.message}`));
  });
  return {
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
    ...KEY,
    organizationId: String(state.organization.id),
    state,
    useVariant(next) {
      variant = next;
      left = next?.gateway?.times ?? Number.POSITIVE_INFINITY;
    },
    requests() {
      const all = requests;
      requests = [];
      return all;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendError(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ status, requestId: randomUUID(), error }));
}

interface MatchedOperation {
  readonly shape: Shape;
  readonly operate: (body: Data) => Data;
}

function operationFor(state: ServerState, method: string, url: string): MatchedOperation | undefined {
  const [, version, organizations, organizationId, services, serviceId, last, pipeId, settings, ...more] = url
    .toLowerCase()
    .split("/");
  if (version !== "v1" || organizations !== "organizations" || more.length > 0) return undefined;
  if (organizationId !== state.organization.id) return undefined;
  if (services === undefined) {
    return method === "PATCH"
      ? { shape: "organization", operate: (body) => updateOrganization(state, body) }
      : undefined;
  }
  if (services !== "services") return undefined;
  if (serviceId === undefined) {
    return method === "POST" ? { shape: "creation", operate: (body) => createService(state, body) } : undefined;
  }
  const service = state.services.get(serviceId);
  if (service === undefined) return undefined;
  const key = [method, last, settings].filter((part) => part !== undefined).join(" ");
  const pipe = state.pipes.get(pipeId ?? "");
  const byKey: Readonly<Record<string, MatchedOperation | undefined>> = {
    GET: { shape: "service", operate: () => service },
    PATCH: { shape: "service", operate: (body) => updateService(service, body) },
    "PATCH replicascaling": { shape: "service", operate: (body) => updateScaling(service, body) },
    "GET pipes": pipe && { shape: "pipe", operate: () => pipe },
    "PATCH pipes": pipe && { shape: "pipe", operate: (body) => updatePipe(pipe, body) },
    "GET pipes settings": pipe && { shape: "settings", operate: () => pipe.settings as Data },
  };
  return byKey[key];
}
