import { clock } from "../process/clock";
import { isEngineAlive } from "../process/engine-alive";
import { startPlugin } from "./server";

/*
 * The process that the engine starts: `pulumi-resource-clouddb ADDRESS`, behind flags for logs. It waits for the port
 * on standard output, and ends the process by itself. Without an address it is attached later.
 */

const address = process.argv.slice(2).find((argument) => /^[\d.]+:\d+$/.test(argument));

startPlugin({ environment: process.env, clock, random: Math.random, isEngineAlive }, address).then(
  ({ port }) => console.log(port),
  (error: Error) => {
    console.error(`Cannot start the plugin: ${error.message}`);
    process.exitCode = 1;
  },
);
