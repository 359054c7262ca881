import { createServer as createTcpServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { azure, github, gitlab, PLACES } from "../../../report/post/places";
import { PostError, postReport } from "../../../report/post/post";
import { shortId } from "../../../report/render/render";
import { freePort, serve } from "../../support/local-server";
import {
  type Answer,
  type Asked,
  azureServer,
  type CommentServer,
  githubServer,
  gitlabServer,
  SERVERS,
  serving,
  TOKEN,
} from "./support/server";

/**
 * Comments of GitHub, notes of GitLab and threads of Azure DevOps, against stand-ins of their APIs.
 * Waits are recorded, not waited.
 */
jest.mock("node:timers/promises", () => ({ setTimeout: jest.fn(async () => {}) }));

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const OTHER = MARKER.replace("dev", "prod");
let apiUrl: string;

/** These requests use no proxy of the environment; post-cli.test.ts tests proxies. */
process.env.no_proxy = "*";

const waits = () => jest.mocked(wait).mock.calls.map(([ms]) => ms);
beforeEach(() => jest.mocked(wait).mockClear());

/** A server of its own for each test. */
async function started<Server extends CommentServer>(server: Server): Promise<Server> {
  apiUrl = await serving((asked) => server.answer(asked));
  return server;
}

describe.each(Object.entries(SERVERS))("%s", (_, start) => {
  let server: CommentServer;
  const post = (report: string, url = apiUrl) =>
    postReport(PLACES[server.name](server.variables(url)), report);
  beforeEach(async () => {
    server = await started(start());
  });

  /** Answers requests with these methods with a failure: the first `times`, by default all. */
  function fail(
    methods: string,
    answer: Partial<Answer> & { readonly status: number },
    times = Infinity,
  ): void {
    let left = times;
    server.fault = ({ method }: Asked) => {
      if (!methods.split(" ").includes(method) || left === 0) return undefined;
      left -= 1;
      return { body: { message: "slow down" }, ...answer };
    };
  }
  const count = (method: string) => server.asked.filter((item) => item.method === method).length;

  test("a report becomes one comment, which later reports update", async () => {
    for (let number = 0; number < 120; number += 1)
      server.comments.push({ author: "9", body: `${MARKER}\n\nothers` });
    expect(await post(`${MARKER}\n\none\n`)).toContain(server.address);
    server.comments.push({ author: server.self, body: "another comment" });
    expect(await post(`${MARKER}\n\ntwo\n`)).toContain(server.address);
    expect(server.comments.filter(({ author }) => author === server.self)).toEqual([
      { author: server.self, body: `${MARKER}\n\ntwo\n` },
      { author: server.self, body: "another comment" },
    ]);
    const sent = server.asked
      .filter(({ method }) => method !== "GET")
      .map(({ headers }) => headers["content-type"]);
    expect(sent).toEqual([
      expect.stringMatching(/^application\/json/),
      expect.stringMatching(/^application\/json/),
    ]);
  });

  test("the report of a group replaces the comments of its stacks", async () => {
    await post(`${MARKER}\n\none\n`);
    const group = `${OTHER}\n<!-- clouddb-report replaces ${shortId(MARKER)} -->\n`;
    expect(await post(group)).toContain(server.address);
    expect(server.comments).toEqual([{ author: server.self, body: group }]);
  });

  test("each request waits for the rate limit, and fails after five attempts", async () => {
    fail("GET POST", { status: 429, headers: { "retry-after": "7" } }, 3);
    await post(`${MARKER}\n`);
    expect(waits()).toEqual([7000, 7000, 7000]);
    fail("POST", { status: 429 }, 4);
    await post(`${OTHER}\n`);
    expect(waits().slice(3)).toEqual([1000, 2000, 3000, 4000]);
    expect(server.comments).toHaveLength(2);
    server.asked.length = 0;
    fail("POST", { status: 429 });
    await expect(post(`${MARKER.replace("dev", "test")}\n`)).rejects.toThrow(
      /^POST \S+ failed with 429: .*slow down/,
    );
    expect([count("POST"), waits().slice(7)]).toEqual([5, [1000, 2000, 3000, 4000]]);
  });

  test("a request is retried after a server error, unless it creates a comment", async () => {
    fail("GET", { status: 502 }, 1);
    await post(`${MARKER}\n`);
    expect(waits()).toEqual([1000]);
    fail("PUT PATCH", { status: 500 }, 4);
    await post(`${MARKER}\n\nnew`);
    expect(server.comments).toEqual([{ author: server.self, body: `${MARKER}\n\nnew` }]);
    fail("POST", { status: 502 });
    await expect(post(`${OTHER}\n`)).rejects.toThrow("failed with 502");
    expect(count("POST")).toBe(2);
    expect(waits()).toHaveLength(5);
  });

  async function expectFailure(says: string | RegExp, url = apiUrl): Promise<void> {
    const failure = (await post(`${MARKER}\n`, url).catch((error: Error) => error)) as Error;
    expect(failure).toBeInstanceOf(PostError);
    expect(failure.message).toMatch(new RegExp(says));
    expect(failure.message).not.toMatch(/canary|\n/);
  }

  test.each([300, 301, 302, 303, 307, 308])(
    "a redirect with %s is not followed",
    async (status) => {
      const elsewhere: Asked[] = [];
      const other = await serving((asked) => {
        elsewhere.push(asked);
        return { status: 200, body: [{ id: 1 }] };
      });
      fail("POST", {
        status,
        body: "",
        headers: { location: `${other}/sign-in?return=canary` },
      });
      await expectFailure(`POST ${apiUrl}\\S* was redirected to ${other}/sign-in; `);
      server.fault = () => ({ status, body: "", headers: { location: "/users/sign_in" } });
      await expectFailure(`(GET|POST) ${apiUrl}\\S* was redirected to ${apiUrl}/users/sign_in; `);
      expect([elsewhere, server.comments]).toEqual([[], []]);
    },
  );

  test.each<[string, unknown]>([
    ["an object", {}],
    ["a list", [{ id: 1 }]],
    ["null", null],
    ["a number", 1],
    ["an empty id", { id: "" }],
  ])("a response without an id is a failure: %s", async (_, body) => {
    fail("POST", { status: 200, body });
    await expectFailure(/POST \S+ returned 200 without an id/);
    server.comments.push({ author: server.self, body: MARKER });
    fail("PUT PATCH", { status: 200, body });
    await expectFailure(/(PUT|PATCH) \S+ returned 200 without an id/);
  });

  test.each<[number, string | object]>([
    [200, "<!DOCTYPE html><title>Sign in</title>\n<p>Welcome\n"],
    [203, "<html>canary-token</html>"],
    [200, ""],
    [200, {}],
    [200, { message: "ok", value: {} }],
  ])("an unexpected response such as a page is a failure: %s %j", async (status, body) => {
    server.fault = () => ({ status, body });
    await expectFailure(
      /(GET|POST) \S+ returned 20\d without an (id|account): maybe a sign-in page/,
    );
    // The account is known, but not the comments: a new comment could be a second report.
    server.fault = ({ path }) =>
      /comments|notes|threads/.test(path) ? { status, body } : undefined;
    await expectFailure(/GET \S+ returned 20\d without a list: /);
    expect(server.comments).toEqual([]);
  });

  test("an unreachable server fails with one line", async () => {
    const port = await freePort();
    const hangingUp = await serve(createTcpServer((socket) => socket.destroy()));
    const saying = (text: string) =>
      serve(createTcpServer((socket) => socket.on("error", () => {}).end(text)));
    const half = await saying("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{");
    const noHttp = await saying("220 mail.example ESMTP\r\n");
    for (const [address, says] of [
      [`http://127.0.0.1:${port}`, `ECONNREFUSED 127.0.0.1:${port}`],
      [`http://127.0.0.1:${hangingUp}`, "socket hang up|ECONNRESET"],
      [`http://127.0.0.1:${half}`, "aborted|ECONNRESET"],
      [`http://127.0.0.1:${noHttp}`, "Parse Error"],
      [apiUrl.replace("http:", "https:"), "SSL|EPROTO|wrong version number"],
      ["http://no-such-host.invalid", "ENOTFOUND|EAI_AGAIN"],
    ] as const) {
      const { origin } = new URL(address);
      const advice = "Check the server's address, the network and the proxy variables\\.$";
      await expectFailure(`(GET|POST) ${origin}\\S* failed: .*(${says}).*\\. ${advice}`, address);
    }
    await expectFailure(/no address\S* is not a URL/, "no address");
  });

  test("a response that is too large is not read completely", async () => {
    fail("GET", { status: 200, body: `[${" ".repeat(51_000_000)}]` });
    await expectFailure("failed: the response is larger than 50 MB. ");
  });
});

const CHECK = "Check the server's address and the token.";
const MAY_EXIST = "The comment may exist; the next run updates it.";
const to = (location: string) => ({ body: "", headers: { location } });

test.each<[string, Answer, string]>([
  ["GET", { status: 404, body: "Not Found." }, "failed with 404: Not Found."],
  ["GET", { status: 418, body: "" }, "failed with 418: no reason given."],
  ["GET", { status: 302, body: "" }, "failed with 302: no reason given."],
  ["GET", { status: 400, ...to("https://other.example") }, "failed with 400: no reason given."],
  ["GET", { status: 400, body: "x".repeat(400) }, `failed with 400: ${"x".repeat(300)}….`],
  ["POST", { status: 499, body: "no" }, "failed with 499: no."],
  ["POST", { status: 500, body: "no" }, `failed with 500: no. ${MAY_EXIST}`],
  [
    "POST",
    { status: 299, body: {} },
    `returned 299 without an id: maybe a sign-in page. ${CHECK} ${MAY_EXIST}`,
  ],
  ["GET", { status: 200, body: {} }, `returned 200 without an id: maybe a sign-in page. ${CHECK}`],
  [
    "POST",
    { status: 302, ...to("https://other.example/a?b=c") },
    `was redirected to https://other.example/a; redirects are not followed. ${CHECK}`,
  ],
])(
  "a failed %s that is not retried, with the response %j, says: %s",
  async (failing, answer, message) => {
    const server = await started(gitlabServer());
    server.fault = ({ method }) => (method === failing ? answer : undefined);
    const path = failing === "GET" ? "/user" : "/projects/3/merge_requests/5/notes";
    const posted = postReport(gitlab(server.variables(apiUrl)), `${MARKER}\n`);
    await expect(posted).rejects.toThrow(new PostError(`${failing} ${apiUrl}${path} ${message}`));
    expect(waits()).toEqual([]);
  },
);

test("an Azure thread is closed, so that it does not block a merge", async () => {
  const server = await started(azureServer());
  await postReport(azure(server.variables(apiUrl)), `${MARKER}\n`);
  // The variable ends with a slash or not.
  const variables = { ...server.variables(apiUrl), SYSTEM_COLLECTIONURI: `${apiUrl}/org` };
  expect(await postReport(azure(variables), `${MARKER}\nnew\n`)).toBe(
    `${apiUrl}/org/my%20shop/_git/r1/pullrequest/5`,
  );
  const content = (body: string) => ({ parentCommentId: 0, content: body, commentType: "text" });
  expect(server.asked.filter(({ method }) => method !== "GET").map(({ body }) => body)).toEqual([
    { comments: [content(`${MARKER}\n`)], status: "closed" },
    { content: `${MARKER}\nnew\n` },
  ]);
  const threads = server.asked.filter(({ path }) => path.includes("/threads"));
  expect(threads.map(({ query }) => query.get("api-version"))).toEqual([
    "7.1",
    "7.1",
    "7.1",
    "7.1",
  ]);
  expect(threads.at(-1)).toMatchObject({
    method: "PATCH",
    path: expect.stringMatching(/^\/org\/my%20shop\/_apis\/.*\/threads\/1\/comments\/1$/),
  });
});

test("an Azure thread whose first comment is deleted or foreign is not updated", async () => {
  const server = await started(azureServer());
  const own = (id: string) => ({ id: 9, content: `${MARKER}\n`, author: { id } });
  const threads = [
    { id: 1 },
    { id: 2, comments: [] },
    { id: 3, comments: [own("you"), own("me")] },
  ];
  server.fault = ({ method, path }) =>
    method === "GET" && path.endsWith("/threads")
      ? { status: 200, body: { value: threads } }
      : undefined;
  await postReport(azure(server.variables(apiUrl)), `${MARKER}\n`);
  expect(server.comments).toHaveLength(1);
});

test.each([null, {}, { login: "" }, { login: 7 }])(
  "nothing is posted without a GitHub account: %j",
  async (viewer) => {
    const server = await started(githubServer());
    server.fault = ({ path }) =>
      path === "/graphql" ? { status: 200, body: { data: { viewer } } } : undefined;
    const posted = postReport(github(server.variables(apiUrl)), `${MARKER}\n`);
    await expect(posted).rejects.toThrow(
      `POST ${apiUrl}/graphql returned 200 without an account: maybe a sign-in page`,
    );
    expect(server.asked.map(({ body }) => body)).toEqual([{ query: "query { viewer { login } }" }]);
  },
);

test.each([
  [
    gitlab,
    { CI_PROJECT_ID: "3", CI_MERGE_REQUEST_IID: "" },
    "CI_API_V4_URL, CI_MERGE_REQUEST_IID, GITLAB_TOKEN",
  ],
  [
    github,
    { GITHUB_TOKEN: TOKEN },
    "GITHUB_API_URL, GITHUB_GRAPHQL_URL, GITHUB_REPOSITORY, PULL_REQUEST",
  ],
  [
    azure,
    { SYSTEM_ACCESSTOKEN: TOKEN },
    "SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_REPOSITORY_ID",
  ],
])("an error names all missing variables: %# %j", (place, variables, names) => {
  expect(() => place(variables)).toThrow(`missing environment variables: ${names}`);
});
