// Runs the core of the engine tests with the oldest SDK that the provider allows and the newest that runs on this Node.
// The engine stays the same, and so does everything else.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { lastLines, npm, run } from "./setup/command.mjs";
import { runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const SDK = "@pulumi/pulumi";
/** What every user does: a life of a service, and states of earlier releases. */
const CORE = ["lifecycle", "upgrade"].map((name) => `tests/engine/${name}.test.ts`);

const { peerDependencies } = createRequire(import.meta.url)("../provider/package.json");

await runMain(async () => {
  const range = peerDependencies[SDK];
  for (const version of [range.replace(/^\^/, ""), await newest(range)]) {
    console.log(`\n${SDK} ${version}`);
    const code = await tests(version);
    if (code === 0) continue;
    console.log(`\nFAIL ${SDK} ${version}`);
    process.exitCode = 1;
  }
});

/** The newest release of a range whose `engines` this Node satisfies. */
async function newest(range) {
  const args = ["view", `${SDK}@${range}`, "version", "engines.node", "--json"];
  const found = await run(npm, args, { cwd: root });
  if (found.code !== 0) throw new SetupError(`npm could not list versions of ${SDK}: see below.\n${lastLines(found)}`);
  const [major] = process.versions.node.split(".").map(Number);
  const fits = ({ "engines.node": node }) => Number(/^>=\s*(\d+)/.exec(node ?? ">=0")?.[1]) <= major;
  const byAge = (one, other) => one.version.localeCompare(other.version, "en", { numeric: true });
  return JSON.parse(found.stdout).filter(fits).sort(byAge).at(-1).version;
}

function tests(version) {
  const child = spawn(process.execPath, [join(root, "scripts/test.mjs"), ...CORE], {
    cwd: root,
    env: { ...process.env, CLOUDDB_TEST_SDK: version },
    stdio: "inherit",
  });
  process.on("SIGINT", () => {});
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}
