import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 30_000;

/** Lets one process at a time do something; a lock whose owner has died is taken over. */
export async function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  while (!taken(folder)) await sleep(500);
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function taken(folder) {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "pid"), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function isAbandoned(folder) {
  try {
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    return pid > 0 ? !isAlive(pid) : isOld(folder);
  } catch {
    return isOld(folder);
  }
}

/** A lock without an owner's name is being made right now, or its maker died in that moment. */
function isOld(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs > PATIENCE_MS;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
