import { join } from "node:path";
import { coded, render } from "../../errors";
import { shellArgument, version } from "../../names";
import { runCreations } from "../creations";
import { clock, environmentOfProcess, isEngineAlive, onEngineGone } from "../process";
import { startPlugin } from "./server";

/*
 * The process that the engine starts: `pulumi-resource-clouddb ADDRESS`, behind flags for logs. The
 * engine waits for the port on standard output, and ends the process itself. Without an address, an
 * engine is attached later.
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
  // Node.js ends the process once no operation is left.
  if (address !== undefined) onEngineGone(address, close);
  else console.error(`${NAME} is waiting for Pulumi. ${usage(port)}`);
  console.log(port);
}

/** The file that Pulumi starts: an executable with this code in it, or a launcher beside it. */
function launcher(): string {
  if (__filename === process.execPath) return process.execPath;
  return join(
    __dirname,
    process.platform === "win32" ? "pulumi-resource-clouddb.cmd" : "pulumi-resource-clouddb",
  );
}

/** The help for a person who starts the plugin by hand. */
function usage(port: number | string): string {
  return `Pulumi starts this plugin automatically. To debug it, start it yourself and run Pulumi with PULUMI_DEBUG_PROVIDERS=clouddb:${port}; Ctrl-C ends it.`;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(render(coded("CDB9001", `Cannot start the plugin ${NAME}: ${error.message}`)));
  process.exitCode = 1;
});
