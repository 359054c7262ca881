import { canonicalId } from "pulumi-clouddb-facts";

export type Turns = ReturnType<typeof createTurns>;

/** The order of work on objects whose lists several resources of a command share. */
export function createTurns() {
  const turns = new Map<string, Promise<unknown>>();
  const queues = new Map<string, unknown[]>();

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
  };
}
