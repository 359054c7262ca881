import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { serve } from "../../support/local-server";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/preview";
import {
  answering,
  type CommentServer,
  gitlabServer,
  SERVERS,
  serving,
  TOKEN,
} from "./support/server";

/** `post` as users run it, in a process of its own, against servers that misbehave. */

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const folder = temporaryFolder("post");
const file = join(folder, "report.md");

beforeEach(() => {
  writeFileSync(file, `${MARKER}\n\nthe report\n`);
});

/** Starts an HTTP server that answers as `server` does; returns its address. */
const started = (server: CommentServer) => serving((asked) => server.answer(asked));

function post(server: CommentServer, url: string, env: Readonly<Record<string, string>> = {}) {
  return runCli({ args: ["post", server.name, file], env: { ...server.variables(url), ...env } });
}

/** A failure is one line without secrets; nothing is said to be posted. */
async function expectFailure(run: ReturnType<typeof post>, says: string | RegExp): Promise<void> {
  const { status, stdout, stderr } = await run;
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(says)]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not get any
  expect(stderr).toMatch(/^clouddb-report: [^\u0000-\u001f\u007f-\u009f]{1,600}\n$/);
  expect(stderr).not.toMatch(/canary|hush/);
}

test.each(Object.entries(SERVERS))(
  "%s: post prints the address of the comment, but no token",
  async (_, start) => {
    const server = start();
    const url = await started(server);
    const { status, stdout, stderr } = await post(server, url);
    expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(server.address), ""]);
    expect(server.comments).toEqual([{ author: server.self, body: `${MARKER}\n\nthe report\n` }]);
    const echo = `canary-token\u001b[31m\u0007\r\n${"x".repeat(290)} canary-token`;
    server.fault = () => ({ status: 400, body: echo });
    await expectFailure(post(server, url), /failed with 400: \[secret\]/);
  },
);

test("a report written by PowerShell is posted", async () => {
  writeFileSync(file, Buffer.from(`\ufeff${MARKER}\r\n`, "utf16le"));
  const server = gitlabServer();
  expect(await post(server, await started(server))).toMatchObject({ status: 0 });
  expect(server.comments).toMatchObject([{ body: `${MARKER}\r\n` }]);
});

test("a file without a report is named in one line", async () => {
  writeFileSync(file, "hello");
  const posted = () => post(gitlabServer(), "http://127.0.0.1:1");
  await expectFailure(posted(), "its first line has no clouddb-report marker");
  rmSync(file);
  await expectFailure(posted(), "no such file or directory");
  await expectFailure(
    runCli({ args: ["post", "gitlab", file] }),
    "missing environment variables: CI_API_V4_URL",
  );
});

