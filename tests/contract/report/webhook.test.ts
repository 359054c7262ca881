import { writeFileSync } from "node:fs";
import { createServer as createTcpServer, type Server } from "node:net";
import { join } from "node:path";
import { freePort, listen } from "../../support/free-port";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { recording } from "./support/preview";
import { type Answer, type Asked, serving } from "./support/server";

/** `post webhook` as users run it, against servers that do not do as they should. The URL is a secret. */

const PATH = "/services/T0canary/B0canary/canary%2Dkey?sig=canary-sig&sv=1.0";
const file = join(temporaryFolder("webhook"), "report.json");
const closing: (() => void)[] = [];
let asked: Asked[];
let answer: () => Answer;
let url: string;

beforeEach(async () => {
  [asked, answer] = [[], () => ({ status: 200, body: "ok" })];
  url = (await started(() => answer())) + PATH;
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function started(next: () => Answer): Promise<string> {
  const server = await serving((request) => {
    asked.push(request);
    return next();
  });
  closing.push(server.close);
  return server.url;
}

function listening(server: Server): Promise<number> {
  closing.push(() => server.close());
  return listen(server);
}

/** The report of a recorded preview, as a job before this one has written it. */
async function write(input: string, ...args: string[]): Promise<void> {
  expect(await runCli({ args: ["--json", file, ...args], input })).toMatchObject({ status: 0 });
}

function send(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  return runCli({ args: ["post", "webhook", file, ...args], env: { CLOUDDB_WEBHOOK_URL: url, ...env } });
}

const RUN = "https://ci.example/runs/7?a=1&b=2";
const POSTED = { status: 0, stdout: "Posted to the webhook.\n", stderr: "" };

/** One line, without any part of the URL. */
async function expectFailure(run: ReturnType<typeof send>, says: string | RegExp): Promise<void> {
  const { status, stdout, stderr } = await run;
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(says)]);
  expect(stderr).toMatch(/^clouddb-report: [^\n]+\n$/);
  expect(stderr).not.toMatch(/canary|services|127\.0\.0\.1|::1| {4}at /);
}

test("sends the report as JSON, to the URL of the variable or the option", async () => {
  await write(recording("update-service"), "--run-url", RUN, "--commit", "0123456789abcdef");
  expect(await send()).toEqual(POSTED);
  expect(await send(["--format", "json", "--url", url], { CLOUDDB_WEBHOOK_URL: "https://other.invalid/" })).toEqual(
    POSTED,
  );
  expect(asked.map(({ method, path, query }) => `${method} ${path}?${query}`)).toEqual([
    `POST ${PATH}`,
    `POST ${PATH}`,
  ]);
  expect(asked[0]?.headers["content-type"]).toMatch(/^application\/json/);
  const [{ body: first } = { body: {} }, second] = asked;
  expect(first).toMatchObject({
    version: 1,
    about: { runUrl: RUN },
    stacks: [{ stack: "production", counts: { update: 1 } }],
  });
  expect(second?.body).toEqual(first);
});

test("for Slack, a message of a few lines with the link", async () => {
  await write(recording("policies-broken"), "--run-url", RUN, "--commit", "0123456789abcdef");
  expect(await send(["--format", "slack"])).toEqual(POSTED);
  const { text, blocks } = asked[0]?.body ?? {};
  const lines = String(text).split("\n");
  expect(lines[0]).toMatch(/^\*shop \/ production\*: ❌ .* · ❌ \d+ policy violations/);
  expect(lines[1]).toBe("❌ The preview failed; this report is incomplete.");
  expect(lines.slice(2, -1)).toEqual(expect.arrayContaining([expect.stringMatching(/^❌ no-open-access: /)]));
  expect(lines.at(-1)).toMatch(
    /^<https:\/\/ci\.example\/runs\/7\?a=1&amp;b=2\|Open the run> · Commit 0123456789ab · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  );
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(blocks).toEqual(
    [lines.slice(0, -1).join("\n"), lines.at(-1)].map((part) => ({
      type: "section",
      text: { type: "mrkdwn", text: part, verbatim: true },
    })),
  );
});

