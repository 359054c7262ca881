import { join } from "node:path";
import { workspaces } from "../../package.json";
import { lastLines, npm, run } from "./process";
import { SetupError } from "./progress";
import { root } from "./repository";

/** A packed package, as npm describes it. */
interface Package {
  readonly name: string;
  readonly tarball: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the packages as for npm. */
export async function pack(folder: string): Promise<Package[]> {
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  const packed = await run(npm, ["pack", "--json", "--pack-destination", folder, ...chosen], { cwd: root });
  if (packed.code !== 0) throw new SetupError(`npm pack failed; see below.\n${lastLines(packed)}`);
  const packages: Record<string, Omit<Package, "tarball"> & { readonly filename: string }> = JSON.parse(packed.stdout);
  return Object.values(packages).map(({ filename, ...rest }) => ({ ...rest, tarball: join(folder, filename) }));
}
