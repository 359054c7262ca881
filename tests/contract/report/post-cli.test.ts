import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { azureServer, type CommentServer, githubServer, gitlabServer } from "./support/comment-servers";
import { type Answer, type Asked, serving } from "./support/server";

/** `post` as users run it: a process of its own, and servers that do not do as they should. */

const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const closing: (() => void)[] = [];
const file = join(temporaryFolder("post"), "report.md");

beforeEach(() => {
  writeFileSync(file, `${MARKER}\n\nthe report\n`);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function started(answer: (asked: Asked) => Answer): Promise<string> {
  const { url, close } = await serving(answer);
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

describe.each([
  ["github", githubServer],
  ["gitlab", gitlabServer],
  ["azure", azureServer],
])("%s", (_, start) => {
  let server: CommentServer;
  let url: string;
  beforeEach(async () => {
    server = start();
    url = await started((asked) => server.answer(asked));
  });
  test("three runs make one comment", async () => {
    for (const text of ["one", "two", "three"]) {
      writeFileSync(file, `${MARKER}\n\n${text}\n`);
      const { status, stdout, stderr } = await post(server, url);
      expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(server.address), ""]);
    }
    expect(server.comments).toEqual([{ author: server.self, body: `${MARKER}\n\nthree\n` }]);
  });

  test("what a server repeats of the token is hidden, in a failure of one line", async () => {
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
