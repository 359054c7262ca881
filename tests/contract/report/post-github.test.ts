import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { postToGitHub } from "../../../report/post/github";
import { UPDATE_ONLY } from "../../../report/post/post";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { type Answer, type Asked, serving } from "./support/server";

/** The script of report/action.yml as actions/github-script runs it, against a stand-in of GitHub's API. */

interface Entry {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly login: string };
  readonly html_url: string;
  state: string;
  title?: string;
  body: string;
}

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
/** The tokens, and their accounts. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  "canary-token": "github-actions[bot]",
  "canary-personal": "ann",
};
const LONGEST_BODY = 65_536;
let entries: Entry[] = [];
/** The comments on issues. */
let talk: { readonly issue: number; readonly body: string }[] = [];
let asked: string[] = [];
let api: Awaited<ReturnType<typeof serving>>;
const file = join(temporaryFolder("post"), "report.md");
let faults: (method: string, path: string) => Answer | undefined;

beforeEach(async () => {
  [entries, talk, asked, faults] = [[], [], [], () => undefined];
  api = await serving(answer);
});
afterEach(() => api.close());

function entry(body: string, login = "github-actions[bot]"): Entry {
  const id = 1000 + entries.length;
  const made = { id, number: id, state: "open", user: { login }, html_url: `https://example.com/${id}`, body };
  entries.push(made);
  return made;
}

function answer({ method, path, query, headers, body: sent }: Asked): Answer {
  asked.push(`${method} ${path.replace("/repos/owner/name", "")}`);
  const login = ACCOUNTS[headers.authorization?.replace("token ", "") ?? ""];
  if (login === undefined) return { status: 401, body: { message: "Bad credentials" } };
  const fault = faults(method, path);
  if (fault) return fault;
  if (path === "/graphql") {
    expect(sent).toEqual({ query: "query { viewer { login } }" });
    return { status: 200, body: { data: { viewer: { login } } } };
  }
  const page = Number(query.get("page"));
  const listed = entries.filter(
    ({ state, user }) =>
      (!query.has("state") || state === query.get("state")) &&
      (!query.has("creator") || user.login === query.get("creator")),
  );
  if (method === "GET") return { status: 200, body: listed.slice(100 * (page - 1), 100 * page) };
  const { body, ...rest } = sent as { body: string; title?: string; state?: string };
  const [, issue] = /\/issues\/(\d{4})\/comments$/.exec(path) ?? [];
  if (issue !== undefined) {
    talk.push({ issue: Number(issue), body });
    return { status: 201, body: { id: 1, html_url: "https://example.com/comment" } };
  }
  if (body && body.length > LONGEST_BODY) return { status: 422, body: { message: "Body is too long" } };
  if (method === "POST") return { status: 201, body: Object.assign(entry(body, login), rest) };
  const current = entries.find(({ id }) => path.endsWith(`/${id}`));
  return current ? { status: 200, body: Object.assign(current, body && { body }, rest) } : { status: 404, body: {} };
}

/** As Octokit does, this follows redirects. */
async function send(token: string, method: string, path: string, body: { body?: string }): Promise<unknown> {
  const response = await fetch(api.url + path, { method, headers: { authorization: `token ${token}` }, ...body });
  const text = await response.text();
  // As Octokit does, this takes a page for a text.
  const data = text.startsWith("<") ? text : (JSON.parse(text) as { message?: string } | null);
  if (response.ok) return data;
  throw Object.assign(new Error((data as { message?: string }).message), { status: response.status });
}

interface Parameters {
  readonly request?: { readonly retries?: number };
}

/** The part of Octokit that the script uses: a route with its parameters in the path, the query or the body; retries. */
function octokit(token: string) {
  return {
    async request(route: string, { request: { retries = 4 } = {}, ...parameters }: Parameters) {
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
      for (let left = retries; ; left -= 1) {
        try {
          return { data: await send(token, method, path + query, body) };
        } catch (error) {
          if (left === 0 || (error as { status: number }).status < 500) throw error;
        }
      }
    },
    graphql: async (text: string) => {
      const sent = { body: JSON.stringify({ query: text }) };
      return ((await send(token, "POST", "/graphql", sent)) as { data?: unknown } | null)?.data;
    },
  };
}

/** The action's script, and its environment variables. */
const action = readFileSync(join(root, "report/action.yml"), "utf8");
const [, script = ""] = /script: \|\n([\s\S]*)$/.exec(action) ?? [];
const variables = [...action.matchAll(/^ {8}([A-Z_]+): /gm)].map(([, name]) => name);

async function post(report: string, inputs: Readonly<Record<string, string>> = {}, token = "canary-token") {
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
  expect(asked).toEqual(["POST /graphql", "GET /issues/7/comments", "POST /issues/7/comments"]);
});

