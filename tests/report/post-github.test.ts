import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postToGitHub } from "../../report/post/github";
import { type Answer, type Asked, serving } from "./support/server";

/** The script of report/action.yml as actions/github-script runs it, against a stand-in of GitHub's API. */

interface Entry {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly type: string };
  readonly html_url: string;
  title?: string;
  body: string;
}

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const LONGEST_BODY = 65_536;
let entries: Entry[] = [];
let asked: string[] = [];
let api: Awaited<ReturnType<typeof serving>>;
let folder = "";

beforeEach(async () => {
  [entries, asked] = [[], []];
  folder = mkdtempSync(join(tmpdir(), "clouddb-post-"));
  api = await serving(answer);
});
afterEach(() => {
  api.close();
  rmSync(folder, { recursive: true, force: true });
});

function entry(body: string, type = "Bot"): Entry {
  const id = 1000 + entries.length;
  const made = { id, number: id, user: { type }, html_url: `https://example.com/${id}`, body };
  entries.push(made);
  return made;
}

function answer({ method, path, query, headers, body: sent }: Asked): Answer {
  asked.push(`${method} ${path.replace("/repos/owner/name", "")}`);
  if (headers.authorization !== "token canary-token") return { status: 401, body: { message: "Bad credentials" } };
  const page = Number(query.get("page"));
  if (method === "GET") return { status: 200, body: entries.slice(100 * (page - 1), 100 * page) };
  const { body, title } = sent as { body: string; title?: string };
  if (body.length > LONGEST_BODY) return { status: 422, body: { message: "Body is too long" } };
  if (method === "POST") return { status: 201, body: Object.assign(entry(body), title && { title }) };
  const found = entries.find(({ id }) => path.endsWith(`/${id}`));
  return found ? { status: 200, body: Object.assign(found, { body }, title && { title }) } : { status: 404, body: {} };
}

/** The part of Octokit that the script uses: a route with its parameters in the path, the query or the body. */
function octokit(token: string) {
  return {
    async request(route: string, parameters: object) {
      const [method = "", template = ""] = route.split(" ");
      const rest = new Map(Object.entries(parameters));
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = String(rest.get(name));
        rest.delete(name);
        return encodeURIComponent(value);
      });
      const query =
        method === "GET"
          ? `?${new URLSearchParams([...rest].map(([name, value]): [string, string] => [name, String(value)]))}`
          : "";
      const body = method === "GET" ? {} : { body: JSON.stringify(Object.fromEntries(rest)) };
      const response = await fetch(api.url + path + query, {
        method,
        headers: { authorization: `token ${token}` },
        ...body,
      });
      const data = (await response.json()) as { message?: string };
      if (!response.ok) throw Object.assign(new Error(data.message), { status: response.status });
      return { data };
    },
  };
}

/** The action's script, and its environment variables. */
const action = readFileSync(join(__dirname, "../../report/action.yml"), "utf8");
const [, script = ""] = /script: \|\n([\s\S]*)$/.exec(action) ?? [];
const variables = [...action.matchAll(/^ {8}([A-Z_]+): /gm)].map(([, name]) => name);

async function post(report: string, inputs: Readonly<Record<string, string>> = {}, token = "canary-token") {
  const file = join(folder, "report.md");
  writeFileSync(file, report);
  const env = { ACTION: "/action", REPORT: file, PULL_REQUEST: "7", RUN_URL: "https://ci.example/1", ...inputs };
  expect(Object.keys(env).filter((name) => !variables.includes(name))).toEqual([]);
  const said: string[] = [];
  const core = { info: (message: string) => said.push(message) };
  const context = { repo: { owner: "owner", repo: "name" } };
  const load = (path: string) => {
    expect(path).toBe("/action/dist/post/github.js");
    return { postToGitHub };
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction("github", "context", "core", "process", "require", script);
  await run(octokit(token), context, core, { env }, load);
  return said;
}

test("a report becomes one comment with the same text", async () => {
  const report = `${MARKER}\n\n"quotes" \\ $HOME \`id\` ✏️\n`;
  expect(await post(report)).toEqual(["https://example.com/1000"]);
  expect(entries.map(({ body }) => body)).toEqual([report]);
  expect(asked).toEqual(["GET /issues/7/comments", "POST /issues/7/comments"]);
});

test("the comment is updated, also on the second page, and others' are left unchanged", async () => {
  entry(`${MARKER}\n\nof somebody else`, "User");
  for (let number = 0; number < 120; number += 1) entry("talk", "User");
  const ours = entry(`${MARKER}\r\n\r\nold`);
  entry(`<!-- clouddb-report shop%2Fprod -->\n\nanother stack`);
  await post(`${MARKER}\n\nnew\n`);
  expect(ours.body).toBe(`${MARKER}\n\nnew\n`);
  expect(entries).toHaveLength(123);
  expect(entries[0]?.body).toContain("of somebody else");
  expect(asked.at(-1)).toBe(`PATCH /issues/comments/${ours.id}`);
});

test("if the new report cannot be posted, the old one is marked as out of date and the job fails", async () => {
  const ours = entry(`${MARKER}\n\n✅ all is well`);
  await expect(post(`${MARKER}\n\n${"x".repeat(LONGEST_BODY)}`)).rejects.toThrow("Body is too long");
  expect(ours.body).toContain("**This report is out of date.**");
  expect(ours.body).toContain("https://ci.example/1");
  expect(ours.body.startsWith(`${MARKER}\n`)).toBe(true);
});

test("a failure fails the job, without the token", async () => {
  const failed = post(`${MARKER}\n`, {}, "canary-wrong");
  await expect(failed).rejects.toThrow("Bad credentials");
  await expect(failed).rejects.not.toThrow("canary");
});

test("a file that is not a report is not posted", async () => {
  await expect(post("hello")).rejects.toThrow("its first line has no clouddb-report marker");
  expect(asked).toEqual([]);
});

test("with skip-unchanged, a report without changes creates no comment but updates an earlier one", async () => {
  const unchanged = `${MARKER}\n**<code>shop</code> / <code>dev</code>**: no changes.\n`;
  await post(unchanged, { SKIP_UNCHANGED: "true" });
  expect(entries).toEqual([]);
  const ours = entry(`${MARKER}\n\nold`);
  await post(unchanged, { SKIP_UNCHANGED: "true" });
  expect(ours.body).toBe(unchanged);
  // Another stack of the same report may change.
  const another = `${unchanged}\n${MARKER.replace("dev", "production")}\n**<code>shop</code> / <code>production</code>: 1 to delete**\n`;
  await post(another, { SKIP_UNCHANGED: "true" });
  expect(ours.body).toBe(another);
  await post(`<!-- clouddb-report shop%2Fprod -->\n\n### news\n`, { SKIP_UNCHANGED: "true" });
  expect(entries).toHaveLength(2);
});

test("drift opens one issue and updates it", async () => {
  const inputs = { PULL_REQUEST: "", ISSUE_TITLE: "Drift in dev" };
  // GitHub lists pull requests among issues.
  Object.assign(entry(`${MARKER}\n\nof a bot's pull request`), { pull_request: {} });
  await post(`${MARKER}\n\none\n`, inputs);
  await post(`${MARKER}\n\ntwo\n`, inputs);
  expect(entries.slice(1)).toMatchObject([{ title: "Drift in dev", body: `${MARKER}\n\ntwo\n` }]);
  expect(entries[0]?.body).toContain("of a bot's pull request");
  await expect(post(`${MARKER}\n`, { PULL_REQUEST: "" })).rejects.toThrow("set either pull-request or issue-title");
});
