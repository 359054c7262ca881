// Processor time and memory of work that grows, and the exponent between its sizes, less a run
// without work: 1 is linear.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTable, progress, root } from "./support/project.mjs";

const folder = mkdtempSync(join(tmpdir(), "clouddb-growth-"));
const TOKEN = "bench-token-abcdefghijklmnopqrstuvwxyz";
const URN = "urn:pulumi:dev::app::pulumi:pulumi:Stack::app-dev";
const STACK_LINE =
  "    at Object.<anonymous> (/home/app/node_modules/@pulumi/pulumi/invoke.js:12:17)\n";
const JSON_LINE = `${JSON.stringify({ body: JSON.stringify({ text: "a\nb", url: "https%3A%2F%2Fa" }) })}\n`;

const report = (events) => {
  const file = join(folder, "events.json");
  const numbered = [{ preludeEvent: { config: {} } }, ...events].map((event, sequence) =>
    JSON.stringify({ sequence, timestamp: 1, ...event }),
  );
  writeFileSync(file, `${numbered.join("\n")}\n`);
  return [join(root, "report/bin/clouddb-report.js"), file, "--fail-on", "never"];
};
const failure = (line) => (size) =>
  report([
    {
      diagnosticEvent: {
        ...{ urn: URN, prefix: "", color: "never", severity: "error" },
        message: line.repeat(Math.ceil(size / line.length)),
      },
    },
  ]);
const script = (text) => (size) => ["-e", text, String(size), TOKEN, STACK_LINE + JSON_LINE];
const LIST = `
  const { resources } = require("./provider/dist/resources");
  const { buildUpdateBody, diff } = require("./provider/dist/fields/changes");
  const { check } = require("./provider/dist/fields/check");
  const { definition } = resources.Service;
  const size = Number(process.argv[1]);
  const list = (network, count) => Array.from({ length: count }, (_, host) => (
    { source: \`10.\${network}.\${host >> 8}.\${host & 255}\`, description: "" }
  ));
  const inputs = (network) => ({
    name: "one", ipAccessList: [...list(1, size - (size >> 3)), ...list(network, size >> 3)],
  });
  check(definition, undefined, inputs(3), {});
  diff(definition, inputs(2), inputs(3));
  buildUpdateBody(definition, "updateService", inputs(2), inputs(3));`;
const SECRETS = `
  const { addSecrets, redact } = require("./facts").createRedactor();
  const [, size, token, text] = process.argv;
  addSecrets(Array.from({ length: Number(size) }, (_, index) => index + token));
  redact(text.repeat(2000));`;

/** The sizes of each work, and the command that does it. */
const WORK = {
  "bytes of an error in a report, a stack": [[0, 2 ** 20, 2 ** 21, 2 ** 22], failure(STACK_LINE)],
  "bytes of an error in a report, JSON": [[0, 2 ** 20, 2 ** 21, 2 ** 22], failure(JSON_LINE)],
  "secrets in a text": [[0, 4000, 8000, 16_000], script(SECRETS)],
  "entries of a list, an eighth of them changed": [[0, 4000, 8000, 16_000], script(LIST)],
  "unreadable records of a journal": [
    [0, 4000, 8000, 16_000],
    (size) => {
      for (let index = 0; index < size; index += 1)
        writeFileSync(join(folder, `${index.toString(16).padStart(32, "0")}.json`), "{");
      const command = join(root, "provider/dist/creations.js");
      return [command, "creations", "list", "--journal", folder];
    },
  ],
};

/**
 * Prints the kilobytes and the microseconds of a process at its end: other processes do not count.
 */
const USAGE = `process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write("\\n" + maxRSS + " " + (userCPUTime + systemCPUTime));
})`;

function measure(args) {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(USAGE)}`, ...args],
    {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env.PATH, GITHUB_TOKEN: TOKEN },
      maxBuffer: Number.POSITIVE_INFINITY,
    },
  );
  if (status !== 0) throw new Error(stderr);
  const [kilobytes, microseconds] = stderr.split("\n").at(-1).split(" ").map(Number);
  return { seconds: microseconds / 1e6, megabytes: kilobytes / 1024 };
}

const rows = [];
try {
  for (const [name, [sizes, argsOf]] of Object.entries(WORK)) {
    progress(name);
    const [start, ...times] = sizes.map((size) => {
      const args = argsOf(size);
      return [measure(args), measure(args)].sort((one, other) => one.seconds - other.seconds)[0];
    });
    const [first, , last] = times.map(({ seconds }) => Math.max(0.001, seconds - start.seconds));
    const exponent = Math.log(last / first) / Math.log(sizes[3] / sizes[1]);
    const cells = times.map(
      ({ seconds, megabytes }, index) =>
        `${sizes[index + 1].toLocaleString("en")}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`,
    );
    rows.push([name, ...cells, exponent.toFixed(2)]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
printTable(["size of", "", "", "", "exponent"], rows);
