// Processor time and memory of work that grows, and the exponent between its sizes, less a run
// without work: 1 is linear.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTable, progress, root } from "./support/project.mjs";

const folder = mkdtempSync(join(tmpdir(), "clouddb-growth-"));
const TOKEN = "bench-token-0123456789";
const ID = "11111111-1111-4111-8111-111111111111";
const ENVIRONMENT = {
  PATH: `${folder}:${process.env.PATH}`,
  GITHUB_TOKEN: TOKEN,
  CLOUDDB_JOURNAL: "off",
  CLOUDDB_KEY_ID: "bench",
  CLOUDDB_KEY_SECRET: TOKEN,
  CLOUDDB_ORGANIZATION_ID: ID,
};
const URN = "urn:pulumi:dev::app::pulumi:pulumi:Stack::app-dev";
const STACK_LINE =
  "    at Object.<anonymous> (/home/app/node_modules/@pulumi/pulumi/invoke.js:12:17)\n";
const JSON_LINE = `${JSON.stringify({ body: JSON.stringify({ text: "a\nb", url: "https%3A%2F%2Fa" }) })}\n`;
const SERVICE = { provider: "aws", region: "us-east-1", numReplicas: 3 };
const many = (count, item) => Array.from({ length: count }, (_, index) => item(index));

const report = (events) => {
  const file = join(folder, "events.json");
  const numbered = [{ preludeEvent: { config: {} } }, ...events].map((event, sequence) =>
    JSON.stringify({ sequence, timestamp: 1, ...event }),
  );
  writeFileSync(file, `${numbered.join("\n")}\n`);
  return [join(root, "report/bin/clouddb-report.js"), file, "--fail-on", "never"];
};
const failure = (line) => (size) => {
  const message = line.repeat(Math.ceil((size * 2 ** 20) / line.length));
  const facts = { urn: URN, prefix: "", color: "never", severity: "error" };
  return report([{ diagnosticEvent: { ...facts, message } }]);
};
const preview = (size) =>
  report(
    many(size, (index) => {
      const type = "clouddb:index:Service";
      const state = { type, urn: `urn:pulumi:dev::app::${type}::db${index}`, custom: true };
      const inputs = { ...SERVICE, name: `db${index}` };
      const metadata = { ...state, op: "create", new: { ...state, inputs, outputs: {} } };
      return { resourcePreEvent: { metadata, planning: true } };
    }),
  );
const journal = (text) => {
  const place = mkdtempSync(join(folder, "journal-"));
  return (size) => {
    for (let index = 0; index < size; index += 1)
      writeFileSync(join(place, `${index.toString(16).padStart(32, "0")}.json`), text);
    const command = join(root, "provider/dist/creations.js");
    return [command, "creations", "list", "--journal", place];
  };
};
const RECORD = {
  version: 1,
  backend: "file:///state",
  urn: URN,
  baseUrl: "https://api.example.com",
  organizationId: ID,
  title: "service",
  name: "db",
  sentAt: "2026-01-01T00:00:00Z",
  process: 1,
  secrets: { salt: "", iv: "", tag: "", text: "" },
};
/** Replaces Pulumi's CLI, whose processes do not count. */
const PULUMI = `#!/bin/sh
case "$*" in
version*) echo v3.205.0 ;;
"stack ls"*) cat ${folder}/stacks.json ;;
*--event-log*)
  while [ "$1" != --event-log ]; do shift; done
  cp ${folder}/events.json "$2" && sleep 2
  ;;
esac`;
const fleet = (size) => {
  writeFileSync(join(folder, "pulumi"), PULUMI, { mode: 0o755 });
  const stacks = many(size, (index) => ({ name: `stack${index}`, current: false }));
  writeFileSync(join(folder, "stacks.json"), JSON.stringify(stacks));
  report([{ summaryEvent: { resourceChanges: {} } }]);
  return [join(root, "fleet/bin/clouddb-fleet.js"), "roll-out", "--preview"];
};
const script = (text) => (size) => ["-e", HEAD + text, String(size)];
const HEAD = `
  const [size, id] = [Number(process.argv[1]), "${ID}"];
  const many = ${many};
  const entries = (count, network, description = "") =>
    many(count, (host) => ({ source: \`10.\${network}.\${host >> 8}.\${host & 255}\`, description }));`;
