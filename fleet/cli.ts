import { run } from "./commands/run";

const stop = new AbortController();
// A terminal sends Ctrl-C to each `pulumi`, too: it ends by itself, and a second signal would leave its stack locked.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
// The output may end before the work, as in `| head`.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

run(process.argv, stop.signal)
  .catch((error: Error) => {
    console.error(error.message);
    return 1;
  })
  .then((code) => {
    process.exitCode = code;
  });
