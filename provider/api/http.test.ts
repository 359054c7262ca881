import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createClient } from "./client";
import { endpoints } from "./endpoints";
import { basic, isLoopback } from "./http";

/** The connections: which requests share one, and which go through the proxies of the environment. */

const ID = "s-1";
const SERVICE = { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01", serviceId: ID };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(listener: RequestListener): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

function clientOf(baseUrl: string) {
  const settings = { baseUrl, authorization: basic("key", "s3cret"), requestTimeoutSeconds: 5, maxRetries: 0 };
  const clock = { now: () => 0, sleep: async () => {} };
  const dependencies = { clock, random: () => 1, log: () => {}, redact: (text: string) => text };
  const client = createClient({ ...settings, userAgent: "test/1" }, dependencies);
  return {
    read: () => client.call(endpoints.getService, SERVICE).catch((error: unknown) => error),
    create: () => client.call(endpoints.createService, SERVICE, { body: {}, idempotency: "create" }),
  };
}

test.each([301, 302, 303, 307, 308])("a redirect with status %i is not followed", async (status) => {
  let elsewhere = 0;
  const { port: other } = await listening((_, response) => {
    elsewhere++;
    response.end("{}");
  });
  const location = `http://127.0.0.1:${other}/v1`;
  const { port } = await listening((_, response) => response.writeHead(status, { location }).end());
  const client = clientOf(`http://127.0.0.1:${port}`);
  expect(await client.read()).toBeInstanceOf(Error);
  await expect(client.create()).rejects.toThrow();
  expect(elsewhere).toBe(0);
});

test.each([true, false])(
  "reads share a connection, creations do not; the server closes idle ones: %s",
  async (closes) => {
    const sockets = new Set<Socket>();
    const received: string[] = [];
    const { port } = await listening(({ method = "", socket }, response) => {
      // As if the server closed the idle connection at the moment at which the client uses it again.
      if (closes && sockets.has(socket)) return void socket.destroy();
      sockets.add(socket);
      received.push(method);
      response.end(JSON.stringify({ result: method === "POST" ? { service: { id: ID } } : { id: ID } }));
    });
    const { read, create } = clientOf(`http://127.0.0.1:${port}`);
    await read();
    await expect(create()).resolves.toMatchObject({ service: { id: ID } });
    await expect(create()).resolves.toMatchObject({ service: { id: ID } });
    expect(received).toEqual(["GET", "POST", "POST"]);
    expect(sockets.size).toBe(3);
    const lost = { code: "CDB3003", request: { networkCode: "ECONNRESET" } };
    expect(await read()).toMatchObject(closes ? lost : { id: ID });
    expect(sockets.size).toBe(3);
  },
);

describe("the proxies of the environment", () => {
  const plain = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const secure = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
  const environment = { ...process.env };
  let proxied: string[];
  let proxyUrl: string;

  beforeEach(async () => {
    proxied = [];
    for (const name of [...plain, ...secure, "NO_PROXY", "no_proxy"]) delete process.env[name];
    const { server, port } = await listening(({ url = "", headers }, response) => {
      proxied.push(`${url} with ${headers.authorization}`);
      response.end(JSON.stringify({ result: { id: ID } }));
    });
    server.on("connect", ({ url }, socket) => {
      proxied.push(`CONNECT ${url}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    proxyUrl = `http://127.0.0.1:${port}`;
  });
  afterAll(() => {
    process.env = environment;
  });

  test.each([
    ...plain.map((variable) => [variable, "http", expect.stringMatching(/^http:\/\/db\.example\/v1\/.* with Basic /)]),
    ...secure.map((variable) => [variable, "https", "CONNECT db.example:443"]),
  ])("%s is used for other machines over %s", async (variable, protocol, request) => {
    process.env[variable] = proxyUrl;
    await clientOf(`${protocol}://db.example`).read();
    expect(proxied).toEqual([request]);
  });

  test("an invalid address of a proxy fails before anything is sent", async () => {
    process.env.HTTP_PROXY = "http://not a host";
    expect(await clientOf("http://db.example").read()).toMatchObject({
      code: "CDB3001",
      message: expect.stringContaining("could not connect to the server: ERR_INVALID_URL"),
      mayHaveSucceeded: false,
    });
  });

  test.each([...plain.map((variable) => [variable, "http"]), ...secure.map((variable) => [variable, "https"])])(
    "%s is not used for this machine over %s",
    async (variable, protocol) => {
      process.env[variable as string] = proxyUrl;
      let served = 0;
      const { port } = await listening((_, response) => {
        served += 1;
        response.end(JSON.stringify({ result: { id: ID } }));
      });
      for (const host of ["127.0.0.1", "localhost"]) await clientOf(`${protocol}://${host}:${port}`).read();
      expect(served).toBe(protocol === "http" ? 2 : 0);
      // The hosts need not listen, nor their names resolve.
      for (const host of [
        "127.1.2.3",
        "127.1",
        "LOCALHOST",
        "localhost.",
        "sim.localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
      ])
        await clientOf(`${protocol}://${host}:${port}`).read();
      expect(proxied).toEqual([]);
    },
  );

  test.each([
    "http://localhost.example",
    "http://127.0.0.1.example",
    "http://notlocalhost",
    "http://not-localhost",
    "http://[::ffff:10.0.0.1]",
    "http://128.0.0.1",
    "http://10.127.0.1",
  ])("%s is another machine", (url) => {
    expect(isLoopback(url)).toBe(false);
  });
});
