// What set-up tells while it works. All of it goes to standard error: standard output belongs to results.

/** Says what is being done, and every ten seconds that it still is. */
export async function during(what, work) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  process.stderr.write(`… ${what}\n`);
  const timer = setInterval(() => process.stderr.write(`… ${what}: ${seconds()}\n`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** A failure whose message is all that the user should read: what went wrong, and the way out. */
export class SetupError extends Error {}

/** Runs a script's main function; its failure ends the process with one sentence. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(error instanceof SetupError ? `${error.message}\n` : `${error.stack ?? error}\n`);
    process.exitCode = 1;
  }
}