test("the comment is updated, also on the second page, and others' are left unchanged", async () => {
  entry(`${MARKER}\n\nof somebody else`, "ann");
  entry(`${MARKER}\n\nof another bot`, "renovate[bot]");
  for (let number = 0; number < 119; number += 1) entry("talk", "bob");
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

test("a personal access token keeps one comment, and one issue, too", async () => {
  for (const inputs of [{}, { PULL_REQUEST: "", ISSUE_TITLE: "Drift in dev" }]) {
    entries = [entry(`${MARKER}\n\nof the bot`)];
    for (const text of ["one", "two", "three"]) await post(`${MARKER}\n\n${text}\n`, inputs, "canary-personal");
    expect(entries.map(({ user, body }) => [user.login, body])).toEqual([
      ["github-actions[bot]", `${MARKER}\n\nof the bot`],
      ["ann", `${MARKER}\n\nthree\n`],
    ]);
  }
});

test.each([null, {}, { login: "" }, { login: 7 }])(
  "a token whose account is not known, %j, posts nothing: each run would make a comment",
  async (viewer) => {
    faults = (_, path) => (path === "/graphql" ? { status: 200, body: { data: { viewer } } } : undefined);
    await expect(post(`${MARKER}\n`)).rejects.toThrow("GitHub's response lacks the token's account");
    expect(entries).toEqual([]);
  },
);

test.each<[string, unknown]>([
  ["a sign-in page", "<html>Sign in</html>".repeat(20)],
  ["an object", {}],
  ["null", null],
])("%s in place of the account or of its comments posts nothing", async (_, body) => {
  faults = (method) => (method === "GET" ? { status: 200, body } : undefined);
  await expect(post(`${MARKER}\n`)).rejects.toThrow("GitHub's response lacks a list");
  faults = (_method, path) => (path === "/graphql" ? { status: 200, body } : undefined);
  await expect(post(`${MARKER}\n`)).rejects.toThrow("GitHub's response lacks the token's account");
  expect([entries, asked.length]).toEqual([[], 3]);
});

test.each([{ html_url: "https://example.com/1" }, { id: 1 }, { id: 1, html_url: null }])(
  "a response to a new comment that has not both id and address fails the job: %j",
  async (body) => {
    faults = (method, path) => (method === "POST" && path !== "/graphql" ? { status: 201, body } : undefined);
    await expect(post(`${MARKER}\n`)).rejects.toThrow("GitHub's response lacks an id");
  },
);

test.each([301, 302, 307, 308])("a redirect with %s that loses a comment fails the job", async (status) => {
  // fetch turns some of them into a GET, which returns a list.
  faults = (method, path) =>
    method === "POST" && path.endsWith("/7/comments")
      ? { status, body: {}, headers: { location: `${api.url}/repositories/1/issues/comments?page=1` } }
      : undefined;
  const posted = post(`${MARKER}\n`);
  await (status < 303 ? expect(posted).rejects.toThrow("GitHub's response lacks an id") : posted);
  expect(entries).toHaveLength(status < 303 ? 0 : 1);
});

test("Octokit repeats what a server failed, except what could create a second comment or issue", async () => {
  let failures = 4;
  faults = (method) => (method === "POST" || failures-- <= 0 ? undefined : { status: 502, body: {} });
  await post(`${MARKER}\n`);
  expect(entries).toHaveLength(1);
  faults = (method, path) => (method === "POST" && path !== "/graphql" ? { status: 502, body: {} } : undefined);
  for (const inputs of [{}, { PULL_REQUEST: "", ISSUE_TITLE: "Drift in dev" }]) {
    asked = [];
    await expect(post(`${MARKER.replace("dev", "prod")}\n`, inputs)).rejects.toMatchObject({ status: 502 });
    expect(asked.filter((text) => text.startsWith("POST /issues"))).toHaveLength(1);
  }
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
  expect(await post(unchanged, { SKIP_UNCHANGED: "true" })).toEqual([
    "Nothing to post, and no earlier comment to update.",
  ]);
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

test("a report that is not worth a comment creates none but updates an earlier one", async () => {
  const optional = `${MARKER}\n${UPDATE_ONLY}\n\n### small\n`;
  expect(await post(optional)).toEqual(["Nothing to post, and no earlier comment to update."]);
  const ours = entry(`${MARKER}\n\nold`);
  await post(optional);
  expect(entries).toEqual([ours]);
  expect(ours.body).toBe(optional);
});

test("drift opens one issue and updates it", async () => {
  const inputs = { PULL_REQUEST: "", ISSUE_TITLE: "Drift in dev" };
  // GitHub lists pull requests among issues.
  Object.assign(entry(`${MARKER}\n\nof a bot's pull request`), { pull_request: {} });
  Object.assign(entry(`${MARKER}\n\nof last month`), { state: "closed" });
  await post(`${MARKER}\n\none\n`, inputs);
  await post(`${MARKER}\n\ntwo\n`, inputs);
  expect(entries.slice(2)).toMatchObject([{ title: "Drift in dev", body: `${MARKER}\n\ntwo\n` }]);
  expect(entries[0]?.body).toContain("of a bot's pull request");
  expect(entries[1]?.body).toContain("of last month");
  await expect(post(`${MARKER}\n`, { PULL_REQUEST: "" })).rejects.toThrow("set either pull-request or issue-title");
});

const DRIFT = { PULL_REQUEST: "", ISSUE_TITLE: "Drift in dev" };
const RESOLVED = { ...DRIFT, RESOLVED: "true" };
const GONE = `${MARKER}\n**<code>shop</code> / <code>dev</code>**: no changes.\n`;

test("an issue is closed with a comment when the drift is gone, and reopened when it comes back", async () => {
  expect(await post(GONE, RESOLVED)).toEqual(["No open issue to close."]);
  expect(entries).toEqual([]);

  await post(`${MARKER}\n\none\n`, DRIFT);
  expect(await post(GONE, RESOLVED)).toEqual(["https://example.com/1000"]);
  const body = `✅ Resolved: [the run](https://ci.example/1) no longer finds this. If it comes back, this issue is reopened.\n`;
  // The report of what there was stays.
  expect([entries, talk]).toMatchObject([[{ state: "closed", body: `${MARKER}\n\none\n` }], [{ issue: 1000, body }]]);

  expect(await post(GONE, RESOLVED)).toEqual(["No open issue to close."]);
  expect(talk).toHaveLength(1);

  await post(`${MARKER}\n\ntwo\n`, DRIFT);
  expect(entries).toMatchObject([{ state: "open", body: `${MARKER}\n\ntwo\n` }]);
  await post(GONE, RESOLVED);
  expect([entries[0]?.state, talk.length]).toEqual(["closed", 2]);
});

test("issues of other accounts, titles and stacks are left alone", async () => {
  const others = [
    Object.assign(entry(`${MARKER}\n`, "ann"), { title: "Drift in dev" }),
    Object.assign(entry(`${MARKER}\n`), { title: "Audit of dev" }),
    Object.assign(entry(`${MARKER.replace("dev", "prod")}\n`), { title: "Drift in dev" }),
    Object.assign(entry("no report"), { title: "Drift in dev" }),
    Object.assign(entry(`${MARKER}\n`), { title: "Drift in dev", pull_request: {} }),
  ];
  const before = structuredClone(others);
  await post(GONE, RESOLVED);
  expect([others, talk]).toEqual([before, []]);
  for (const other of others) other.state = "closed";
  await post(`${MARKER}\n\none\n`, DRIFT);
  expect(others).toEqual(before.map((other) => ({ ...other, state: "closed" })));
  expect(entries).toHaveLength(6);
});

test("of closed issues, only the latest are searched", async () => {
  for (let number = 0; number < 100; number += 1) entry("talk").state = "closed";
  const old = Object.assign(entry(`${MARKER}\n`), { title: "Drift in dev", state: "closed" });
  await post(`${MARKER}\n\none\n`, DRIFT);
  expect([old.state, entries.length]).toEqual(["closed", 102]);
  expect(asked).toEqual(["POST /graphql", "GET /issues", "GET /issues", "POST /issues"]);
});

test("an issue behind a hundred of others is found, and every open one is closed", async () => {
  for (let number = 0; number < 100; number += 1) entry("talk", "bob").state = "closed";
  const old = Object.assign(entry(`${MARKER}\n`), { title: "Drift in dev", state: "closed" });
  await post(`${MARKER}\n\none\n`, DRIFT);
  expect([old.state, entries.length]).toEqual(["open", 101]);
  const second = Object.assign(entry(`${MARKER}\n`), { title: "Drift in dev" });
  asked = [];
  await post(GONE, RESOLVED);
  expect([old.state, second.state, talk.length]).toEqual(["closed", "closed", 2]);
  expect(asked.filter((text) => /^(POST|PATCH) .issues/.test(text))).toEqual(
    [old, second].flatMap(({ number }) => [`POST /issues/${number}/comments`, `PATCH /issues/${number}`]),
  );
});

test("a comment on a pull request cannot be resolved", async () => {
  await expect(post(GONE, { RESOLVED: "true" })).rejects.toThrow("only an issue can be resolved: set its title");
});