test("for Teams, an Adaptive Card with the same lines and a button", async () => {
  await write(recording("update-service"));
  expect(await send(["--format", "teams", "--run-url", RUN])).toEqual(POSTED);
  const run = (text: string, more = {}) => ({ type: "TextRun", text, ...more });
  expect(asked[0]?.body).toEqual({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            [
              run("shop / production", { weight: "Bolder" }),
              run(": ✏️ 1 to update · capacity +288 GB (+150 %) · ⚠️ 1 cannot be undone"),
            ],
            [run('⚠️ analytics: opens access to "192.0.2.0/24"')],
          ].map((inlines) => ({ type: "RichTextBlock", inlines })),
          actions: [{ type: "Action.OpenUrl", title: "Open the run", url: RUN }],
        },
      },
    ],
  });
});

test("many stacks have one line each, the worst first, and the rest are counted", async () => {
  const stacks = Array.from({ length: 12 }, (_, index) =>
    recording("nothing").replaceAll("production", `stack-${index}`),
  );
  await write([...stacks, recording("replace")].join("\n"), "--notice", "Of a fork");
  await send(["--format", "slack"]);
  const lines = String(asked[0]?.body.text).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "Of a fork",
    expect.stringMatching(/^\*shop \/ production\*: ❌ /),
    "*shop / stack-0*: no changes",
  ]);
  expect(lines.slice(-2)).toEqual(["*shop / stack-5*: no changes", "… and 6 more"]);
});

test("--comment-if and --skip-unchanged send only what is worth it", async () => {
  await write(recording("update-service"), "--prices", join(root, "examples/ci/prices.json"));
  const unsent = { status: 0, stdout: "Nothing to post.\n", stderr: "" };
  expect(await send(["--comment-if", "cost>+150%, delete"])).toEqual(unsent);
  expect(asked).toEqual([]);
  for (const args of [
    ["--comment-if", "cost>+149%"],
    ["--skip-unchanged"],
    ["--skip-unchanged", "--comment-if", "changes"],
  ]) {
    expect(await send(args)).toEqual(POSTED);
  }
  expect(await send(["--comment-if", "drift"])).toEqual({
    ...POSTED,
    status: 1,
    stderr: expect.stringContaining("--comment-if drift cannot be decided"),
  });
  expect(asked).toHaveLength(4);
  await write(recording("nothing"));
  expect(await send(["--skip-unchanged"])).toEqual(unsent);
  expect(asked).toHaveLength(4);
});