/** `post` uses the proxies of its environment, as a runner behind a company's firewall needs. */
describe("proxies", () => {
  const certificates = join(__dirname, "../certificate");
  const credentials = `Basic ${Buffer.from("ci:hu@sh").toString("base64")}`;
  let server: CommentServer;
  let url: string;
  /** The targets of the proxy, and all data that went through it. */
  let proxied: string[];
  let seen: string;
  let proxy: string;

  beforeEach(async () => {
    [proxied, seen] = [[], ""];
    server = gitlabServer();
    url = await started(server);
    const forwarder = createHttpServer((incoming, outgoing) => {
      const { host, pathname, search } = new URL(incoming.url ?? "");
      const { "proxy-authorization": authorization = "", ...headers } = incoming.headers;
      proxied.push(`${incoming.method} ${host} ${authorization}`);
      const options = { method: `${incoming.method}`, headers, path: pathname + search };
      const forwarded = request(url, options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    });
    forwarder.on("connect", ({ url: target = "", headers }, socket) => {
      proxied.push(`CONNECT ${target} ${headers["proxy-authorization"] ?? ""}`);
      const tunnel = connect(Number(target.split(":")[1]), "127.0.0.1", () =>
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n"),
      );
      for (const end of [tunnel, socket]) end.on("error", () => {});
      socket.on("data", (chunk: Buffer) => {
        seen += chunk.toString("latin1");
      });
      socket.pipe(tunnel).pipe(socket);
    });
    proxy = `http://ci:hu%40sh@127.0.0.1:${await serve(forwarder)}`;
  });

  test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY"])(
    "a request uses the proxy in %s",
    async (name) => {
      expect(await post(server, "http://gitlab.example", { [name]: proxy })).toMatchObject({
        status: 0,
        stderr: "",
      });
      expect(server.comments).toHaveLength(1);
      expect(proxied).toEqual(
        ["GET", "GET", "POST"].map((method) => `${method} gitlab.example ${credentials}`),
      );
    },
  );

  const ofHttps = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
  test.each(ofHttps)("the proxy in %s sees only the name of an HTTPS server", async (name) => {
    const [key, cert] = ["key.pem", "other-host.pem"].map((name) =>
      readFileSync(join(certificates, name)),
    );
    const answer = answering((asked) => server.answer(asked));
    const secure = createHttpsServer({ key, cert }, answer);
    // The server has a name, because Node 26 refuses the proxy for an address.
    const place = `other.example:${await serve(secure)}`;
    const env = { [name]: proxy, NODE_EXTRA_CA_CERTS: join(certificates, "certificate.pem") };
    expect(await post(server, `https://${place}`, env)).toMatchObject({ status: 0, stderr: "" });
    expect(server.comments).toHaveLength(1);
    expect(new Set(proxied)).toEqual(new Set([`CONNECT ${place} ${credentials}`]));
    expect(seen).not.toBe("");
    expect(seen).not.toContain(TOKEN);
  });

  test("requests to an HTTPS server share a connection", async () => {
    const [key, cert] = ["key.pem", "certificate.pem"].map((name) =>
      readFileSync(join(certificates, name)),
    );
    let connections = 0;
    const secure = createHttpsServer(
      { key, cert },
      answering((asked) => server.answer(asked)),
    ).on("secureConnection", () => {
      connections += 1;
    });
    const env = { NODE_EXTRA_CA_CERTS: join(certificates, "certificate.pem") };
    expect(await post(server, `https://localhost:${await serve(secure)}`, env)).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(server.comments).toHaveLength(1);
    expect(connections).toBe(1);
  });

  // Other machines can reach 0.0.0.0, so it needs the exception; this machine has other names.
  test.each<[string, Record<string, string>]>([
    ["0.0.0.0", { NO_PROXY: "0.0.0.0" }],
    ["0.0.0.0", { no_proxy: "0.0.0.0" }],
    ["127.0.0.1", { http_proxy: "PROXY", ALL_PROXY: "PROXY" }],
    ["localhost", { http_proxy: "PROXY", ALL_PROXY: "PROXY" }],
  ])("a request to %s uses no proxy with %j", async (host, env) => {
    const variables = Object.entries({ HTTP_PROXY: proxy, ...env }).map(([name, value]) => [
      name,
      value.replace("PROXY", proxy),
    ]);
    const posted = post(server, url.replace("127.0.0.1", host), Object.fromEntries(variables));
    expect(await posted).toMatchObject({ status: 0 });
    expect(proxied).toEqual([]);
  });

  test("a proxy that refuses CONNECT never sees the token", async () => {
    let sent = "";
    const refusing = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        sent += chunk.toString();
        socket.write("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
      });
    });
    const env = { HTTPS_PROXY: `http://ci:hush@127.0.0.1:${await serve(refusing)}` };
    await expectFailure(
      post(server, "https://gitlab.example", env),
      /GET https:\/\/gitlab\.example\/user failed.*403/,
    );
    expect(sent).toMatch(/^CONNECT gitlab\.example:443 /);
    expect(sent).not.toContain(TOKEN);
  });

  test.each([
    ["hangs up", "http://ci:hush@", /: socket hang up\. Check .* proxy variables\.\n$/],
    [
      "speaks SOCKS",
      "socks5://ci:hush@",
      /HTTPS_PROXY names socks5:\/\/127\.0\.0\.1:\d+: only HTTP proxies/,
    ],
  ])("a proxy that %s at CONNECT fails the command", async (_, start, says) => {
    const closed = createServer((socket) => {
      socket.on("error", () => {}).once("data", () => socket.end());
    });
    const env = { HTTPS_PROXY: `${start}127.0.0.1:${await serve(closed)}` };
    await expectFailure(post(server, "https://gitlab.example", env), says);
  });

  test("a proxy without a scheme counts as an HTTP proxy", async () => {
    const refusing = createHttpServer();
    refusing.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const env = { HTTPS_PROXY: `127.0.0.1:${await serve(refusing)}` };
    await expectFailure(post(server, "https://gitlab.example", env), /failed.*403/);
  });

  test("an unreachable proxy is named with the request", async () => {
    const posted = post(server, "https://gitlab.example", {
      HTTPS_PROXY: "http://ci:hush@127.0.0.1:1",
    });
    await expectFailure(posted, /GET https:\/\/gitlab\.example\/user failed: .*ECONNREFUSED/);
  });

  test.each([
    ["https://gitlab.example", "HTTPS_PROXY"],
    ["http://gitlab.example", "HTTP_PROXY"],
    ["", ""],
  ])("a silent proxy or server ends the command after a minute: %s %s", async (target, name) => {
    const silent = createServer();
    const address = `http://127.0.0.1:${await serve(silent)}`;
    // A minute passes in half a second.
    const shorten = join(folder, "shorten.cjs");
    writeFileSync(
      shorten,
      "const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout(ms / 120);",
    );
    const env = { [name]: address, NODE_OPTIONS: `--require ${shorten}` };
    const says = /GET http\S+ failed: no complete response within 60 seconds\. /;
    await expectFailure(post(server, target || address, env), says);
  });
});
