import { createRequire } from "node:module";
import { lastLines, npm, run } from "../setup/command.mjs";
import { SetupError } from "../setup/report.mjs";
import { root } from "../setup/root.mjs";

const SDK = "@pulumi/pulumi";
const range = createRequire(import.meta.url)("../../provider/package.json").peerDependencies[SDK];

/** The newest SDK that the provider and a Node version allow. */
export async function newest(node) {
  const found = await run(npm, ["view", `${SDK}@${range}`, "version", "engines.node", "--json"], { cwd: root });
  if (found.code !== 0) throw new SetupError(`npm could not list versions of ${SDK}; see below.\n${lastLines(found)}`);
  const suitable = JSON.parse(found.stdout).filter(
    (release) => Number(/\d+/.exec(release["engines.node"] ?? "0")) <= node,
  );
  const byAge = (one, other) => one.version.localeCompare(other.version, "en", { numeric: true });
  return suitable.sort(byAge).at(-1).version;
}
