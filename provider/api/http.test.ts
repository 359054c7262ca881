import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createClient } from "./client";
import { basic } from "./http";
import { operation, SERVICE as PATH, SERVICES } from "./operations";
import { created, service } from "./schemas";

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const SERVICE = { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01", serviceId: ID };
const sockets = new Set<Socket>();
const received: string[] = [];
let server: Server;
let isClosingIdle: boolean;

beforeEach(async () => {
  received.length = 0;
  isClosingIdle = true;
  server = createServer(({ method = "", socket }, response) => {
    // As if the server closed the idle connection at the moment at which the client uses it again.
    if (isClosingIdle && sockets.has(socket)) return void socket.destroy();
    sockets.add(socket);
    received.push(method);
    response.end(JSON.stringify({ result: method === "POST" ? { service: { id: ID } } : { id: ID } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  sockets.clear();
});

function clientOf() {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { baseUrl, authorization: basic("key", "s3cret"), requestTimeoutSeconds: 5, maxRetries: 0 };
  const clock = { now: () => 0, sleep: async () => {} };
  const dependencies = { clock, random: () => 1, log: () => {}, redact: (text: string) => text };
  const client = createClient({ ...settings, userAgent: "test/1" }, dependencies);
  return {
    read: () => client.call(operation("GET", PATH, service), SERVICE),
    create: () => client.call(operation("POST", SERVICES, created), SERVICE, { body: {}, idempotency: "create" }),
  };
}

test("a creation does not use a connection that the server just closes", async () => {
  const { read, create } = clientOf();
  await read();
  await expect(create()).resolves.toMatchObject({ service: { id: ID } });
  await expect(create()).resolves.toMatchObject({ service: { id: ID } });
  expect(received).toEqual(["GET", "POST", "POST"]);
  // This server does close connections: requests that can be repeated share one.
  await expect(read()).rejects.toMatchObject({ name: "InterruptedError", networkCode: "ECONNRESET" });
});

test("reads share a connection", async () => {
  isClosingIdle = false;
  const { read } = clientOf();
  await read();
  await read();
  expect(received).toEqual(["GET", "GET"]);
  expect(sockets.size).toBe(1);
});
