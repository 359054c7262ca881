import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The posting scripts of examples/ci against a stand-in of GitHub's API: comments and issues, in pages of a hundred. */

interface Entry {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly type: string };
  readonly html_url: string;
  title?: string;
  body: string;
}

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const scripts = join(__dirname, "../../examples/ci/github");
let server: Server;
let folder = "";
let entries: Entry[] = [];
let asked: string[] = [];
/** How many requests are refused by a rate limit first. */
let refused = 0;
/** How many are answered by a server that has failed. */
let failing = 0;

beforeEach(async () => {
  [entries, asked, refused, failing] = [[], [], 0, 0];
  folder = mkdtempSync(join(tmpdir(), "clouddb-comment-"));
  server = createServer((request, response) => {
    void answer(request).then(({ status, body, headers = {} }) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function entry(body: string, type = "Bot"): Entry {
  const id = 1000 + entries.length;
  const made = { id, number: id, user: { type }, html_url: `https://example.com/${id}`, body };
  entries.push(made);
  return made;
}

async function answer(request: IncomingMessage) {
  let text = "";
  for await (const chunk of request) text += chunk;
  const url = new URL(request.url ?? "", "http://localhost");
  const place = url.pathname.replace("/repos/owner/name", "");
  asked.push(`${request.method} ${place}`);
  if (request.headers.authorization !== "Bearer canary-token")
    return { status: 401, body: { message: "Bad credentials" } };
  if (failing > 0) {
    failing -= 1;
    return { status: 502, body: {} };
  }
  if (refused > 0) {
    refused -= 1;
    return { status: 403, body: { message: "slow down" }, headers: { "Retry-After": "0" } };
  }
  const page = Number(url.searchParams.get("page"));
  if (request.method === "GET") return { status: 200, body: entries.slice(100 * (page - 1), 100 * page) };
  const { body, title } = JSON.parse(text) as { body: string; title?: string };
  if (request.method === "POST") return { status: 201, body: Object.assign(entry(body), title && { title }) };
  const found = entries.find(({ id }) => place.endsWith(`/${id}`));
  return found ? { status: 200, body: Object.assign(found, { body }, title && { title }) } : { status: 404, body: {} };
}

function script(name: string, report: string, args: string[] = [], token = "canary-token") {
  const file = join(folder, "report.md");
  writeFileSync(file, report);
  const child = spawn(join(scripts, name), [file, ...args], {
    env: {
      PATH: process.env.PATH,
      GITHUB_TOKEN: token,
      GITHUB_REPOSITORY: "owner/name",
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PULL_REQUEST: "7",
      RETRY_SECONDS: "0",
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}

test("a report becomes one comment, with its text as it is", async () => {
  const report = `${MARKER}\n\n"quotes" \\ $HOME \`id\` ✏️\n`;
  expect(await script("comment.sh", report)).toEqual({ code: 0, output: "https://example.com/1000\n" });
  expect(entries.map(({ body }) => body)).toEqual([report]);
  expect(asked).toEqual(["GET /issues/7/comments", "POST /issues/7/comments"]);
});

test("the comment is kept up to date, also on the second page, and others' are left alone", async () => {
  entry(`${MARKER}\n\nof somebody else`, "User");
  for (let number = 0; number < 120; number += 1) entry("talk", "User");
  const ours = entry(`${MARKER}\n\nold`);
  entry(`<!-- clouddb-report shop%2Fprod -->\n\nanother stack`);
  const { code } = await script("comment.sh", `${MARKER}\n\nnew\n`);
  expect([code, ours.body]).toEqual([0, `${MARKER}\n\nnew\n`]);
  expect(entries).toHaveLength(123);
  expect(entries[0]?.body).toContain("of somebody else");
  expect(asked.at(-1)).toBe(`PATCH /issues/comments/${ours.id}`);
});

test("a rate limit is waited for", async () => {
  refused = 2;
  expect(await script("comment.sh", `${MARKER}\n`)).toMatchObject({ code: 0 });
  expect(entries).toHaveLength(1);
});

test("a server that fails is asked again; what cannot be looked up is not written a second time", async () => {
  const ours = entry(`${MARKER}\n\nold`);
  failing = 2;
  expect(await script("comment.sh", `${MARKER}\n\nnew\n`)).toMatchObject({ code: 0 });
  expect([entries.length, ours.body]).toEqual([1, `${MARKER}\n\nnew\n`]);
  failing = 100;
  const { code } = await script("comment.sh", `${MARKER}\n\nnewer\n`);
  expect(code).not.toBe(0);
  expect(asked.filter((each) => each.startsWith("POST"))).toEqual([]);
});

test("a failure is said, without the token", async () => {
  const { code, output } = await script("comment.sh", `${MARKER}\n`, [], "canary-wrong");
  expect(code).not.toBe(0);
  expect(output).toMatch(/answered 401: Bad credentials/);
  expect(output).not.toContain("canary");
});

test("drift opens one issue, and brings it up to date", async () => {
  await script("issue.sh", `${MARKER}\n\none\n`, ["Drift in dev"]);
  await script("issue.sh", `${MARKER}\n\ntwo\n`, ["Drift in dev"]);
  expect(entries).toMatchObject([{ title: "Drift in dev", body: `${MARKER}\n\ntwo\n` }]);
});
