import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { listen } from "../../support/free-port";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { azureServer, type CommentServer, githubServer, gitlabServer, TOKEN } from "./support/comment-servers";
import { answering, serving } from "./support/server";

/** `post` as users run it, in a process of its own, against servers that misbehave. */

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const closing: (() => void)[] = [];
const file = join(temporaryFolder("post"), "report.md");

beforeEach(() => {
  writeFileSync(file, `${MARKER}\n\nthe report\n`);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts an HTTP server that answers as `server` does; returns its address. */
async function started(server: CommentServer): Promise<string> {
  const { url, close } = await serving((asked) => server.answer(asked));
  closing.push(close);
  return url;
}

function post(server: CommentServer, url: string, env: Readonly<Record<string, string>> = {}) {
  return runCli({ args: ["post", server.name, file], env: { ...server.variables(url), ...env } });
}

/** A failure is one line without the token; nothing is said to be posted. */
async function expectFailure(run: ReturnType<typeof post>, says: string | RegExp): Promise<void> {
  const { status, stdout, stderr } = await run;
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(says)]);
  expect(stderr).toMatch(/^clouddb-report: [^\n]+\n$/);
  expect(stderr).not.toContain("canary");
}

describe.each(Object.entries({ githubServer, gitlabServer, azureServer }))("%s", (_, start) => {
  test("three runs make one comment", async () => {
    const server = start();
    const url = await started(server);
    for (const text of ["one", "two", "three"]) {
      writeFileSync(file, `${MARKER}\n\n${text}\n`);
      const { status, stdout, stderr } = await post(server, url);
      expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(server.address), ""]);
    }
    expect(server.comments).toEqual([{ author: server.self, body: `${MARKER}\n\nthree\n` }]);
  });

  test("a token that a server echoes is hidden, in a failure of one line", async () => {
    const server = start();
    const url = await started(server);
    const text = `canary-token\u001b[31m\u0007\r\n${"x".repeat(290)} canary-token`;
    server.fault = () => ({ status: 400, body: text });
    const { stderr } = await post(server, url);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not get any
    expect(stderr).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+\n$/);
    await expectFailure(post(server, url), /failed with 400: \[secret\]/);
    expect(stderr.length).toBeLessThan(600);
  });
});

test("a file that is not a report, and variables that are missing, are named in one line", async () => {
  const server = gitlabServer();
  writeFileSync(file, "hello");
  await expectFailure(post(server, "http://127.0.0.1:1"), "its first line has no clouddb-report marker");
  await expectFailure(runCli({ args: ["post", "gitlab", file] }), "missing environment variables: CI_API_V4_URL");
  await expectFailure(post(server, "http://127.0.0.1:1", { CI_MERGE_REQUEST_IID: "" }), "CI_MERGE_REQUEST_IID");
  rmSync(file);
  await expectFailure(post(server, "http://127.0.0.1:1"), "no such file or directory");
});

/** `post` uses the proxies of its environment, as a runner behind a company's firewall needs. */
describe("proxies", () => {
  const certificates = join(__dirname, "../certificate");
  const credentials = `Basic ${Buffer.from("ci:hush").toString("base64")}`;
  let server: CommentServer;
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
    const url = await started(server);
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
  test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY"])("the proxy in %s is used", async (name) => {
    expect(await post(server, "http://gitlab.example", { [name]: proxy })).toMatchObject({ status: 0, stderr: "" });
    expect(server.comments).toHaveLength(1);
    expect(proxied).toEqual(["GET", "GET", "POST"].map((method) => `${method} gitlab.example ${credentials}`));
  });

  test.each(["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])(
    "the proxy in %s is used for HTTPS, and sees no more than the server's name",
    async (name) => {
      const [key, cert] = ["key.pem", "other-host.pem"].map((name) => readFileSync(join(certificates, name)));
      const secure = createHttpsServer(
        { key, cert },
        answering((asked) => server.answer(asked)),
      );
      closing.push(() => secure.closeAllConnections());
      // The server has a name, because Node 26 refuses the proxy for an address.
      const place = `other.example:${await listening(secure)}`;
      const env = { [name]: proxy, NODE_EXTRA_CA_CERTS: join(certificates, "certificate.pem") };
      expect(await post(server, `https://${place}`, env)).toMatchObject({ status: 0, stderr: "" });
      expect(server.comments).toHaveLength(1);
      expect(new Set(proxied)).toEqual(new Set([`CONNECT ${place} ${credentials}`]));
      expect(seen).not.toBe("");
      expect(seen).not.toContain(TOKEN);
    },
  );

  test.each(["NO_PROXY", "no_proxy"])("%s excepts a server from the proxy", async (name) => {
    const url = await started(server);
    // Other machines can reach this address, so it needs the exception.
    const other = url.replace("127.0.0.1", "0.0.0.0");
    expect(await post(server, other, { HTTP_PROXY: proxy, [name]: "0.0.0.0" })).toMatchObject({ status: 0 });
    expect(proxied).toEqual([]);
    await post(server, other, { HTTP_PROXY: proxy });
    expect(proxied).not.toEqual([]);
  });

  test.each(["127.0.0.1", "localhost"])("a proxy is for other machines than %s", async (host) => {
    const url = await started(server);
    const env = { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
    expect(await post(server, url.replace("127.0.0.1", host), env)).toMatchObject({ status: 0 });
    expect(proxied).toEqual([]);
  });

  test("a proxy that refuses CONNECT never sees the token, and the failure is one line", async () => {
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
    const { status, stdout, stderr } = await post(server, "https://gitlab.example", { HTTPS_PROXY: address });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^clouddb-report: GET https:\/\/gitlab\.example\/user failed[^\n]*403[^\n]*\n$/);
    expect(sent).toMatch(/^CONNECT gitlab\.example:443 /);
    expect(sent).not.toContain(TOKEN);
  });

  test("a proxy that cannot be reached is a failure of one line", async () => {
    const { status, stdout, stderr } = await post(server, "https://gitlab.example", {
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
    const { status, stdout, stderr } = await post(server, url || address, env);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^clouddb-report: GET http\S+ failed: no complete response within 60 seconds\. [^\n]*\n$/);
  });
});
