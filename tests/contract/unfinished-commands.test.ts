import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";

/** Commands whose action can never finish, because of a promise that never settles. */

const folder = temporaryFolder("unfinished");
writeFileSync(join(folder, "preview.ndjson"), '{"sequence":0,"preludeEvent":{}}\n');
const never = "() => new Promise(() => {})";

test.each([
  [
    "clouddb-report FILE",
    ["report/bin/clouddb-report.js", "preview.ndjson", "--output", "report.md"],
    `require("node:fs/promises").writeFile = ${never}`,
  ],
  [
    "clouddb-fleet drift",
    ["fleet/bin/clouddb-fleet.js", "drift"],
    `require("${root}/node_modules/@pulumi/pulumi/automation").LocalWorkspace.create = ${never}`,
  ],
  [
    "pulumi-clouddb creations list",
    ["provider/bin/pulumi-clouddb.js", "creations", "list", "--journal", "creations"],
    `require("node:fs/promises").readdir = ${never}`,
  ],
  [
    "clouddb-simulator",
    ["simulator/bin/clouddb-simulator.js"],
    'require("node:net").Server.prototype.listen = function () { return this; }',
  ],
])("%s exits with an error if its action never finishes", (_, [file = "", ...args], stub) => {
  const preload = join(folder, "preload.cjs");
  writeFileSync(preload, stub);
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--require", preload, join(root, file), ...args],
    { cwd: folder, env: { PATH: process.env.PATH }, encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^.*ended before [^\n]*\n$/i)]);
});