const LIST = `
  const { resources } = require("./provider/dist/resources");
  const { buildUpdateBody, diff } = require("./provider/dist/fields/changes");
  const { check } = require("./provider/dist/fields/check");
  const { definition } = resources.Service;
  const inputs = (network) => ({
    name: "one", ipAccessList: [...entries(size - (size >> 3), 1), ...entries(size >> 3, network)],
  });
  check(definition, undefined, inputs(3), {});
  diff(definition, { ...inputs(2), __declared: ["ipAccessList"] }, inputs(3));
  buildUpdateBody(definition, "updateService", inputs(2), inputs(3));`;
const SECRETS = `
  const { addSecrets, redact } = require("./facts").createRedactor();
  addSecrets(many(size, (index) => index + process.env.GITHUB_TOKEN));
  redact(${JSON.stringify(STACK_LINE + JSON_LINE)}.repeat(2000));`;
const POLICIES = `
  const { judge, policies } = require("pulumi-clouddb-policies");
  const resources = many(size, (index) => (
    { type: "Service", name: "db" + index, args: ${JSON.stringify(SERVICE)} }
  ));
  for (const policy of policies) judge(policy, { resources });`;
const CHECKS = `
  const { service } = require("pulumi-clouddb/runtime");
  for (const name of many(size, (index) => "db" + index))
    service.check({}, { ...${JSON.stringify(SERVICE)}, name, __resourceName: name, __urn: "${URN}" + name });`;
const ACCESS = `
  const { serviceAccess } = require("pulumi-clouddb/runtime");
  const own = entries(size, 1, "app/dev");
  let ipAccessList = [...own, ...entries(size, 2, "other")];
  const server = require("node:http").createServer(({ method }, response) => {
    if (method === "PATCH") ipAccessList = ipAccessList.slice(size);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ status: 200, requestId: id, result: { id, ipAccessList } }));
  });
  server.listen(0, "127.0.0.1", async () => {
    process.env.CLOUDDB_BASE_URL = "http://127.0.0.1:" + server.address().port;
    const state = { serviceId: id, ipAccessList: own, __declared: ["ipAccessList"], __urn: "${URN}" };
    await serviceAccess.delete(id, state);
    server.close().closeAllConnections();
  });`;

const MEGABYTES = [0, 1, 2, 4];
const ITEMS = [0, 4000, 8000, 16_000];
const RESOURCES = [0, 1000, 2000, 4000];
/** The sizes of each work, and the command that does it. */
const WORK = {
  "MB of an error in a report, a stack": [MEGABYTES, failure(STACK_LINE)],
  "MB of an error in a report, JSON": [MEGABYTES, failure(JSON_LINE)],
  "secrets in a text": [ITEMS, script(SECRETS)],
  "entries of a list, an eighth of them changed": [ITEMS, script(LIST)],
  "entries that a ServiceAccess removes": [ITEMS, script(ACCESS)],
  "resources in a report": [ITEMS, preview],
  "resources that policies judge": [[0, 500, 1000, 2000], script(POLICIES)],
  "resources that the provider checks": [RESOURCES, script(CHECKS)],
  "records of a journal": [ITEMS, journal(JSON.stringify(RECORD))],
  "unreadable records of a journal": [ITEMS, journal("{")],
  "stacks of a fleet, without the CLI": [[1, 20, 40, 80], fleet],
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
      env: ENVIRONMENT,
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
    const series = (values) => values.join("/");
    const cells = [
      series(sizes.slice(1).map((size) => size.toLocaleString("en"))),
      series(times.map(({ seconds }) => seconds.toFixed(1))),
      series(times.map(({ megabytes }) => megabytes.toFixed(0))),
    ];
    rows.push([name, ...cells, exponent.toFixed(2)]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
printTable(["size of", "sizes", "seconds", "MB", "exponent"], rows);
