import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { edited } from "./edits";
import type { Manner, Shape } from "./manners";
import { changeOrganization, changePipe, changeScaling, changeService, newService } from "./operations";
import { shownBy } from "./shown";
import { type Data, firstWorld, type World } from "./world";

/**
 * A second server of the specification, small and with manners of its own. It shares no code with the simulator or the
 * provider: where those agree in a mistake, this one does not.
 */
export interface SecondServer {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly organizationId: string;
  /** What is true, for tests to look at and to change behind the stack's back. */
  readonly world: World;
  /** From now on. */
  readonly behave: (manner: Manner | undefined) => void;
  /** Method and path of each request since the last time this was asked. */
  readonly requests: () => string[];
  readonly close: () => Promise<void>;
}

const KEY = { keyId: "second", keySecret: "the-secret-of-the-second" };
const AUTHORIZATION = `Basic ${Buffer.from(`${KEY.keyId}:${KEY.keySecret}`).toString("base64")}`;

export async function startSecondServer(): Promise<SecondServer> {
  const world = firstWorld();
  let manner: Manner | undefined;
  let left = 0;
  let requests: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const body = method === "GET" ? {} : ((await json(request)) as Data);
    requests.push(`${method} ${url}`);
    if (request.headers.authorization !== AUTHORIZATION) return refused(response, 401, "UNAUTHORIZED: another key");
    const instead = manner?.instead;
    if (instead && instead.method === method && left > 0) {
      left -= 1;
      const { status, headers = {} } = instead;
      const text = typeof instead.body === "string" ? instead.body : JSON.stringify(instead.body);
      const type = typeof instead.body === "string" ? "text/html" : "application/json";
      response.writeHead(status, { "content-type": type, ...headers }).end(text);
      return;
    }
    const found = operationFor(world, method, url);
    if (found === undefined) return refused(response, 404, "NOT_FOUND: there is nothing of that id");
    const result = found.operate(edited(body, manner?.takes) as Data);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(shownBy(manner, found.shape, { status: 200, requestId: randomUUID(), result })));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => refused(response, 500, `INTERNAL_ERROR: ${error.message}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...KEY,
    organizationId: String(world.organization.id),
    world,
    behave(next) {
      manner = next;
      left = next?.instead?.times ?? Number.POSITIVE_INFINITY;
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

function refused(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ status, requestId: randomUUID(), error }));
}

interface Found {
  readonly shape: Shape;
  readonly operate: (body: Data) => Data;
}

function operationFor(world: World, method: string, url: string): Found | undefined {
  const [, version, organizations, organizationId, services, serviceId, last, pipeId, settings, ...more] = url
    .toLowerCase()
    .split("/");
  if (version !== "v1" || organizations !== "organizations" || more.length > 0) return undefined;
  if (organizationId !== world.organization.id) return undefined;
  if (services === undefined) {
    return method === "PATCH"
      ? { shape: "organization", operate: (body) => changeOrganization(world, body) }
      : undefined;
  }
  if (services !== "services") return undefined;
  if (serviceId === undefined) {
    return method === "POST" ? { shape: "creation", operate: (body) => newService(world, body) } : undefined;
  }
  const service = world.services.get(serviceId);
  if (service === undefined) return undefined;
  const key = [method, last, settings].filter((part) => part !== undefined).join(" ");
  const pipe = world.pipes.get(pipeId ?? "");
  const byKey: Readonly<Record<string, Found | undefined>> = {
    GET: { shape: "service", operate: () => service },
    PATCH: { shape: "service", operate: (body) => changeService(service, body) },
    "PATCH replicascaling": { shape: "service", operate: (body) => changeScaling(service, body) },
    "GET pipes": pipe && { shape: "pipe", operate: () => pipe },
    "PATCH pipes": pipe && { shape: "pipe", operate: (body) => changePipe(pipe, body) },
    "GET pipes settings": pipe && { shape: "settings", operate: () => pipe.settings as Data },
  };
  return byKey[key];
}
