// Runs the most important engine tests with the oldest SDK that the provider allows, and with the newest that this
// Node can run. The engine stays the same.
import { createRequire } from "node:module";
import { join } from "node:path";
import { lastLines, npm, run } from "./setup/command.mjs";
import { runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const SDK = "@pulumi/pulumi";
const TESTS = ["lifecycle", "upgrade"].map((name) => `tests/engine/${name}.test.ts`);
const range = createRequire(import.meta.url)("../provider/package.json").peerDependencies[SDK];

await runMain(async () => {
  process.on("SIGINT", () => {});
  for (const version of [range.replace("^", ""), await newest()]) {
    console.log(`\n${SDK} ${version}`);
    const env = { ...process.env, CLOUDDB_TEST_SDK: version };
    const options = { cwd: root, env, stdio: "inherit" };
    const { code } = await run(process.execPath, [join(root, "scripts/test.mjs"), ...TESTS], options);
    if (code === 0) continue;
    console.log(`\n${SDK} ${version}: tests failed`);
    process.exitCode = 1;
  }
});

/** The newest release in the range whose `engines` allow this Node. */
async function newest() {
  const found = await run(npm, ["view", `${SDK}@${range}`, "version", "engines.node", "--json"], { cwd: root });
  if (found.code !== 0) throw new SetupError(`npm could not list versions of ${SDK}; see below.\n${lastLines(found)}`);
  const node = Number.parseInt(process.versions.node, 10);
  const suitable = JSON.parse(found.stdout).filter(
    (release) => Number(/\d+/.exec(release["engines.node"] ?? "0")) <= node,
  );
  const byAge = (one, other) => one.version.localeCompare(other.version, "en", { numeric: true });
  return suitable.sort(byAge).at(-1).version;
}
