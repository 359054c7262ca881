// A Redis or Valkey server of this machine, in a folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Redis } from "ioredis";
import { freePort } from "./free-port.mjs";

/** Starts a server, passes on its URL, and removes it afterwards. */
export async function withRedis(work) {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-redis-"));
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  await new Promise((resolve, reject) => {
    lines.on("line", (line) => /ready to accept connections/i.test(line) && resolve());
    child.once("error", () =>
      reject(new Error("bench/fleet.mjs needs redis-server, for example of Debian's package.")),
    );
  });
  const admin = new Redis({ port });
  try {
    return await work({ url: `redis://127.0.0.1:${port}`, clear: () => admin.flushall() });
  } finally {
    admin.disconnect();
    child.kill("SIGKILL");
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}
