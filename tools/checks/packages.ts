import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaces } from "../../package.json";
import { pluginCode } from "../setup/bundle";
import { publicDeclarations } from "../setup/declarations";
import { lastLines, npm, type Result, run, tool } from "../support/process";
import { SetupError } from "../support/progress";
import { type Manifest, manifestOf, root } from "../support/repository";

const NEEDED = ["LICENSE", "README.md", "package.json"];
const LARGEST_PLUGIN = 2_000_000;
const UNWANTED = /\.test\.|\.tsbuildinfo$|\.map$/;
const EXACT = /^\d+\.\d+\.\d+$/;

/** Packs the packages as for npm and runs publint and arethetypeswrong on them. */
export async function packages(): Promise<Result> {
  const ranges = workspaces.flatMap((workspace) => rangesOf(manifestOf(workspace)));
  if (ranges.length > 0) return resultOf(ranges);
  const folder = mkdtempSync(join(tmpdir(), "clouddb-packed-"));
  try {
    for (const { name, files, tarball } of await pack(folder)) {
      const paths = files.map(({ path }) => path);
      const missing = NEEDED.filter((path) => !paths.includes(path));
      const unwanted = paths.filter((path) => UNWANTED.test(path));
      const workspace = workspaces.find((folder) => manifestOf(folder).name === name) ?? "";
      const declarations = await publicDeclarations(workspace);
      missing.push(...declarations.filter((path) => !paths.includes(path)));
      unwanted.push(
        ...paths.filter((path) => path.endsWith(".d.ts") && !declarations.includes(path)),
      );
      if (missing.length + unwanted.length > 0) {
        return resultOf([`${name}: missing: ${missing}; not to be published: ${unwanted}`]);
      }
      for (const result of [
        await tool("publint", tarball, "--strict"),
        await tool("attw", tarball, "--exclude-entrypoints", "runtime", "definitions", "alerts"),
      ]) {
        if (result.code !== 0) return result;
      }
    }
    return resultOf([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Dependencies with a version range: a new release would be installed without review, in a process
 * that holds keys. Pulumi's own packages need ranges, because a program needs a single copy of
 * each.
 */
function rangesOf({ name: owner, dependencies, optionalDependencies }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...optionalDependencies })
    .filter(([name, version]) => !name.startsWith("@pulumi/") && !EXACT.test(version))
    .map(([name]) => `${owner}: declare an exact version of ${name}`);
}

/** Checks the plugin's size, since every installation of the npm package downloads it. */
export async function pluginSize(): Promise<Result> {
  const { size } = statSync(pluginCode);
  const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  if (size <= LARGEST_PLUGIN) return resultOf([], inMegabytes(size));
  return resultOf([
    `${pluginCode} has ${inMegabytes(size)}, and at most ${inMegabytes(LARGEST_PLUGIN)} are allowed.`,
  ]);
}

/** The result of a check from its list of problems. */
function resultOf(problems: readonly string[], note = ""): Result {
  return { code: problems.length === 0 ? 0 : 1, stdout: problems.join("\n"), stderr: "", note };
}

/** A packed package in npm's description. */
interface Package {
  readonly name: string;
  readonly tarball: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the packages as for npm. */
export async function pack(folder: string): Promise<Package[]> {
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  const packed = await run(npm, ["pack", "--json", "--pack-destination", folder, ...chosen], {
    cwd: root,
  });
  if (packed.code !== 0) throw new SetupError(`npm pack failed; see below.\n${lastLines(packed)}`);
  const packages: Record<string, Omit<Package, "tarball"> & { readonly filename: string }> =
    JSON.parse(packed.stdout);
  return Object.values(packages).map(({ filename, ...rest }) => ({
    ...rest,
    tarball: join(folder, filename),
  }));
}
