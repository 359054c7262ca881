import dns from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { basic, isLoopback } from "pulumi-clouddb-facts";
import { certificateFile, serve, trustTestCertificate } from "../../tests/support/local-server";
import { call, clientAt, ID, ok } from "../../tests/support/scripted-client";

/**
 * The connections: which requests share one, and which go through the proxies of the environment.
 */

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
  "reads share a connection and creations do not, even if the server closes idle ones: %s",
  async (closes) => {
    const sockets = new Set<Socket>();
    const received: string[] = [];
    const port = await listening(({ method = "", socket }, response) => {
      // As if the server closed the idle connection at the moment at which the client uses it
      // again.
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

describe("failed connections", () => {
  const UNSENT = { code: "CDB3001", mayHaveSucceeded: false, request: { attempts: 4 } };

  test("a creation is retried after its connection timed out", async () => {
    const silent = (() => {}) as unknown as typeof dns.lookup;
    jest.spyOn(dns, "lookup").mockImplementation(silent);
    jest.replaceProperty(process, "env", { ...process.env, no_proxy: "*" });
    const creation = call.create(clientAt("http://db.example", { requestTimeoutSeconds: 0.1 }));
    await expect(creation).rejects.toMatchObject(UNSENT);
    await expect(creation).rejects.toThrow("could not connect to the server: ETIMEDOUT (POST ");
  });

  test.each([
    ["the server closed the connection", (socket: Socket) => socket.end()],
    ["the server reset the connection", (socket: Socket) => socket.resetAndDestroy()],
  ])("a creation is retried if %s in the TLS handshake", async (_, hangUp) => {
    const port = await serve(
      createTcpServer((socket) => socket.once("data", () => hangUp(socket))),
    );
    const creation = call.create(clientAt(`https://127.0.0.1:${port}`));
    await expect(creation).rejects.toMatchObject(UNSENT);
    await expect(creation).rejects.toThrow(
      "could not connect to the server: ECONNRESET in the TLS handshake (POST ",
    );
  });
});

describe("proxies from environment variables", () => {
  const plain = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const secure = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
  const environment = { ...process.env };
  let proxied: string[];
  let logins: string[];
  let proxyUrl: string;
  /** The proxy's reactions to the next connections; it refuses later ones. */
  let connections: ((client: Socket) => unknown)[];

  const refuse = (status: number) => (client: Socket) =>
    client.end(`HTTP/1.1 ${status} No\r\n\r\nno route`);
  const inHandshake = (hangUp: (client: Socket) => unknown) => (client: Socket) => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.once("data", () => hangUp(client));
  };
  const connectTo = (port: number) => (client: Socket) => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.pipe(connect(port, "127.0.0.1")).pipe(client);
  };

  beforeEach(async () => {
    proxied = [];
    logins = [];
    connections = [];
    for (const name of [...plain, ...secure, "NO_PROXY", "no_proxy"]) delete process.env[name];
    const proxy = createServer(({ url = "", headers }, response) => {
      proxied.push(`${url} with ${headers.authorization}`);
      logins.push(headers["proxy-authorization"] ?? "");
      response.end(ok({ id: ID }));
    }).on("connect", ({ url, headers }, client: Socket) => {
      proxied.push(`CONNECT ${url}`);
      logins.push(headers["proxy-authorization"] ?? "");
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
  ])("the proxy in %s is used for another machine over %s", async (variable, protocol, request) => {
    process.env[variable] = proxyUrl;
    await outcomeOf(call.read(clientAt(`${protocol}://db.example`)));
    expect(proxied[0]).toEqual(request);
  });

  test("the login of a proxy is decoded for requests over http", async () => {
    process.env.HTTP_PROXY = proxyUrl.replace("//", "//a%40b:c%d+e@");
    await call.read(clientAt("http://db.example"));
    expect(logins).toEqual([basic("a@b", "c%d+e")]);
  });

  test.each([
    ...[400, 403, 407, 429, 502, 503, 504].map(
      (status) => [`answers ${status}`, refuse(status), `the proxy returned ${status}`] as const,
    ),
    ["closes the connection", (client) => client.end(), "ECONNRESET"],
    ["resets the connection", (client) => client.resetAndDestroy(), "ECONNRESET"],
    ["speaks another protocol", (client) => client.end("\x05\xff"), "HPE_INVALID_CONSTANT"],
    [
      "closes the connection in the TLS handshake",
      inHandshake((client) => client.end()),
      "ECONNRESET in the TLS handshake",
    ],
    [
      "resets the connection in the TLS handshake",
      inHandshake((client) => client.resetAndDestroy()),
      "ECONNRESET in the TLS handshake",
    ],
  ] as [string, answer: (client: Socket) => unknown, reason: string][])(
    "a creation is retried after a proxy that %s, since it was not sent",
    async (_, answer, reason) => {
      process.env.HTTPS_PROXY = proxyUrl.replace("//", "//me:s3cret@");
      connections = Array(4).fill(answer);
      const outcome = await outcomeOf(call.create(clientAt("https://db.example")));
      const code = reason.endsWith("407") ? "CDB3407" : "CDB3001";
      const request = { attempts: 4, proxyVariable: "HTTPS_PROXY" };
      expect(outcome).toMatchObject({ code, mayHaveSucceeded: false, request });
      expect(String(outcome)).toContain(
        `could not connect to the server through the proxy ${proxyUrl} (HTTPS_PROXY): ${reason} (POST `,
      );
    },
  );

  test("a timeout closes the connection to a proxy that does not answer", async () => {
    process.env.HTTPS_PROXY = proxyUrl;
    let ended: Promise<unknown> | undefined;
    connections = [
      (client) => {
        ended = once(client.resume(), "end");
      },
    ];
    const client = clientAt("https://db.example", { requestTimeoutSeconds: 0.2 });
    await outcomeOf(call.create(client));
    await ended;
    expect(proxied).toHaveLength(4);
  });

  test.each(["http", "https"])(
    "an error about an unreachable proxy names the proxy, over %s",
    async (protocol) => {
      process.env.ALL_PROXY = "http://127.0.0.1:1";
      const creation = call.create(clientAt(`${protocol}://db.example`));
      await expect(creation).rejects.toMatchObject({ code: "CDB3001", mayHaveSucceeded: false });
      await expect(creation).rejects.toThrow(
        "through the proxy http://127.0.0.1:1 (ALL_PROXY): ECONNREFUSED 127.0.0.1:1 (POST ",
      );
    },
  );

  test("a creation may have succeeded if a proxy closes the connection after a request over http", async () => {
    const server = createTcpServer((socket) => socket.once("data", () => socket.end()));
    process.env.http_proxy = `http://127.0.0.1:${await serve(server)}`;
    const creation = call.create(clientAt("http://db.example"));
    await expect(creation).rejects.toMatchObject({ code: "CDB3003", mayHaveSucceeded: true });
    await expect(creation).rejects.toThrow(
      `the connection through the proxy ${process.env.http_proxy} (http_proxy) was lost: ECONNRESET (POST `,
    );
  });

  describe("creations through a proxy", () => {
    const tls = (cert: string) => ({
      key: certificateFile("key.pem"),
      cert: certificateFile(cert),
    });
    let port: number;
    beforeEach(async () => {
      trustTestCertificate();
      const answer: RequestListener = (_, response) => response.end(ok({ service: { id: ID } }));
      port = await serve(createTlsServer(tls("other-host.pem"), answer));
    });
    const create = () => call.create(clientAt("https://other.example"));

    test.each([
      ["HTTPS_PROXY", "http://", ""],
      ["HTTPS_PROXY", "http://", "a%40b:c%d+e@"],
      ["HTTPS_PROXY", "", ""],
      ["ALL_PROXY", "", ""],
    ])(
      "a creation succeeds through a proxy that accepts CONNECT at the second attempt: %s=%s%shost:port",
      async (variable, scheme, login) => {
        process.env[variable] = proxyUrl.replace("http://", scheme + login);
        connections = [refuse(502), connectTo(port)];
        expect(await create()).toMatchObject({ service: { id: ID } });
        expect(proxied).toEqual(Array(2).fill("CONNECT other.example:443"));
        expect(logins.at(-1)).toBe(login && basic("a@b", "c%d+e"));
      },
    );

    test("a creation succeeds through a proxy that is reached with TLS", async () => {
      const proxy = createTlsServer(tls("certificate.pem")).on("connect", (_, client: Socket) =>
        connectTo(port)(client),
      );
      process.env.HTTPS_PROXY = `https://127.0.0.1:${await serve(proxy)}`;
      expect(await create()).toMatchObject({ service: { id: ID } });
    });
  });

  test.each([
    ["HTTP_PROXY", "http://not a host", "is not a URL"],
    ["HTTPS_PROXY", "not a host", "is not a URL"],
    ["HTTPS_PROXY", "socks5://me:s3cret@proxy:1080", "names socks5://proxy:1080"],
    ["all_proxy", "socks5h://proxy:1080", "names socks5h://proxy:1080"],
  ])("an unsupported proxy fails at once: %s=%s", async (variable, value, problem) => {
    process.env[variable] = value;
    for (const protocol of variable === "all_proxy"
      ? ["http", "https"]
      : [variable.split("_")[0]?.toLowerCase()]) {
      const client = clientAt(`${protocol}://db.example`);
      expect(await outcomeOf(call.read(client))).toMatchObject({
        code: "CDB3016",
        message: expect.stringContaining(
          `${variable} ${problem}: only HTTP proxies, such as http://host:port, are supported (GET `,
        ),
        mayHaveSucceeded: false,
        request: { attempts: 1 },
      });
    }
  });

  test.each([
    ...plain.map((variable) => [variable, "http"]),
    ...secure.map((variable) => [variable, "https"]),
  ])("the proxy in %s is not used for this machine over %s", async (variable, protocol) => {
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
  ])("%s is the address of another machine", (url) => {
    expect(isLoopback(url)).toBe(false);
  });
});
