import { readdirSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { serve } from "../support/local-server";
import { temporaryFolder } from "../support/temporary-folder";
import { file, trustTestCertificate } from "./certificate/trust";
import { useServices } from "./service-setup";
import { failureOf } from "./support";

/** A creation through a proxy that does not connect: nothing has reached the API. */

const setup = useServices();
const { HTTPS_PROXY } = process.env;
let folder: string;
/** The failures of the next connections; later ones reach the server. */
let failures: ((client: Socket) => void)[];

const answer = (status: number) => (client: Socket) => void client.end(`HTTP/1.1 ${status} No\r\n\r\nno route`);
const close = (client: Socket) => void client.destroy();
const closeInHandshake = (client: Socket) => {
  client.write("HTTP/1.1 200 OK\r\n\r\n");
  client.once("data", () => client.destroy());
};

beforeAll(async () => {
  const tls = { key: file("key.pem"), cert: file("other-host.pem") };
  const api = createTlsServer(tls, (incoming, response) => {
    const { method = "", headers, url } = incoming;
    const forwarded = request(`${new URL(setup.simulator.baseUrl).origin}${url}`, { method, headers }, (received) => {
      response.writeHead(Number(received.statusCode), received.headers);
      received.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  const port = await serve(api);
  const proxy = createServer().on("connect", (_, client: Socket) => {
    client.on("error", () => {});
    const fail = failures.shift();
    if (fail !== undefined) return fail(client);
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    const server = connect(port, "127.0.0.1").on("error", () => {});
    return void client.pipe(server).pipe(client);
  });
  process.env.HTTPS_PROXY = `http://127.0.0.1:${await serve(proxy)}`;
});
afterAll(() => {
  if (HTTPS_PROXY === undefined) delete process.env.HTTPS_PROXY;
  else process.env.HTTPS_PROXY = HTTPS_PROXY;
});

beforeEach(() => {
  trustTestCertificate();
  folder = temporaryFolder("proxies");
  setup.restartWith({ CLOUDDB_JOURNAL: folder, CLOUDDB_BASE_URL: "https://other.example" });
});
afterEach(() => jest.restoreAllMocks());

const create = async () => setup.handlers.create(await setup.checkArgs({ name: "orders" }));

test.each([
  ...[400, 403, 407, 429, 502, 503, 504].map((status) => [`answers ${status}`, answer(status)] as const),
  ["answers nothing", close] as const,
  ["closes it in the TLS handshake", closeInHandshake] as const,
])("a creation is retried after a proxy that %s", async (_, fail) => {
  failures = [fail];
  const { id } = await create();
  expect((await setup.api.services()).map((service) => service.id)).toEqual([id]);
});

test("a proxy that never connects leaves no record", async () => {
  failures = Array(4).fill(answer(502));
  const { message } = await failureOf(create());
  expect(message).toMatch(
    /could not connect to the server: the proxy returned 502 \(POST .*, after 4 attempts\)\. Nothing was created\./,
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(await setup.api.services()).toEqual([]);
});
