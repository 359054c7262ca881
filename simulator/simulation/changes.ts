import type { State } from "../state/state";

/** Changes the draft or returns another state. Throws before any change. */
type Change = (draft: State) => State;

interface WaitingChange {
  readonly run: Change;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Applies changes in order. Changes that arrive during a write share the next write. */
export function createChangeQueue(
  current: { state: State },
  save: (state: State) => Promise<void>,
) {
  const waiting: WaitingChange[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0));
    isWriting = false;
  }

  /** A state becomes visible once stored. */
  async function write(batch: readonly WaitingChange[]): Promise<void> {
    const { organizations, services, ...others } = current.state;
    let draft: State = {
      organizations: new Map(organizations),
      services: new Map(services),
      ...others,
    };
    const made: WaitingChange[] = [];
    for (const change of batch) {
      try {
        draft = change.run(draft);
        made.push(change);
      } catch (error) {
        change.reject(error);
      }
    }
    if (made.length === 0) return;
    try {
      await save(draft);
      current.state = draft;
      for (const { resolve } of made) resolve();
    } catch (error) {
      for (const { reject } of made) reject(error);
    }
  }

  /** Resolves once the change is stored. */
  return (run: Change) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ run, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
