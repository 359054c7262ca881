/** An action that can never finish. */
export class UnfinishedError extends Error {
  constructor() {
    super(
      "Ended before its work was finished: nothing is left to wait for, for example because a connection was closed without a response. Check the network and the proxy variables, and run the command again.",
    );
  }
}

/**
 * Runs an action. Throws if Node.js has nothing left to wait for, instead of exiting silently with
 * 0.
 */
export async function untilSettled<Value>(action: () => Promise<Value>): Promise<Value> {
  let onEnd = () => {};
  const ended = new Promise<never>((_, reject) => {
    onEnd = () => setImmediate(reject, new UnfinishedError());
  });
  // Prepended, because the innermost action has the most specific error.
  process.prependListener("beforeExit", onEnd);
  try {
    return await Promise.race([action(), ended]);
  } finally {
    process.off("beforeExit", onEnd);
  }
}
