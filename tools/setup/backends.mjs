// Servers for states on shared backends, where this machine can have them.
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { goBuild, goModule } from "./go.mjs";
import { withLock } from "./lock.mjs";
import { root } from "./root.mjs";
import { versions } from "./versions.mjs";

const S3_GATEWAY = versions.goTools.versitygw;

/** The folder of PostgreSQL's programs. Debian's package does not add it to PATH. */
export function findPostgres() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...process.env.PATH.split(delimiter)];
  return folders.find((folder) => ["initdb", "postgres", "psql"].every((program) => existsSync(join(folder, program))));
}

/** An S3-compatible store, built from its Go module once. */
export async function ensureS3Gateway() {
  const folder = join(root, ".cache", S3_GATEWAY.split("/").at(-1));
  const program = join(folder, "versitygw");
  await withLock(folder, async () => {
    if (!existsSync(program)) await goBuild("./cmd/versitygw", await goModule(S3_GATEWAY, root), program);
  });
  return program;
}
