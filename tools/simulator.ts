// Runs the simulator in the foreground and prints the commands with which a Pulumi program uses it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ReadyLine } from "../simulator";
import { ensureBuild } from "./setup/build";
import { simulatorSettings } from "./support/environment";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  await ensureBuild();
  const child = spawn(
    process.execPath,
    [join(root, "simulator/bin/clouddb-simulator.js"), ...process.argv.slice(2)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  createInterface({ input: child.stdout }).on("line", (line) => {
    // With --help, the lines are not JSON.
    console.log(line.startsWith("{") ? instructions(JSON.parse(line)) : line);
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill("SIGTERM"));
  process.exitCode = await new Promise<number>((resolve) =>
    child.on("exit", (code) => resolve(code ?? 1)),
  );
}

function instructions(ready: ReadyLine): string {
  const { baseUrl, page } = ready;
  const settings = Object.entries(simulatorSettings(ready));
  const exports = settings.map(([name, value]) => `  export ${name}=${value}`).join("\n");
  return `The simulator is running. Watch it at ${page} and stop it with Ctrl-C.

In another terminal, in this folder (leave out the first line if Pulumi is installed):

  export PATH="$(npm run --silent engine):$PATH"
${exports}
  export PULUMI_CONFIG_PASSPHRASE=simulator
  pulumi login --local
  pulumi stack init dev
  pulumi up

The passphrase encrypts the secrets in the stack's state; choose your own for a real stack.

To see how a program copes with a failure, make the next update fail:

  curl -X PUT ${baseUrl}/__admin/faults -H 'Content-Type: application/json' -d '{"faults":[{"method":"PATCH","times":1,"effect":{"kind":"status","status":503}}]}'
`;
}
