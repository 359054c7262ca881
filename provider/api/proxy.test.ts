import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "./client";
import { basic, isLoopback } from "./http";
import { operation, SERVICE as PATH } from "./operations";
import { service } from "./schemas";

/** The proxies of the environment: other machines are asked through them, this one never is. */

const SERVICE = { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01", serviceId: "s-1" };
const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const environment = { ...process.env };

const servers: Server[] = [];
let proxied: string[];
let served: number;
let proxyUrl: string;
let port: number;

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  proxied = [];
  served = 0;
  for (const name of VARIABLES) delete process.env[name];
  const proxy = createServer(({ url = "", headers }, response) => {
    proxied.push(`${url} with ${headers.authorization}`);
    response.end(JSON.stringify({ result: { id: "s-1" } }));
  });
  proxy.on("connect", ({ url }, socket) => {
    proxied.push(`CONNECT ${url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  proxyUrl = `http://127.0.0.1:${await listening(proxy)}`;
  port = await listening(
    createServer((_, response) => {
      served += 1;
      response.end(JSON.stringify({ result: { id: "s-1" } }));
    }),
  );
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => {
  for (const name of VARIABLES) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
});

function ask(baseUrl: string): Promise<unknown> {
  const settings = { requestTimeoutSeconds: 5, maxRetries: 0, userAgent: "test/1" };
  const clock = { now: () => 0, sleep: async () => {} };
  const dependencies = { clock, random: () => 1, log: () => {}, redact: (text: string) => text };
  const client = createClient({ ...settings, baseUrl, authorization: basic("key", "s3cret") }, dependencies);
  return client.call(operation("GET", PATH, service), SERVICE).catch((error: unknown) => error);
}

const proxies = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

test.each(proxies)("%s is used for other machines", async (variable) => {
  process.env[variable] = proxyUrl;
  expect(await ask("http://db.example")).toMatchObject({ id: "s-1" });
  expect(proxied).toEqual([expect.stringMatching(/^http:\/\/db\.example\/v1\/.* with Basic /)]);
});

test.each(["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])("%s is used for other machines over https", async (variable) => {
  process.env[variable] = proxyUrl;
  await ask("https://db.example");
  expect(proxied).toEqual(["CONNECT db.example:443"]);
});

test("an invalid address of a proxy fails before anything is sent", async () => {
  process.env.HTTP_PROXY = "http://not a host";
  expect(await ask("http://db.example")).toMatchObject({
    name: "UnreachableError",
    message: expect.stringContaining("could not connect to the server: ERR_INVALID_URL"),
    mayHaveSucceeded: false,
  });
});

test.each(proxies)("%s is not used for this machine", async (variable) => {
  process.env[variable] = proxyUrl;
  expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({ id: "s-1" });
  expect(await ask(`http://localhost:${port}`)).toMatchObject({ id: "s-1" });
  expect(served).toBe(2);
  // The hosts need not listen, nor their names resolve.
  for (const host of [
    "127.1.2.3",
    "127.1",
    "LOCALHOST",
    "localhost.",
    "sim.localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
  ]) {
    await ask(`http://${host}:${port}`);
  }
  expect(proxied).toEqual([]);
});

test.each(["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])(
  "%s is not asked for this machine by https",
  async (variable) => {
    process.env[variable] = proxyUrl;
    for (const host of ["127.0.0.1", "localhost", "sim.localhost", "[::1]"]) await ask(`https://${host}:${port}`);
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
