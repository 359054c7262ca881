import { canonicalId } from "pulumi-clouddb-facts";
import type { Properties } from "../../fields";

export type ListQueue = ReturnType<typeof createListQueue>;

/**
 * The order of changes to lists that several resources of a command share, and the responses to
 * these changes.
 */
export function createListQueue() {
  const turns = new Map<string, Promise<unknown>>();
  const queues = new Map<string, unknown[]>();
  const responses = new Map<string, Properties>();
  /** Runs work on an object after all earlier work on it. */
  function inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (turns.get(canonicalId(id)) ?? Promise.resolve()).then(work);
    turns.set(
      canonicalId(id),
      turn.catch(() => {}),
    );
    return turn;
  }

  return {
    inTurn,
    /** Queues a job; `run` takes the jobs that wait for the object when their turn comes. */
    enqueue<Job>(id: string, job: Job, run: (queue: Job[]) => Promise<void>): void {
      const queue = (queues.get(canonicalId(id)) ?? []) as Job[];
      queues.set(canonicalId(id), queue);
      queue.push(job);
      if (queue.length === 1) void inTurn(id, () => run(queue));
    },
    /**
     * The object after the last change of its lists; undefined before one, and after one with an
     * unknown outcome.
     */
    lastResponse: (id: string) => responses.get(canonicalId(id)),
    /** Stores the response to a change, for the changes after it: a read may be older. */
    keepResponse(id: string, response: Properties | undefined): void {
      if (response === undefined) responses.delete(canonicalId(id));
      else responses.set(canonicalId(id), response);
    },
  };
}
