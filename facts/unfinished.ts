/** An action that can no longer finish. */
export class UnfinishedError extends Error {
  constructor() {
    super(
      "Ended before its work was finished: nothing is left to wait for, for example because a connection was closed without a response. Check the network and the proxy variables, and run the command again.",
    );
  }
}

/**
 * The result of an action; an error instead of a silent exit with code 0 if Node has nothing left
 * to wait for.
 */
export async function untilSettled<Value>(action: () => Promise<Value>): Promise<Value> {
  let onEnd = () => {};
  const ended = new Promise<never>((_, reject) => {
    onEnd = () => setImmediate(reject, new UnfinishedError());
  });
  // First the innermost action, whose error says more.
  process.prependListener("beforeExit", onEnd);
  try {
    return await Promise.race([action(), ended]);
  } finally {
    process.off("beforeExit", onEnd);
  }
}
