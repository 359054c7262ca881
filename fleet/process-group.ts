import { spawn } from "node:child_process";

const IS_WORKER = "CLOUDDB_FLEET_WORKER";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A terminal sends Ctrl-C to every process of its group: to this program, and to each `pulumi` that it runs. A `pulumi`
 * that is stopped before it has begun, or is signaled twice, leaves its stack locked. All work is therefore done in a
 * process group of its own, which no signal reaches; it is asked to stop once, also if this process is killed.
 */
export function runInOwnGroup(main: (stop: AbortSignal) => Promise<number>): void {
  if (process.env[IS_WORKER]) work(main);
  else supervise();
}

function supervise(): void {
  const worker = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    env: { ...process.env, [IS_WORKER]: "1" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  for (const signal of SIGNALS) process.on(signal, () => worker.connected && worker.send("stop"));
  worker.on("exit", (code, signal) => {
    if (signal) console.error(`The process was ended by ${signal}. Stacks may be locked. Run the same command again.`);
    process.exitCode = code ?? 1;
  });
}

function work(main: (stop: AbortSignal) => Promise<number>): void {
  const stop = new AbortController();
  delete process.env[IS_WORKER];
  process.on("message", () => stop.abort());
  const onDisconnect = () => stop.abort();
  process.on("disconnect", onDisconnect);
  // The output may end before the work, as in `| head`.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  main(stop.signal)
    .catch((error: Error) => {
      console.error(error.message);
      return 1;
    })
    .then((code) => {
      process.exitCode = code;
      process.off("disconnect", onDisconnect);
      if (process.connected) process.disconnect();
    });
}
