// Progress and failures go to standard error: standard output is for results.

/** Says what is being done, and every ten seconds that it still is. */
export async function during(what, work) {
  const startedAt = Date.now();
  process.stderr.write(`${what} ...\n`);
  const timer = setInterval(() => {
    process.stderr.write(`${what} ... ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }, 10_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** A failure whose message says everything that the user needs: what failed, and what to do. */
export class SetupError extends Error {}

/** Runs a script's main function; if it fails, prints why and exits with 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(error instanceof SetupError ? `${error.message}\n` : `${error.stack ?? error}\n`);
    process.exitCode = 1;
  }
}
