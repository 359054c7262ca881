import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seed from "../../simulator/seeds/example.json";
import { ensurePythonCommand } from "../../tools/setup/python";
import { ensureGoProgram } from "../../tools/setup/servers";
import versions from "../../versions.json";
import { pipesWithSecrets, serviceSecrets } from "../engine/support/canaries";
import { expectFailure, expectOk, newStack, type Outcome, simulated, testHome } from "../engine/support/stack";
import { EXAMPLE } from "../support/example";
import { conclude } from "./support/conclude";

/** A test that needs Python, and is skipped without it. */
const testWithPython = spawnSync("python3", ["--version"]).status === 0 ? test : test.skip;

/** Random secrets of kinds that detectors know by their forms. */

const letters = (count: number) =>
  randomBytes(2 * count)
    .toString("base64")
    .replace(/\W/g, "")
    .slice(0, count);
const KINDS: readonly (() => string)[] = [
  () => `ghp_${letters(36)}`,
  () => `sk_live_${letters(24)}`,
  () => `SG.${letters(22)}.${letters(43)}`,
  () => `glpat-${letters(20)}`,
  () =>
    `AKIA${randomBytes(30)
      .toString("base64")
      .replace(/[^A-Z2-7]/g, "")
      .padEnd(16, "Q7")
      .slice(0, 16)}`,
];
const planted: string[] = [];

function plant(): string {
  const secret = KINDS[planted.length % KINDS.length]?.() ?? "";
  planted.push(secret);
  return secret;
}

/** The same arguments with a planted secret for each text. */
function withSecrets(value: unknown): unknown {
  if (typeof value === "string") return plant();
  return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, withSecrets(inner)]));
}

const PROGRAM = `
  const { service, pipes } = JSON.parse(process.env.PLANTED);
  const db = new clouddb.Service("db", service);
  for (const { pipeId, source } of pipes) {
    new clouddb.Pipe(pipeId, { serviceId: "${EXAMPLE.service}", pipeId, source });
  }
  exports.password = db.password;
  exports.found = clouddb.getServiceOutput({ serviceId: "${EXAMPLE.service}" });
`;

/**
 * The output and the files of commands against a server that first refuses and echoes everything, then shows it in
 * responses.
 */
async function leftBehind(folder: string): Promise<void> {
  const [keySecret, accessToken] = [plant(), plant()];
  const api = await simulated({ seed: seed as never, keySecret, accessToken });
  const stack = await newStack(api, PROGRAM);
  const service = withSecrets(serviceSecrets("first"));
  const pipes = pipesWithSecrets("first").map(({ pipeId, source }) => ({ pipeId, source: withSecrets(source) }));
  stack.environment({
    CLOUDDB_JOURNAL: join(stack.folder, "journal"),
    PLANTED: JSON.stringify({ service, pipes }),
  });
  const note = async (name: string, run: Promise<string>) => writeFileSync(join(folder, name), await run);
  const all = (command: Promise<Outcome>) => command.then(({ output }) => output);

  /** Refuses a request, and echoes what was sent with it. */
  const refusal = (method: string, path: string, args: unknown) => {
    const sent = [keySecret, accessToken, ...planted.filter((secret) => JSON.stringify(args).includes(secret))];
    const body = { requestId: JSON.stringify(sent), error: `BAD_REQUEST: ${sent.join(" | ")}` };
    return { method, path, effect: { kind: "status", status: 400, body } as const };
  };
  await api.faults(
    refusal("POST", "/services", service),
    ...pipes.map(({ pipeId, source }) => refusal("PATCH", pipeId, source)),
  );
  await note("failed.txt", expectFailure(stack.up("--diff", "--continue-on-error")));
  const answers = pipes.map(({ pipeId, source }) => ({
    method: "PATCH",
    path: pipeId,
    effect: { kind: "answer", result: { source, password: planted[0] }, password: planted[1] } as const,
  }));
  await api.faults(...answers);
  await note("up.txt", expectOk(stack.up("--diff")));
  await note("refresh.txt", expectOk(stack.refresh()));
  const others = pipes.map(({ pipeId, source }) => ({ pipeId, source: withSecrets(source) }));
  stack.environment({ PLANTED: JSON.stringify({ service, pipes: others }) });
  await note("preview.txt", all(stack.preview()));
  const events = join(stack.folder, "events.ndjson");
  stack.environment({ PULUMI_DEBUG_COMMANDS: "true" });
  await note("with-events.txt", all(stack.preview("--event-log", events)));
  const report = spawnSync(join(testHome(), "node_modules/.bin/clouddb-report"), [events], { encoding: "utf8" });
  await note("report.md", Promise.resolve(report.stdout + report.stderr));
  await note("outputs.txt", expectOk(stack.pulumi("stack", "output")));
  await note("export.json", expectOk(stack.pulumi("stack", "export")));
  for (const path of ["requests", "state", "faults"]) {
    await note(
      `${path}.json`,
      fetch(`${api.baseUrl}/__admin/${path}`).then((response) => response.text()),
    );
  }
  for (const name of ["state", "home", "journal"]) {
    spawnSync("cp", ["-r", join(stack.folder, name), join(folder, name)]);
  }
}

