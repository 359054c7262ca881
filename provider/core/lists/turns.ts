import { canonicalId } from "pulumi-clouddb-facts";
import { messageOfEnd } from "../../api/errors";
import { CodedError, withSentence } from "../../errors";

export type Turns = ReturnType<typeof createTurns>;

/** Runs work on shared objects one after another within a command. */
export function createTurns() {
  const turns = new Map<string, Promise<void>>();
  const queues = new Map<string, unknown[]>();

  /**
   * Runs work on an object after earlier work on it. Throws a `CodedError` if the signal ends the
   * wait.
   */
  function inTurn<Result>(
    id: string,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const earlier = turns.get(canonicalId(id)) ?? Promise.resolve();
    const turn = waitFor(earlier, signal).then(work);
    // Even if the wait was aborted, later work waits for the earlier work.
    const end = Promise.allSettled([earlier, turn]).then(() => {});
    turns.set(canonicalId(id), end);
    return turn;
  }

  return {
    inTurn,
    /**
     * Queues a job. In its turn, `run` takes all jobs that wait for the object. Throws a
     * `CodedError` if the signal ends the job's wait.
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
        // An earlier turn may have taken this job.
        if (!queue.includes(job)) return;
        queue.splice(queue.indexOf(job), 1);
        throw error;
      });
    },
  };
}

/** Waits for earlier work, which never fails. Throws when the signal is aborted. */
function waitFor(earlier: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(endOfWait(signal as AbortSignal));
    earlier.then(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    });
    signal?.addEventListener("abort", end);
    // Delayed, so that work without a wait fails first in its own request.
    if (signal?.aborted) queueMicrotask(end);
  });
}

function endOfWait(signal: AbortSignal): CodedError {
  const wait = "while it waited for another change of the same lists";
  return new CodedError(withSentence(messageOfEnd(signal), wait));
}
