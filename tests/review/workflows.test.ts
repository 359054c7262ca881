import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, type Stack, simulated, testHome } from "../engine/support/stack";
import { type Asked, serving } from "../report/support/server";

/** The commands of examples/ci, copied as they stand, with the packed packages and a repository around them. */
const examples = join(__dirname, "../../examples/ci");

/** The block of commands behind a line of a workflow, without its indentation. */
function blockBehind(file: string, line: string): string {
  const lines = readFileSync(join(examples, file), "utf8").split("\n");
  const start = lines.findIndex((each) => each.includes(line));
  const begin = lines.findIndex((each, index) => index >= start && /^\s*(?:-|run:|- bash:) ?\|$/.test(each)) + 1;
  const indent = /^ */.exec(lines[begin] ?? "")?.[0] ?? "";
  const rest = lines.slice(begin);
  const end = rest.findIndex((each) => each !== "" && !each.startsWith(indent));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .map((each) => each.slice(indent.length))
    .join("\n");
}

const small = `new clouddb.Service("analytics", {
  provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});`;
const open = small.replace("203.0.113.0/24", "0.0.0.0/0");

/** A repository whose last commit merges a change of the program and of the policies' settings. */
async function merged(stack: Stack, before: object, after: object): Promise<void> {
  const git = (...args: string[]) =>
    expectOk(stack.command("git", "-c", "user.name=t", "-c", "user.email=t@example.com", ...args));
  const commit = async (settings: object, message: string) => {
    writeFileSync(join(stack.folder, "policies.json"), JSON.stringify(settings));
    await git("add", "policies.json");
    await git("commit", "--quiet", "--allow-empty", "--message", message);
  };
  await git("init", "--quiet", "--initial-branch", "main");
  await commit(before, "before");
  await git("checkout", "--quiet", "-b", "change");
  await commit(after, "after");
  await git("checkout", "--quiet", "main");
  await git("merge", "--quiet", "--no-ff", "--message", "merge", "change");
  symlinkSync(join(testHome(), "node_modules"), join(stack.folder, "node_modules"));
}

test("preview.yml: policies stop a bad change, and the report names what the change turned off", async () => {
  const stack = await newStack(await simulated(), open);
  // Whatever a change turns off, the settings of before judge it.
  await merged(stack, {}, { all: "disabled", "names-follow-convention": "disabled" });
  const summary = join(stack.folder, "summary.md");
  stack.environment({
    RUNNER_TEMP: stack.folder,
    GITHUB_STEP_SUMMARY: summary,
    HEAD: "0123456789abcdef",
    RUN_URL: "https://ci.example/runs/1",
  });
  const script = blockBehind("github/workflows/preview.yml", "- name: Preview");
  expect(script).toContain("clouddb-report run");
  const { code } = await stack.command("bash", "-e", "-c", script);
  expect(code).toBe(2);
  const report = readFileSync(join(stack.folder, "report.md"), "utf8");
  expect(report).toContain("❌ <code>no-open-access</code> failed");
  expect(report).toContain("👀 <code>names-follow-convention</code>: disabled; it was its default level");
  expect(report).toContain("Commit <code>0123456789ab</code> · [run](https://ci.example/runs/1)");
  expect(readFileSync(summary, "utf8")).toBe(report);
  const packed = join(testHome(), "node_modules/clouddb-report");
  for (const file of ["action.yml", "dist/post/github.js", "report.schema.json"]) {
    expect([file, existsSync(join(packed, file))]).toEqual([file, true]);
  }
});

test("deploy.yml: the update enforces the policies before it creates anything", async () => {
  const api = await simulated();
  const stack = await newStack(api, open);
  await merged(stack, {}, {});
  const script = blockBehind("github/workflows/deploy.yml", "- name: Update");
  const refused = await stack.command("bash", "-e", "-c", script);
  expect([refused.code === 0, refused.output]).toEqual([false, expect.stringContaining("no-open-access")]);
  expect(await api.services()).toEqual([]);
});

test("the GitLab job posts its note, and fails where a policy does", async () => {
  const bodies: string[] = [];
  const gitlab = await serving(({ method, path, body }: Asked) => {
    if (path === "/user") return { status: 200, body: { id: 7 } };
    if (method === "GET") return { status: 200, body: [] };
    bodies.push(String(body.body));
    return { status: 201, body: { id: 1 } };
  });
  try {
    const stack = await newStack(await simulated(), open);
    await merged(stack, {}, {});
    writeFileSync(join(stack.folder, "policies-before.json"), "{}");
    stack.environment({
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: "token",
      CI_COMMIT_SHA: "0123456789abcdef",
      CI_JOB_URL: "https://gitlab.example/jobs/1",
    });
    const script = blockBehind("gitlab/.gitlab-ci.yml", "policies-before.json || echo");
    const { code } = await stack.command("bash", "-e", "-c", script);
    expect(code).toBe(2);
    expect(bodies).toEqual([expect.stringContaining("❌ <code>no-open-access</code> failed")]);
    expect(bodies[0]).toContain("[run](https://gitlab.example/jobs/1)");
  } finally {
    gitlab.close();
  }
});
