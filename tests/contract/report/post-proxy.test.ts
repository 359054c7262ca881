import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { listen } from "../../support/free-port";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { gitlabServer, TOKEN } from "./support/comment-servers";
import { answering, serving } from "./support/server";

/** `post` uses the proxies of its environment, as a runner behind a company's firewall needs. */

const certificates = join(__dirname, "../certificate");
const credentials = `Basic ${Buffer.from("ci:hush").toString("base64")}`;
const closing: (() => void)[] = [];
const file = join(temporaryFolder("post"), "report.md");
let server: ReturnType<typeof gitlabServer>;
/** The targets of the proxy, and all data that went through it. */
let proxied: string[];
let seen: string;
let proxy: string;

function listening(listener: Server): Promise<number> {
  closing.push(() => listener.close());
  return listen(listener);
}

beforeEach(async () => {
  [proxied, seen] = [[], ""];
  server = gitlabServer();
  const { url, close } = await serving((asked) => server.answer(asked));
  closing.push(close);
  writeFileSync(file, "<!-- clouddb-report shop%2Fdev -->\n\nthe report\n");
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
  closing.push(() => forwarder.closeAllConnections());
  proxy = `http://ci:hush@127.0.0.1:${await listening(forwarder)}`;
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function post(url: string, env: Readonly<Record<string, string>>) {
  return runCli({ args: ["post", "gitlab", file], env: { ...server.variables(url), ...env } });
}

test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY"])("%s is used", async (name) => {
  expect(await post("http://gitlab.example", { [name]: proxy })).toMatchObject({ status: 0, stderr: "" });
  expect(server.comments).toHaveLength(1);
  expect(proxied).toEqual(["GET", "GET", "POST"].map((method) => `${method} gitlab.example ${credentials}`));
});

test.each(["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])(
  "%s is used, and sees no more than the server's name",
  async (name) => {
    const [key, cert] = ["key.pem", "other-host.pem"].map((name) => readFileSync(join(certificates, name)));
    const secure = createHttpsServer(
      { key, cert },
      answering((asked) => server.answer(asked)),
    );
    closing.push(() => secure.closeAllConnections());
    // A name: Node 26 refuses the proxy for an address.
    const place = `other.example:${await listening(secure)}`;
    const env = { [name]: proxy, NODE_EXTRA_CA_CERTS: join(certificates, "certificate.pem") };
    expect(await post(`https://${place}`, env)).toMatchObject({ status: 0, stderr: "" });
    expect(server.comments).toHaveLength(1);
    expect(new Set(proxied)).toEqual(new Set([`CONNECT ${place} ${credentials}`]));
    expect(seen).not.toBe("");
    expect(seen).not.toContain(TOKEN);
  },
);

test.each(["NO_PROXY", "no_proxy"])("%s excepts a server", async (name) => {
  const { url, close } = await serving((asked) => server.answer(asked));
  closing.push(close);
  // Not an address of this machine alone, which needs no exception.
  const other = url.replace("127.0.0.1", "0.0.0.0");
  expect(await post(other, { HTTP_PROXY: proxy, [name]: "0.0.0.0" })).toMatchObject({ status: 0 });
  expect(proxied).toEqual([]);
  await post(other, { HTTP_PROXY: proxy });
  expect(proxied).not.toEqual([]);
});

test.each(["127.0.0.1", "localhost"])("a proxy is for other machines than %s", async (host) => {
  const { url, close } = await serving((asked) => server.answer(asked));
  closing.push(close);
  const env = { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
  expect(await post(url.replace("127.0.0.1", host), env)).toMatchObject({ status: 0 });
  expect(proxied).toEqual([]);
});

test("a proxy that refuses gets no token, and the failure is one line", async () => {
  let sent = "";
  const refusing = createServer((socket) => {
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        sent += chunk.toString();
        socket.write("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
      });
    closing.push(() => socket.destroy());
  });
  const address = `http://ci:hush@127.0.0.1:${await listening(refusing)}`;
  const { status, stdout, stderr } = await post("https://gitlab.example", { HTTPS_PROXY: address });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^clouddb-report: GET https:\/\/gitlab\.example\/user failed[^\n]*403[^\n]*\n$/);
  expect(sent).toMatch(/^CONNECT gitlab\.example:443 /);
  expect(sent).not.toContain(TOKEN);
});

test("a proxy that cannot be reached is a failure of one line", async () => {
  const { status, stdout, stderr } = await post("https://gitlab.example", {
    HTTPS_PROXY: "http://ci:hush@127.0.0.1:1",
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^clouddb-report: GET https:\/\/gitlab\.example\/user failed: [^\n]*ECONNREFUSED[^\n]*\n$/);
  expect(stderr).not.toContain("hush");
});

test.each([
  ["https://gitlab.example", "HTTPS_PROXY"],
  ["http://gitlab.example", "HTTP_PROXY"],
  ["", ""],
])("a silent proxy or server ends the command after a minute: %s %s", async (url, name) => {
  const silent = createServer((socket) => {
    closing.push(() => socket.destroy());
  });
  const address = `http://127.0.0.1:${await listening(silent)}`;
  const env = { [name]: address, NODE_OPTIONS: `--require ${join(__dirname, "support/short-timeouts.cjs")}` };
  const { status, stdout, stderr } = await post(url || address, env);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^clouddb-report: GET http\S+ failed: no complete response within 60 seconds\. [^\n]*\n$/);
});
