import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { file, trustTestCertificate } from "../../tests/contract/certificate/trust";
import { serve } from "../../tests/support/local-server";
import { call, clientAt, ID, ok } from "../../tests/support/scripted-client";
import { isLoopback } from "./http";

/** The connections: which requests share one, and which go through the proxies of the environment. */

const listening = (listener: RequestListener) => serve(createServer(listener));
const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

test.each([301, 302, 303, 307, 308])(
  "a redirect with status %i is not followed",
  async (status) => {
    let elsewhere = 0;
    const other = await listening((_, response) => {
      elsewhere++;
      response.end("{}");
    });
    const location = `http://127.0.0.1:${other}/v1`;
    const port = await listening((_, response) => response.writeHead(status, { location }).end());
    const client = clientAt(`http://127.0.0.1:${port}`);
    expect(await outcomeOf(call.read(client))).toBeInstanceOf(Error);
    await expect(call.create(client)).rejects.toThrow();
    expect(elsewhere).toBe(0);
  },
);

test.each([true, false])(
  "reads share a connection, creations do not; the server closes idle ones: %s",
  async (closes) => {
    const sockets = new Set<Socket>();
    const received: string[] = [];
    const port = await listening(({ method = "", socket }, response) => {
      // As if the server closed the idle connection at the moment at which the client uses it again.
      if (closes && sockets.has(socket)) return void socket.destroy();
      sockets.add(socket);
      received.push(method);
      response.end(ok(method === "POST" ? { service: { id: ID } } : { id: ID }));
    });
    const client = clientAt(`http://127.0.0.1:${port}`);
    await call.read(client);
    await expect(call.create(client)).resolves.toMatchObject({ service: { id: ID } });
    await expect(call.create(client)).resolves.toMatchObject({ service: { id: ID } });
    expect(received).toEqual(["GET", "POST", "POST"]);
    expect(sockets.size).toBe(3);
    // A read on a connection that the server has closed is repeated on a new one.
    expect(await call.read(client)).toMatchObject({ id: ID });
    expect(sockets.size).toBe(closes ? 4 : 3);
  },
);

describe("the proxies of the environment", () => {
  const plain = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const secure = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
  const environment = { ...process.env };
  let proxied: string[];
  let proxyUrl: string;
  /** The proxy's reactions to the next connections; it refuses later ones. */
  let connections: ((client: Socket) => unknown)[];

  const refuse = (status: number) => (client: Socket) =>
    client.end(`HTTP/1.1 ${status} No\r\n\r\nno route`);
  const close = (client: Socket) => client.destroy();
  const closeInHandshake = (client: Socket) => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.once("data", () => client.destroy());
  };
  const connectTo = (port: number) => (client: Socket) => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.pipe(connect(port, "127.0.0.1")).pipe(client);
  };

  beforeEach(async () => {
    proxied = [];
    connections = [];
    for (const name of [...plain, ...secure, "NO_PROXY", "no_proxy"]) delete process.env[name];
    const proxy = createServer(({ url = "", headers }, response) => {
      proxied.push(`${url} with ${headers.authorization}`);
      response.end(ok({ id: ID }));
    }).on("connect", ({ url }, client: Socket) => {
      proxied.push(`CONNECT ${url}`);
      const answer = connections.shift() ?? refuse(502);
      answer(client.on("error", () => {}));
    });
    proxyUrl = `http://127.0.0.1:${await serve(proxy)}`;
  });
  afterAll(() => {
    process.env = environment;
  });

  test.each([
    ...plain.map((variable) => [
      variable,
      "http",
      expect.stringMatching(/^http:\/\/db\.example\/v1\/.* with Basic /),
    ]),
    ...secure.map((variable) => [variable, "https", "CONNECT db.example:443"]),
  ])("%s is used for other machines over %s", async (variable, protocol, request) => {
    process.env[variable] = proxyUrl;
    await outcomeOf(call.read(clientAt(`${protocol}://db.example`)));
    expect(proxied[0]).toEqual(request);
  });

  test.each([
    ...[400, 403, 429, 502, 503, 504].map(
      (status) => [`answers ${status}`, refuse(status), "CDB3001"] as const,
    ),
    ["requires a login", refuse(407), "CDB3407"],
    ["answers nothing", close, "CDB3001"],
    ["closes the connection in the TLS handshake", closeInHandshake, "CDB3001"],
  ] as const)(
    "a creation is repeated after a proxy that %s: it was not sent",
    async (_, answer, code) => {
      process.env.HTTPS_PROXY = proxyUrl;
      connections = Array(4).fill(answer);
      const client = clientAt("https://db.example", { requestTimeoutSeconds: 1 });
      const outcome = await outcomeOf(call.create(client));
      expect(outcome).toMatchObject({ code, mayHaveSucceeded: false, request: { attempts: 4 } });
      expect(String(outcome)).toMatch(
        /could not connect to the server: (the proxy returned \d+|[A-Z]+) \(POST /,
      );
    },
  );

  test("a creation reaches the server through a proxy that connects", async () => {
    trustTestCertificate();
    process.env.HTTPS_PROXY = proxyUrl;
    const tls = { key: file("key.pem"), cert: file("other-host.pem") };
    const port = await serve(
      createTlsServer(tls, (_, response) => response.end(ok({ service: { id: ID } }))),
    );
    connections = [refuse(502), connectTo(port)];
    expect(await call.create(clientAt("https://other.example"))).toMatchObject({
      service: { id: ID },
    });
  });

  test("an invalid address of a proxy fails before anything is sent", async () => {
    process.env.HTTP_PROXY = "http://not a host";
    expect(await outcomeOf(call.read(clientAt("http://db.example")))).toMatchObject({
      code: "CDB3001",
      message: expect.stringContaining("could not connect to the server: ERR_INVALID_URL"),
      mayHaveSucceeded: false,
    });
  });

  test.each([
    ...plain.map((variable) => [variable, "http"]),
    ...secure.map((variable) => [variable, "https"]),
  ])("%s is not used for this machine over %s", async (variable, protocol) => {
    process.env[variable as string] = proxyUrl;
    let served = 0;
    const port = await listening((_, response) => {
      served += 1;
      response.end(ok({ id: ID }));
    });
    const read = (host: string) => outcomeOf(call.read(clientAt(`${protocol}://${host}:${port}`)));
    for (const host of ["127.0.0.1", "localhost"]) await read(host);
    expect(served).toBe(protocol === "http" ? 2 : 0);
    // The hosts need not listen, nor their names resolve.
    const hosts = [
      "127.1.2.3",
      "127.1",
      "LOCALHOST",
      "localhost.",
      "sim.localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
    ];
    for (const host of hosts) await read(host);
    expect(proxied).toEqual([]);
  });

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
