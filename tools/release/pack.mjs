import { createRequire } from "node:module";
import { join } from "node:path";
import { lastLines, npm, run } from "../setup/command.mjs";
import { SetupError } from "../setup/report.mjs";
import { root } from "../setup/root.mjs";

const { workspaces } = createRequire(import.meta.url)("../../package.json");

/**
 * Packs the packages as for npm.
 * @returns {Promise<{ name: string, version: string, tarball: string, size: number, files: { path: string, size: number }[] }[]>}
 */
export async function pack(folder) {
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  const packed = await run(npm, ["pack", "--json", "--pack-destination", folder, ...chosen], { cwd: root });
  if (packed.code !== 0) throw new SetupError(`npm pack failed; see below.\n${lastLines(packed)}`);
  return Object.values(JSON.parse(packed.stdout)).map(({ filename, ...rest }) => ({
    ...rest,
    tarball: join(folder, filename),
  }));
}
