import { join } from "node:path";
import { workspaces } from "../../package.json";
import { lastLines, npm, run } from "../support/process";
import { SetupError } from "../support/progress";
import { manifestOf, root } from "../support/repository";

/** A packed package, as npm describes it. */
export interface Package {
  readonly name: string;
  readonly tarball: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs the packages as for npm. */
export async function pack(folder: string): Promise<Package[]> {
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  const packed = await run(npm, ["pack", "--json", "--pack-destination", folder, ...chosen], { cwd: root });
  if (packed.code !== 0) throw new SetupError(`npm pack failed; see below.\n${lastLines(packed)}`);
  const packages: Record<string, Omit<Package, "tarball"> & { readonly filename: string }> = JSON.parse(packed.stdout);
  return Object.values(packages).map(({ filename, ...rest }) => ({ ...rest, tarball: join(folder, filename) }));
}

/** The packages of this version that an earlier run has packed. */
export function packedIn(folder: string): Pick<Package, "name" | "tarball">[] {
  return workspaces.map((workspace) => {
    const { name, version } = manifestOf(workspace);
    return { name, tarball: join(folder, `${name}-${version}.tgz`) };
  });
}
