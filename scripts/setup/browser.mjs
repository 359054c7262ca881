import { existsSync } from "node:fs";
import { run } from "./command.mjs";
import { during } from "./report.mjs";

/** Where Debian puts it; CLOUDDB_CHROMIUM names another. tests/browser looks there, too. */
const chromium = process.env.CLOUDDB_CHROMIUM ?? "/usr/bin/chromium";

/** Makes sure of Chromium where that is possible; without it, the browser tests say so and are skipped. */
export async function ensureBrowser() {
  if (existsSync(chromium)) return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    process.stderr.write(
      "There is no Chromium: the browser tests will be skipped (on Debian: apt-get install chromium).\n",
    );
    return;
  }
  await during("installing Chromium for the browser tests", async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
  });
}
