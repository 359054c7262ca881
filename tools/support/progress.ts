// Progress and failures go to standard error: standard output is for results.

/** Prints an activity, and again every ten seconds while it runs. */
export async function during<Value>(
  activity: string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const startedAt = Date.now();
  process.stderr.write(`${activity} ...\n`);
  const timer = setInterval(() => {
    process.stderr.write(`${activity} ... ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }, 10_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * A failure whose message says everything that the user needs: setup.mjs prints it without a stack
 * trace.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
