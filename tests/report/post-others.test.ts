import { azureThreads } from "../../report/post/azure";
import { gitlabNotes } from "../../report/post/gitlab";
import { type Comments, postReport } from "../../report/post/post";
import { type Answer, type Asked, serving } from "./support/server";

/** Notes of GitLab and threads of Azure DevOps, against stand-ins of their APIs. */

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
let api: Awaited<ReturnType<typeof serving>>;
let asked: string[] = [];
let bodies: { readonly author: string; body: string }[] = [];
/** The status of the next failures, and their number. */
let failing: { status: number; times: number };

beforeEach(() => {
  [asked, bodies, failing] = [[], [], { status: 500, times: 0 }];
});
afterEach(() => api.close());

function failed(): Answer | undefined {
  if (failing.times === 0) return undefined;
  failing.times -= 1;
  return { status: failing.status, body: { message: "slow down" }, headers: { "retry-after": "0" } };
}

function gitlab({ method, path, query, headers, body }: Asked): Answer {
  asked.push(`${method} ${path}`);
  if (headers["private-token"] !== "canary-token") return { status: 401, body: { message: "401 Unauthorized" } };
  const failure = failed();
  if (failure) return failure;
  if (path === "/user") return { status: 200, body: { id: 7 } };
  const notes = bodies.map((each, index) => ({ id: index + 1, body: each.body, author: { id: Number(each.author) } }));
  const page = Number(query.get("page"));
  if (method === "GET") return { status: 200, body: notes.slice(100 * (page - 1), 100 * page) };
  const text = String(body.body);
  if (method === "POST") return { status: 201, body: { id: bodies.push({ author: "7", body: text }) } };
  const found = bodies[Number(path.split("/").at(-1)) - 1];
  if (found) found.body = text;
  return { status: found ? 200 : 404, body: { id: 1 } };
}

function azure({ method, path, headers, body }: Asked): Answer {
  asked.push(`${method} ${path}`);
  if (headers.authorization !== "Bearer canary-token") return { status: 401, body: {} };
  const failure = failed();
  if (failure) return failure;
  if (path.endsWith("/connectionData")) return { status: 200, body: { authenticatedUser: { id: "me" } } };
  if (method === "GET") {
    const value = bodies.map((each, index) => ({
      id: index + 1,
      comments: [{ id: 1, content: each.body, author: { id: each.author } }],
    }));
    return { status: 200, body: { value } };
  }
  if (method === "POST") {
    const [first] = body.comments as { content: string }[];
    bodies.push({ author: "me", body: String(first?.content) });
    return { status: 200, body: {} };
  }
  const [, thread] = /threads\/(\d+)\/comments\/1$/.exec(path) ?? [];
  const found = bodies[Number(thread) - 1];
  if (found) found.body = String(body.content);
  return { status: found ? 200 : 404, body: {} };
}

const gitlabEnv = (token: string) => ({
  CI_API_V4_URL: api.url,
  CI_PROJECT_ID: "3",
  CI_PROJECT_URL: "https://gitlab.example/shop",
  CI_MERGE_REQUEST_IID: "5",
  GITLAB_TOKEN: token,
});
const azureEnv = (token: string) => ({
  SYSTEM_COLLECTIONURI: `${api.url}/org/`,
  SYSTEM_TEAMPROJECT: "my shop",
  BUILD_REPOSITORY_ID: "r1",
  SYSTEM_PULLREQUEST_PULLREQUESTID: "5",
  SYSTEM_ACCESSTOKEN: token,
});
const places: [string, (asked: Asked) => Answer, (token: string) => Comments, string, string][] = [
  ["GitLab", gitlab, (token) => gitlabNotes(gitlabEnv(token)), "7", "/merge_requests/5#note_"],
  ["Azure DevOps", azure, (token) => azureThreads(azureEnv(token)), "me", "/org/my%20shop/_git/r1/pullrequest/5"],
];

describe.each(places)("%s", (_, answer, comments, self, address) => {
  beforeEach(async () => {
    api = await serving(answer);
  });

  test("a report becomes one comment, which is updated", async () => {
    for (let number = 0; number < 120; number += 1) bodies.push({ author: "9", body: `${MARKER}\n\nof others` });
    expect(await postReport(comments("canary-token"), `${MARKER}\n\none\n`)).toContain(address);
    await postReport(comments("canary-token"), `${MARKER}\n\ntwo\n`);
    expect(bodies.filter(({ author }) => author === self)).toEqual([{ author: self, body: `${MARKER}\n\ntwo\n` }]);
  });

  test("a request waits for a rate limit, and a failed creation of a comment is not retried", async () => {
    failing = { status: 429, times: 3 };
    await postReport(comments("canary-token"), `${MARKER}\n`);
    expect(bodies).toHaveLength(1);
    bodies = [];
    const made = comments("canary-token");
    const slow: Comments = {
      ...made,
      create: (body) => {
        failing = { status: 502, times: 9 };
        return made.create(body);
      },
    };
    asked = [];
    await expect(postReport(slow, `${MARKER}\n`)).rejects.toThrow("failed with 502");
    expect(asked.filter((each) => each.startsWith("POST"))).toHaveLength(1);
  });

  test("a failure is reported without the token", async () => {
    const failure = postReport(comments("canary-wrong"), `${MARKER}\n`);
    await expect(failure).rejects.toThrow("failed with 401");
    await expect(failure).rejects.not.toThrow("canary");
  });
});

test("all missing variables are named", async () => {
  api = await serving(gitlab);
  expect(() => gitlabNotes({ CI_PROJECT_ID: "3" })).toThrow(
    "missing environment variables: CI_API_V4_URL, CI_MERGE_REQUEST_IID, GITLAB_TOKEN",
  );
  expect(() => azureThreads({})).toThrow("missing environment variables: SYSTEM_COLLECTIONURI");
});