/** The secrets that a judge finds under a folder. */
type Judge = (folder: string) => Promise<string[]>;

const detectSecrets: Judge = async (folder) => {
  const program = await ensurePythonCommand("detect-secrets");
  // Without the detectors of random texts and of names of secrets: they also find ciphertexts, which are meant to be
  // there.
  const vague = ["Base64HighEntropyString", "HexHighEntropyString", "KeywordDetector", "IPPublicDetector"];
  const args = ["scan", "--all-files", "--no-verify", ...vague.flatMap((name) => ["--disable-plugin", name]), "."];
  const { stdout } = spawnSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 });
  const { results } = JSON.parse(stdout) as { results: Record<string, { type: string; line_number: number }[]> };
  return Object.entries(results).flatMap(([file, all]) =>
    all.map(({ type, line_number: line }) => `${file}:${line}: ${type}`),
  );
};

const gitleaks: Judge = async (folder) => {
  const found = join(testHome(), "gitleaks.json");
  const args = ["dir", folder, "--no-banner", "--log-level", "error", "--exit-code", "0", "--report-path", found];
  spawnSync(await ensureGoProgram("gitleaks"), args);
  const results: { RuleID: string; File: string; StartLine: number }[] = JSON.parse(readFileSync(found, "utf8"));
  rmSync(found);
  // The rule for any random text finds ciphertexts, too.
  const specific = results.filter(({ RuleID: rule }) => rule !== "generic-api-key");
  return specific.map(({ RuleID: rule, File: file, StartLine: line }) => `${file}:${line}: ${rule}`);
};

const JUDGES: readonly (readonly [string, string, Judge])[] = [
  ["detect-secrets on PyPI", versions.pythonTools["detect-secrets"], detectSecrets],
  ["github.com/zricethezav/gitleaks", versions.goTools.gitleaks.split("@v")[1] ?? "", gitleaks],
];
const hasGo = spawnSync("go", ["version"]).status === 0;

testWithPython("nothing that commands print and leave behind has a secret in plain text", async () => {
  const folder = mkdtempSync(join(testHome(), "left-"));
  await leftBehind(folder);
  // The server's echo was printed, and the report was written.
  expect(readFileSync(join(folder, "failed.txt"), "utf8")).toContain("[secret] | [secret]");
  expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("to update");
  for (const [source, version, judge] of JUDGES.slice(0, hasGo ? 2 : 1)) {
    // The judge finds each secret. Of each kind, detect-secrets names only the first one in a file.
    const control = mkdtempSync(join(testHome(), "control-"));
    for (const [index, secret] of planted.entries()) {
      writeFileSync(join(control, `${index}.txt`), `a text with ${secret} in it\n`);
    }
    const found = (await judge(control)).map((place) => /(\d+)\.txt:/.exec(place)?.[1]);
    expect([source, new Set(found).size]).toEqual([source, planted.length]);
    conclude({ source, version }, planted.length, await judge(folder));
  }
});
