import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePythonCommand } from "../../tools/setup/python";
import { ensureGoProgram } from "../../tools/setup/servers";
import { pipesWithSecrets, reportOn, serviceSecrets } from "../engine/support/canaries";
import {
  expectFailure,
  newStack,
  type Outcome,
  outcomeOf,
  simulated,
  testHome,
} from "../engine/support/stack";
import { EXAMPLE, exampleSeed as seed } from "../support/example";

/**
 * Detectors of secrets search everything that commands print and leave behind, after a server has
 * echoed all secrets.
 */

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const hasGo = spawnSync("go", ["version"]).status === 0;

const letters = (count: number) =>
  randomBytes(2 * count)
    .toString("base64")
    .replace(/\W/g, "")
    .slice(0, count);
/** Random secrets of kinds that detectors know by their forms. */
const KINDS: readonly (() => string)[] = [
  () => `ghp_${letters(36)}`,
  () => `sk_live_${letters(24)}`,
  () => `SG.${letters(22)}.${letters(43)}`,
  () => `glpat-${letters(20)}`,
  () =>
    `AKIA${letters(40)
      .toUpperCase()
      .replace(/[01_89]/g, "")
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
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, withSecrets(inner)]),
  );
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
 * Fills a folder with all that commands print and leave behind: a server refuses and echoes
 * everything, then shows it.
 */
async function leaveBehind(folder: string): Promise<void> {
  const [keySecret, accessToken] = [plant(), plant()];
  const api = await simulated({ seed, keySecret, accessToken });
  const stack = await newStack(api, PROGRAM);
  const service = withSecrets(serviceSecrets("first"));
  const pipes = pipesWithSecrets("first").map(({ pipeId, source }) => ({
    pipeId,
    source: withSecrets(source),
  }));
  const events = join(stack.folder, "events.ndjson");
  stack.environment({
    CLOUDDB_JOURNAL: join(stack.folder, "journal"),
    PLANTED: JSON.stringify({ service, pipes }),
    // Required for the event log flag.
    PULUMI_DEBUG_COMMANDS: "true",
  });
  const note = async (name: string, printed: Promise<string>) =>
    writeFileSync(join(folder, name), await printed);

  const refusal = (method: string, path: string, args: unknown) => {
    const sent = [
      keySecret,
      accessToken,
      ...planted.filter((secret) => JSON.stringify(args).includes(secret)),
    ];
    const body = { requestId: JSON.stringify(sent), error: `BAD_REQUEST: ${sent.join(" | ")}` };
    return { method, path, effect: { kind: "status", status: 400, body } as const };
  };
  const refusals = pipes.map(({ pipeId, source }) => refusal("PATCH", pipeId, source));
  await api.faults(refusal("POST", "/services", service), ...refusals);
  await note("failed.txt", expectFailure(stack.up("--diff", "--continue-on-error")));

  const answers = pipes.map(({ pipeId, source }) => {
    const result = { source, password: planted[0] };
    return {
      method: "PATCH",
      path: pipeId,
      effect: { kind: "answer", result, password: planted[1] } as const,
    };
  });
  await api.faults(...answers);
  await note("up.txt", stack.up("--diff"));
  await note("refresh.txt", stack.refresh());

  const others = pipes.map(({ pipeId, source }) => ({ pipeId, source: withSecrets(source) }));
  stack.environment({ PLANTED: JSON.stringify({ service, pipes: others }) });
  await note(
    "preview.txt",
    outcomeOf(stack.preview("--event-log", events)).then(({ output }: Outcome) => output),
  );
  writeFileSync(join(folder, "report.md"), reportOn(events));
  await note("outputs.txt", stack.pulumi("stack", "output"));
  await note("export.json", stack.pulumi("stack", "export"));
  for (const path of ["requests", "state", "faults"]) {
    const response = await fetch(`${api.baseUrl}/__admin/${path}`);
    await note(`${path}.json`, response.text());
  }
  for (const name of ["state", "home", "journal"]) {
    cpSync(join(stack.folder, name), join(folder, name), { recursive: true });
  }
}

/** The places under a folder where a detector finds secrets. */
type Detector = (folder: string) => Promise<string[]>;

/**
 * Detectors of random texts and of names of secrets also find ciphertexts, which are meant to be
 * there.
 */
const VAGUE = [
  "Base64HighEntropyString",
  "HexHighEntropyString",
  "KeywordDetector",
  "IPPublicDetector",
];
const detectSecrets: Detector = async (folder) => {
  const program = await ensurePythonCommand("detect-secrets");
  const args = [
    "scan",
    "--all-files",
    "--no-verify",
    ...VAGUE.flatMap((name) => ["--disable-plugin", name]),
    ".",
  ];
  const { stdout } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const { results } = JSON.parse(stdout) as {
    results: Record<string, { type: string; line_number: number }[]>;
  };
  return Object.entries(results).flatMap(([file, all]) =>
    all.map((found) => `${file}:${found.line_number}`),
  );
};

const gitleaks: Detector = async (folder) => {
  const file = join(testHome(), "gitleaks.json");
  const args = [
    "dir",
    folder,
    "--no-banner",
    "--log-level",
    "error",
    "--exit-code",
    "0",
    "--report-path",
    file,
  ];
  spawnSync(await ensureGoProgram("gitleaks"), args);
  const results: { RuleID: string; File: string; StartLine: number }[] = JSON.parse(
    readFileSync(file, "utf8"),
  );
  rmSync(file);
  const specific = results.filter(({ RuleID }) => RuleID !== "generic-api-key");
  return specific.map(({ RuleID, File, StartLine }) => `${File}:${StartLine}: ${RuleID}`);
};

(hasPython ? test : test.skip)("no secret is in what commands print and leave behind", async () => {
  const folder = mkdtempSync(join(testHome(), "left-"));
  await leaveBehind(folder);
  // The server's echo was printed, and the report was written.
  expect(readFileSync(join(folder, "failed.txt"), "utf8")).toContain("[secret] | [secret]");
  expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("to update");

  const control = join(folder, "control");
  for (const detector of hasGo ? [detectSecrets, gitleaks] : [detectSecrets]) {
    expect(await detector(folder)).toEqual([]);
    // A detector is believed if it finds each secret. Of each kind, detect-secrets names only the
    // first in a file.
    mkdirSync(control);
    for (const [index, secret] of planted.entries()) {
      writeFileSync(join(control, `${index}.txt`), `a text with ${secret} in it\n`);
    }
    const found = (await detector(control)).map((place) => /(\d+)\.txt:/.exec(place)?.[1]);
    expect(new Set(found).size).toBe(planted.length);
    rmSync(control, { recursive: true });
  }
});