describe("with a report", () => {
  beforeEach(() => write(recording("update-service")));

  test.each<[Answer, string]>([
    [
      { status: 404, body: `Cannot POST ${PATH}, nor /services/T0canary or canary-key` },
      "failed with 404: Cannot POST \\[secret\\], nor",
    ],
    [{ status: 400, body: "invalid_payload" }, "POST \\[secret\\] failed with 400: invalid_payload\\.$"],
    [
      { status: 200, body: { ok: false, error: "invalid_auth" } },
      "POST \\[secret\\] failed with 200: invalid_auth\\.$",
    ],
    [{ status: 200, body: { ok: false } }, "POST \\[secret\\] failed with 200: refused\\.$"],
    [{ status: 500, body: "no canary-sig" }, "failed with 500: no \\[secret\\]. The message may have arrived\\.$"],
    [
      { status: 200, body: "<!DOCTYPE html><p>Sign in, T0canary" },
      "without an acceptance: maybe a sign-in page. Check the URL of the webhook",
    ],
  ])("an answer that is a failure: %j", async (fault, says) => {
    answer = () => fault;
    await expectFailure(send(), new RegExp(says, "m"));
    expect(asked).toHaveLength(1);
  });

  test.each([
    [202, ""],
    [200, { text: "queued" }],
    [204, ""],
  ])("a response with %s %j is an acceptance", async (status, body) => {
    answer = () => ({ status, body });
    expect(await send()).toEqual(POSTED);
  });

  test("a rate limit is waited for", async () => {
    answer = () =>
      asked.length === 1
        ? { status: 429, body: "slow down", headers: { "retry-after": "1" } }
        : { status: 200, body: "ok" };
    expect(await send(["--format", "slack"])).toEqual(POSTED);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.body).toEqual(asked[1]?.body);
  });

  test.each([301, 302, 303, 307, 308])("a redirect with %s is not followed", async (status) => {
    const elsewhere: Asked[] = [];
    const other = await serving((request) => {
      elsewhere.push(request);
      return { status: 200, body: "ok" };
    });
    closing.push(other.close);
    const { port } = new URL(other.url);
    for (const location of [`http://localhost:${port}${PATH}`, "/sign-in/canary-key?next=canary-sig", PATH]) {
      answer = () => ({ status, body: "", headers: { location } });
      await expectFailure(send(), "was redirected to .*; redirects are not followed. Check the URL of the webhook");
    }
    expect([elsewhere, asked.length]).toEqual([[], 3]);
  });

  test("a server that cannot be reached", async () => {
    const hangingUp = createTcpServer((socket) => socket.destroy());
    for (const [address, says] of [
      [`http://127.0.0.1:${await freePort()}`, "ECONNREFUSED"],
      [`http://127.0.0.1:${await listening(hangingUp)}`, "socket hang up|ECONNRESET"],
      [url.slice(0, url.indexOf("/services")).replace("http:", "https:"), "SSL|EPROTO|wrong version number"],
      ["https://canary.invalid", "ENOTFOUND|EAI_AGAIN"],
      ["https://canary-user:canary-word@canary.invalid", "ENOTFOUND|EAI_AGAIN"],
      [`http://[::1]:${await freePort()}`, "ECONNREFUSED|EADDRNOTAVAIL"],
    ] as const) {
      const isSent = /hang up|SSL/.test(says);
      const failure = `POST \\[secret\\] failed: .*(${says}).*variables\\.${isSent ? " The message may have arrived\\." : ""}\n`;
      await expectFailure(send(["--url", address + PATH]), failure);
      await expectFailure(send([], { CLOUDDB_WEBHOOK_URL: address + PATH }), failure);
    }
  });

  test("a server that repeats the user of the URL", async () => {
    const [user, word] = ["canary user", "canary:word"];
    answer = () => ({ status: 403, body: `no ${asked.at(-1)?.headers.authorization}, ${user}, ${word}` });
    const address = url.replace("//", `//${encodeURIComponent(user)}:${encodeURIComponent(word)}@`);
    const { stderr } = await send([], { CLOUDDB_WEBHOOK_URL: address });
    expect(stderr).toContain("failed with 403: no Basic [secret], [secret], [secret].");
  });

  test("a proxy does not get what is for this machine", async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`;
    expect(await send([], { HTTP_PROXY: proxy, ALL_PROXY: proxy })).toEqual(POSTED);
  });

  test.each([
    ["", "missing URL of the webhook: set CLOUDDB_WEBHOOK_URL"],
    ["canary", "the URL of the webhook is not a URL"],
    ["http://canary.invalid/x", "the URL of the webhook must be an https URL"],
    ["http://127.0.0.1.canary.invalid/x", "the URL of the webhook must be an https URL"],
    ["ftp://127.0.0.1/canary", "the URL of the webhook must be an https URL"],
    ["file:///canary", "the URL of the webhook must be an https URL"],
  ])("the URL %j is refused", async (address, says) => {
    await expectFailure(send(["--url", address]), says);
    await expectFailure(send([], { CLOUDDB_WEBHOOK_URL: address }), says);
  });

  test.each([
    [
      "the URL as an argument",
      ["post", "webhook", "https://canary.invalid/x"],
      "usage: clouddb-report post webhook FILE",
    ],
    ["two arguments", ["post", "webhook", file, "https://canary.invalid/x"], "usage: clouddb-report post webhook FILE"],
    ["no file", ["post", "webhook"], "usage: clouddb-report post webhook FILE"],
    ["a misspelt option", ["post", "webhook", file, "--ulr=https://canary.invalid/x"], "Unknown option '--ulr'"],
    ["an option in place of the URL", ["post", "webhook", file, "--url"], "Option '--url <URL>' argument missing"],
    [
      "a format",
      ["post", "webhook", file, "--format", "github"],
      '--format must be one of json, slack, teams; got "github"',
    ],
    ["a format without a webhook", ["--format", "slack"], "--format must be one of github, gitlab"],
  ])("%s is refused", async (_, args, says) => {
    await expectFailure(runCli({ args, env: { CLOUDDB_WEBHOOK_URL: url } }), says);
    expect(asked).toEqual([]);
  });

  test.each([
    "{}",
    "[",
    "null",
    '{"version":2,"about":{},"stacks":[]}',
    '{"version":1,"about":{},"stacks":[{}]}',
    '{"version":1,"about":{},"stacks":[]}',
  ])("a file that is not a report: %s", async (text) => {
    writeFileSync(file, text);
    await expectFailure(
      send(),
      "report\\.json is not a report in JSON: pass the file that clouddb-report --json writes",
    );
  });
});
