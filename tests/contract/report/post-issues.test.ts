import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { TOKEN } from "./support/comment-servers";
import { type Answer, type Asked, serving } from "./support/server";

/** `post gitlab --issue-title` as users run it, against a stand-in of GitLab's API. */

interface Issue {
  readonly iid: number;
  readonly author: { readonly id: number };
  title: string;
  description: string;
  state: string;
}

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const TITLE = "Drift in dev & co";
const file = join(temporaryFolder("issues"), "report.md");
let issues: Issue[] = [];
let notes: string[] = [];
let asked: string[] = [];
let api: Awaited<ReturnType<typeof serving>>;

beforeEach(async () => {
  [issues, notes, asked] = [[], [], []];
  api = await serving(answer);
});
afterEach(() => api.close());

function issue(description: string, more: { title?: string; state?: string; author?: number } = {}): Issue {
  const { title = TITLE, state = "opened", author = 7 } = more;
  const added = { iid: issues.length + 1, author: { id: author }, title, description, state };
  issues.push(added);
  return added;
}

function answer({ method, path, query, headers, body }: Asked): Answer {
  asked.push(`${method} ${path}`);
  if (headers["private-token"] !== TOKEN) return { status: 401, body: { message: "401 Unauthorized" } };
  if (path === "/user") return { status: 200, body: { id: 7 } };
  const [, number, note] = /^\/projects\/3\/issues(?:\/(\d+)(\/notes)?)?$/.exec(path) ?? [];
  if (method === "GET") {
    const found = issues.filter(
      ({ state, title, author }) =>
        state === query.get("state") &&
        title.includes(query.get("search") ?? "") &&
        String(author.id) === query.get("author_id"),
    );
    const [page, size] = [Number(query.get("page")), Number(query.get("per_page"))];
    return { status: 200, body: found.slice(size * (page - 1), size * page) };
  }
  if (method === "POST" && note) return { status: 201, body: { id: notes.push(`${number}: ${body.body}`) } };
  if (method === "POST") return { status: 201, body: issue(String(body.description), { title: String(body.title) }) };
  const current = issues[Number(number) - 1];
  if (!current) return { status: 404, body: {} };
  const { state_event: event, ...rest } = body;
  const state = { close: "closed", reopen: "opened" }[String(event)] ?? current.state;
  return { status: 200, body: Object.assign(current, rest, { state }) };
}

async function post(report: string, ...args: string[]) {
  writeFileSync(file, report);
  const env = {
    CI_API_V4_URL: api.url,
    CI_PROJECT_ID: "3",
    CI_PROJECT_URL: "https://gitlab.example/shop",
    GITLAB_TOKEN: TOKEN,
  };
  return runCli({
    args: ["post", "gitlab", file, "--issue-title", TITLE, "--run-url", "https://ci.example/1", ...args],
    env,
  });
}

test("one issue is opened, updated, closed with a comment, and reopened", async () => {
  expect((await post(MARKER, "--resolved")).stdout).toBe("No open issue to close.\n");
  expect((await post(`${MARKER}\none`)).stdout).toBe("https://gitlab.example/shop/-/issues/1\n");
  await post(`${MARKER}\ntwo`);
  expect(issues).toMatchObject([{ title: TITLE, description: `${MARKER}\ntwo`, state: "opened" }]);
  for (const stdout of ["https://gitlab.example/shop/-/issues/1\n", "No open issue to close.\n"]) {
    expect(await post(MARKER, "--resolved")).toEqual({ status: 0, stdout, stderr: "" });
  }
  expect(issues).toMatchObject([{ description: `${MARKER}\ntwo`, state: "closed" }]);
  expect(notes).toEqual([
    "1: ✅ Resolved: [the run](https://ci.example/1) no longer finds this. If it comes back, this issue is reopened.\n",
  ]);
  await post(`${MARKER}\nthree`);
  expect(issues).toMatchObject([{ description: `${MARKER}\nthree`, state: "opened" }]);
});

test("issues of other accounts, titles and stacks are left alone", async () => {
  issue(MARKER, { author: 9 });
  issue(MARKER, { title: `${TITLE} and more` });
  issue(MARKER.replace("dev", "prod"));
  issue(`see ${MARKER}`);
  const before = structuredClone(issues);
  await post(MARKER, "--resolved");
  expect([issues, notes]).toEqual([before, []]);
  await post(`${MARKER}\none`);
  expect(issues).toEqual([...before, expect.objectContaining({ iid: 5, description: `${MARKER}\none` })]);
});

test("the comment is there before the issue is closed, in all issues that two runs have opened at once", async () => {
  issue(MARKER);
  issue(MARKER);
  issue(MARKER, { state: "closed" });
  await post(MARKER, "--resolved");
  expect(issues.map(({ state }) => state)).toEqual(["closed", "closed", "closed"]);
  expect(asked.filter((line) => !line.startsWith("GET"))).toEqual(
    ["1", "2"].flatMap((id) => [`POST /projects/3/issues/${id}/notes`, `PUT /projects/3/issues/${id}`]),
  );
});

test("a failure says what failed, without the token", async () => {
  const failed = await runCli({
    args: ["post", "gitlab", file, "--issue-title", TITLE],
    env: { CI_API_V4_URL: api.url, CI_PROJECT_ID: "3", GITLAB_TOKEN: "canary-wrong" },
  });
  expect(failed).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("failed with 401") });
  expect(failed.stderr).not.toContain("canary");
  const { stderr } = await runCli({ args: ["post", "gitlab", file, "--issue-title", TITLE] });
  expect(stderr).toBe("clouddb-report: missing environment variables: CI_API_V4_URL, CI_PROJECT_ID, GITLAB_TOKEN\n");
});

test("elsewhere there are no issues", async () => {
  const azure = await runCli({ args: ["post", "azure", file, "--issue-title", TITLE] });
  expect([azure.status, azure.stderr]).toEqual([
    1,
    "clouddb-report: --issue-title is not an option of post azure; it belongs to: post gitlab\n",
  ]);
});
