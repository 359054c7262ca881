/** Runs a task for each name, several at a time, in order. Those running end; no more start once `mayStart` says no. */
export async function runQueue(
  names: readonly string[],
  concurrency: number,
  mayStart: () => boolean,
  run: (name: string) => Promise<void>,
): Promise<void> {
  const waiting = [...names];
  const takeNext = async () => {
    for (let name = waiting.shift(); name !== undefined && mayStart(); name = waiting.shift()) await run(name);
  };
  await Promise.all(Array.from({ length: concurrency }, takeNext));
}
