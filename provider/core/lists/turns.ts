import { canonicalId } from "pulumi-clouddb-facts";
import { messageOfEnd } from "../../api/errors";
import { CodedError, withSentence } from "../../errors";

export type Turns = ReturnType<typeof createTurns>;

/** The order of work on objects whose lists several resources of a command share. */
export function createTurns() {
  const turns = new Map<string, Promise<void>>();
  const queues = new Map<string, unknown[]>();

  /**
   * Runs work on an object after all earlier work on it. Throws a `CodedError` if the signal ends
   * the wait.
   */
  function inTurn<Result>(
    id: string,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const earlier = turns.get(canonicalId(id)) ?? Promise.resolve();
    const turn = waitFor(earlier, signal).then(work);
    // If the wait has ended, later work still waits for the earlier work.
    const end = Promise.allSettled([earlier, turn]).then(() => {});
    turns.set(canonicalId(id), end);
    return turn;
  }

  return {
    inTurn,
    /**
     * Queues a job; `run` takes the jobs that wait for the object when their turn comes. Throws a
     * `CodedError` if the signal ends the wait of the job.
     */
    async enqueue<Job>(
      id: string,
      job: Job,
      run: (queue: Job[]) => Promise<void>,
      signal: AbortSignal | undefined,
    ): Promise<void> {
      const queue = (queues.get(canonicalId(id)) ?? []) as Job[];
      queues.set(canonicalId(id), queue);
      queue.push(job);
      await inTurn(id, () => run(queue), signal).catch((error: unknown) => {
        // The turn of another job may have taken this one.
        if (!queue.includes(job)) return;
        queue.splice(queue.indexOf(job), 1);
        throw error;
      });
    },
  };
}

/** Waits for earlier work, which never fails. Throws once the signal ends the wait. */
function waitFor(earlier: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(endOfWait(signal as AbortSignal));
    earlier.then(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    });
    signal?.addEventListener("abort", end);
    // Later than work that need not wait, whose requests report the end by themselves.
    if (signal?.aborted) queueMicrotask(end);
  });
}

function endOfWait(signal: AbortSignal): CodedError {
  const wait = "while it waited for another change of the same lists";
  return new CodedError(withSentence(messageOfEnd(signal), wait));
}
