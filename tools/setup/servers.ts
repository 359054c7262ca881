// Servers for states on shared backends, if this machine has them.
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { root } from "../support/repository";
import { goBuild, goModule } from "./go";

/** The folder of PostgreSQL's programs. Debian's package does not add it to PATH. */
export function findPostgres(): string {
  const debian = "/usr/lib/postgresql";
  const releases = existsSync(debian)
    ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))
    : [];
  const onPath = (process.env.PATH ?? "").split(delimiter);
  const folders = [...releases.map((release) => join(debian, release, "bin")), ...onPath];
  const found = folders.find((folder) =>
    ["initdb", "postgres", "psql"].every((program) => existsSync(join(folder, program))),
  );
  if (found === undefined)
    throw new Error("PostgreSQL is not installed. Debian's package postgresql has it.");
  return found;
}

/** An S3-compatible store. */
export function ensureS3Gateway(): Promise<string> {
  return ensureGoProgram("versitygw", "./cmd/versitygw");
}

/** A program that is built once from its Go module. */
export async function ensureGoProgram(
  name: keyof typeof versions.goTools,
  path = ".",
): Promise<string> {
  const module = versions.goTools[name];
  const folder = join(root, ".cache", `${name}-${module.split("@")[1]}`);
  const program = join(folder, name);
  await withLock(folder, async () => {
    if (!existsSync(program)) await goBuild(path, await goModule(module, root), program);
  });
  return program;
}
