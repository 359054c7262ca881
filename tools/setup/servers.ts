// Servers for states on shared backends, where this machine can have them.
import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { root } from "../support/repository";
import { goBuild, goModule } from "./go";

const S3_GATEWAY = versions.goTools.versitygw;

/** The folder of PostgreSQL's programs. Debian's package does not add it to PATH. */
export function findPostgres(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const releases = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  const onPath = (process.env.PATH ?? "").split(delimiter);
  const folders = [...releases.map((release) => join(debian, release, "bin")), ...onPath];
  return folders.find((folder) => ["initdb", "postgres", "psql"].every((program) => existsSync(join(folder, program))));
}

/** An S3-compatible store, built from its Go module once. */
export async function ensureS3Gateway(): Promise<string> {
  const folder = join(root, ".cache", basename(S3_GATEWAY));
  const program = join(folder, "versitygw");
  await withLock(folder, async () => {
    if (!existsSync(program)) await goBuild("./cmd/versitygw", await goModule(S3_GATEWAY, root), program);
  });
  return program;
}
