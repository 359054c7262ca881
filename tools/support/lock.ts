import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";

/** Runs `work` in one process at a time. The lock of a process that died expires. */
export async function withLock<Value>(
  path: string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  mkdirSync(dirname(path), { recursive: true });
  const retries = { forever: true, factor: 1, minTimeout: 500 };
  const release = await lock(path, { realpath: false, stale: 30_000, retries });
  try {
    return await work();
  } finally {
    await release();
  }
}
