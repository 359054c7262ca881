// Runs the simulator in the foreground, and says how a Pulumi program finds it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureBuild } from "./setup/build.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  const child = spawn(process.execPath, [join(root, "simulator/dist/cli.js"), ...process.argv.slice(2)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Other lines than the one that says it is ready are for people: --help.
    if (!line.startsWith("{")) return console.log(line);
    const ready = JSON.parse(line);
    console.log(`The simulator runs; Ctrl-C ends it. Watch it at ${ready.page}\nIn another terminal:\n`);
    for (const [name, value] of Object.entries(environmentFor(ready))) {
      console.log(`  export ${name}=${value}`);
    }
    console.log("\nand then, in this folder: pulumi up");
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill("SIGTERM"));
  process.exitCode = await new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
});

/** @param {Record<string, string>} ready */
function environmentFor(ready) {
  return {
    CLOUDDB_BASE_URL: ready.baseUrl,
    CLOUDDB_KEY_ID: ready.keyId,
    CLOUDDB_KEY_SECRET: ready.keySecret,
    CLOUDDB_ORGANIZATION_ID: ready.organizationId,
    CLOUDDB_OBSERVABILITY_URL: ready.observabilityUrl,
    CLOUDDB_ACCESS_TOKEN: ready.accessToken,
  };
}
