// Tests that take too long to run with every change: npm run nightly
//   --touched   only those of what has changed since the commit CLOUDDB_BASE, by default in the last commit
//   --list      print their names instead
import { parseArgs } from "node:util";
import { npm, run } from "./setup/command.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

/** The npm scripts, with the files whose change each of them tests. */
const SLOW = {
  limiter: /^(provider\/api\/|provider\/core\/(redis-sharing|script)\.ts|tests\/limiter\/)/,
  fleet: /^(fleet|examples\/fleet|tests\/fleet)\//,
  languages:
    /^(provider\/schema\.json|provider\/hosts\/plugin\/|tools\/(sdks|convert)\/|tests\/languages\/|templates\/|docs\/reference\/examples\/)/,
  backends: /^(tests\/backends\/|tools\/(backends|setup\/backends)\.mjs)/,
  "sdk-versions": /^(provider\/(sdk|hosts)\/|provider\/names\.ts|versions\.json|tests\/engine\/states\/)/,
  "node-versions": /^(package-lock\.json|versions\.json|tools\/(versions\.mjs|versions\/|setup\/node\.mjs))/,
};

await runMain(async () => {
  const { values } = parseArgs({ options: { touched: { type: "boolean" }, list: { type: "boolean" } } });
  const files = values.touched ? await changedFiles() : undefined;
  const names = Object.keys(SLOW).filter((name) => files === undefined || files.some((file) => SLOW[name].test(file)));
  if (values.list) return console.log(names.join(" "));
  const failed = [];
  for (const name of names) {
    const { code } = await run(npm, ["run", "--silent", name], { cwd: root, stdio: "inherit" });
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}`);
  process.exitCode = failed.length;
});

async function changedFiles() {
  const base = process.env.CLOUDDB_BASE || "HEAD^";
  const { code, stdout } = await run("git", ["diff", "--name-only", base, "HEAD"], { cwd: root });
  // Without that commit, as in a shallow clone, everything counts.
  return code === 0 ? stdout.split("\n") : undefined;
}
