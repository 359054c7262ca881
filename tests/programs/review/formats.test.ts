import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, type Stack, simulated, testHome } from "../../engine/support/stack";
import { configured } from "./support/pack";

/** SARIF and JUnit XML of real previews, with the places that the engine knows. */

const REPORT = join(testHome(), "node_modules/.bin/clouddb-report");
const FLAGS = ["--non-interactive", "--color", "never"];
const OPEN = `new clouddb.Service("analytics", {
  provider: "aws",
  region: "us-east-1",
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32,
  numReplicas: 3,
  ipAccessList: [{ source: "0.0.0.0/0", description: "canary-secret" }],
});`;

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly locations: readonly [
    { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object } },
  ];
  readonly partialFingerprints: object;
}

function resultsIn(file: string): readonly Result[] {
  return JSON.parse(readFileSync(file, "utf8")).runs.flatMap((run: { results: Result[] }) => run.results);
}

const placesIn = (file: string) =>
  resultsIn(file).map(({ ruleId, level, locations: [{ physicalLocation }] }) => [
    ruleId,
    level,
    physicalLocation.artifactLocation.uri,
    physicalLocation.region,
  ]);

/** Makes the project's folder a subfolder of a repository, with the program in TypeScript. */
async function inRepository(stack: Stack): Promise<void> {
  await expectOk(stack.command("git", "init", "--quiet", ".."));
  writeFileSync(
    join(stack.folder, "index.ts"),
    `import * as clouddb from "pulumi-clouddb";\n\n// The line below moves.\n${OPEN.replace("new", "export const service = new")}\n`,
  );
  const project = join(stack.folder, "Pulumi.yaml");
  writeFileSync(project, "name: test\nruntime: nodejs\nmain: index.ts\n");
}

test("run: a violation is in the line that declares the resource, in TypeScript, below the repository's root", async () => {
  const folder = join(mkdtempSync(join(testHome(), "repository-")), "infra");
  mkdirSync(folder);
  const stack = await newStack(await simulated(), "", folder);
  await inRepository(stack);
  const [sarif, junit, report] = ["r.sarif", "r.xml", "r.md"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const options = ["--output", report, "--sarif", sarif, "--junit", junit, "--mask", "canary-\\w+", "--hash"];
  const run = (...args: string[]) => stack.command(REPORT, "run", ...options, "--", ...FLAGS, ...args);

  const { code, output } = await run(...configured(stack, {}));
  expect([code, output]).toEqual([2, expect.stringContaining("no-open-access failed")]);
  expect(placesIn(sarif)).toContainEqual([
    "no-open-access",
    "error",
    "infra/index.ts",
    { startLine: 4, startColumn: expect.any(Number) },
  ]);
  expect(readFileSync(junit, "utf8")).toContain('<testcase name="no-open-access: Service analytics"');
  expect(readFileSync(report, "utf8")).toContain("❌ <code>no-open-access</code> failed");
  expect(readFileSync(sarif, "utf8") + readFileSync(junit, "utf8")).not.toContain("canary-secret");
  expect(output).toContain("--hash prints nothing: the preview failed before it finished.");

  // What happens is the same in another line and at another time.
  const advisory = configured(stack, { "no-open-access": "advisory" });
  const hashIn = (text: string) => /^[0-9a-f]{64}$/m.exec(text)?.[0];
  const hash = hashIn((await run(...advisory)).output);
  expect(hash).toBeDefined();
  const program = join(folder, "index.ts");
  const prints = resultsIn(sarif).map(({ partialFingerprints }) => partialFingerprints);
  writeFileSync(program, `\n\n${readFileSync(program, "utf8")}`);
  expect(hashIn((await run(...advisory)).output)).toBe(hash);
  expect(placesIn(sarif)).toContainEqual([
    "no-open-access",
    "warning",
    "infra/index.ts",
    expect.objectContaining({ startLine: 6 }),
  ]);
  expect(resultsIn(sarif).map(({ partialFingerprints }) => partialFingerprints)).toEqual(prints);
  writeFileSync(program, readFileSync(program, "utf8").replace("numReplicas: 3", "numReplicas: 4"));
  expect(hashIn((await run(...advisory)).output)).not.toBe(hash);

  const wrong = await run("--no-such-flag");
  expect(wrong.code).toBe(2);
  expect(readFileSync(sarif, "utf8")).toMatch(/"executionSuccessful": false[\s\S]*unknown flag: --no-such-flag/);
  expect(readFileSync(junit, "utf8")).toMatch(/errors="1"[\s\S]*<error message="error: unknown flag: --no-such-flag/);
});

test("piped events, with the digest of the same preview, and an exempted violation", async () => {
  const stack = await newStack(await simulated(), OPEN);
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const entry = { policy: "no-open-access", resource: "analytics", reason: "until the VPN is there", until };
  const config = configured(stack, { exemptions: { list: [entry] } });
  const [events, digest, sarif, junit] = ["events", "digest.json", "r.sarif", "r.xml"].map((name) =>
    join(stack.folder, name),
  ) as [string, string, string, string];
  stack.environment({ PULUMI_DEBUG_COMMANDS: "true" });
  const preview = await stack.pulumi("preview", "--json", "--show-sames", "--event-log", events, ...config);
  writeFileSync(digest, preview.output);
  await expectOk(stack.command(REPORT, events, "--positions", digest, "--sarif", sarif, "--junit", junit));
  expect(placesIn(sarif)).toContainEqual(["no-open-access", "note", "index.js", { startLine: 3, startColumn: 1 }]);
  expect(readFileSync(sarif, "utf8")).toContain(`"justification": "until ${until} (until the VPN is there)"`);
  expect(readFileSync(junit, "utf8")).toMatch(/<testcase name="no-open-access: Service analytics"[^>]*><skipped>/);

  // Without the digest, in the project file.
  await expectOk(stack.command(REPORT, events, "--sarif", sarif));
  expect(placesIn(sarif)).toContainEqual(["no-open-access", "note", "Pulumi.yaml", { startLine: 1 }]);
});
