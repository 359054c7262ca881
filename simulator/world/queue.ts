/** Runs tasks one after the other; one that fails holds up none of the others. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}
