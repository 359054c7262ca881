import { join } from "node:path";
import { coded, render } from "../../errors";
import { shellArgument, version } from "../../names";
import { runCreations } from "../creations";
import { clock, environmentOfProcess, isEngineAlive, onEngineGone } from "../process";
import { startPlugin } from "./server";

/*
 * The plugin's process: `pulumi-resource-clouddb ADDRESS`, with log flags first. The engine reads
 * the port from standard output and ends the process. Without an address, an engine attaches later.
 */

const NAME = `pulumi-resource-clouddb ${version}`;

async function main(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === "creations") return runCreations("pulumi-resource-clouddb creations", rest);
  if (args.includes("--version")) return console.log(version);
  if (args.includes("--help")) return console.log(`${NAME} is a Pulumi plugin. ${usage("PORT")}`);
  const address = args.find((argument) => /^[\d.]+:\d+$/.test(argument));
  const { port, close } = await startPlugin(
    {
      environment: environmentOfProcess(),
      clock,
      random: Math.random,
      isEngineAlive,
      command: shellArgument(launcher()),
    },
    address,
  );
  // Without operations, Node.js then ends the process.
  if (address !== undefined) onEngineGone(address, close);
  else console.error(`${NAME} is waiting for Pulumi. ${usage(port)}`);
  console.log(port);
}

/** The file that Pulumi starts: this executable, or the launcher beside it. */
function launcher(): string {
  if (__filename === process.execPath) return process.execPath;
  return join(
    __dirname,
    process.platform === "win32" ? "pulumi-resource-clouddb.cmd" : "pulumi-resource-clouddb",
  );
}

/** The help for users who start the plugin themselves. */
function usage(port: number | string): string {
  return `Pulumi starts this plugin automatically. To debug it, start it yourself and run Pulumi with PULUMI_DEBUG_PROVIDERS=clouddb:${port}; Ctrl-C ends it.`;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(render(coded("CDB9001", `Cannot start the plugin ${NAME}: ${error.message}`)));
  process.exitCode = 1;
});
