import type { Api, Ending, WaitingRequest } from "./api";

/** An event that can happen next. */
export type Event = () => void | Promise<void>;

/** The order of a command's events, and what goes wrong. */
export interface Disturbance {
  /** The seed of the choice of events; with 0, the first one is always next. */
  readonly seed: number;
  /** The engine and its plugins die instead of the event with this number. */
  readonly diesAt?: number | undefined;
  readonly fault?: Fault | undefined;
  /** True if reads show the service before the last write of the command. */
  readonly lags?: boolean | undefined;
  /** Changes by others, before the event with this number. */
  readonly interruption?: Interruption | undefined;
}

export interface Interruption {
  readonly at: number;
  readonly run: Event;
}

export interface Fault {
  readonly ending: Ending;
  readonly method: string;
  readonly skipped: number;
  readonly times: number;
}

/** Far more rounds of events than a command has. */
const MOST_ROUNDS = 20_000;

export type Schedule = ReturnType<typeof createSchedule>;

export function createSchedule(api: Api, { seed, diesAt, fault, lags, interruption }: Disturbance) {
  const pick = createPick(seed);
  let count = 0;
  let isDead = false;
  const turns: Event[] = [];
  let { skipped, times } = fault ?? { skipped: 0, times: 0 };

  /** The end of a request that the schedule lets through. */
  function endingOf({ method }: WaitingRequest): Ending {
    const isHit = fault?.method === method && times > 0 && skipped-- <= 0;
    if (!isHit || fault === undefined) return lags && method === "GET" ? "old" : "answered";
    times -= 1;
    return fault.ending;
  }

  async function die(): Promise<void> {
    isDead = true;
    for (const request of api.waiting) await request.proceed(pick(2) === 0 ? "unsent" : "unread");
    await settle();
  }

  function takeTurn(turn: Event): void {
    turns.splice(turns.indexOf(turn), 1);
    void turn();
  }

  return {
    isDead: () => isDead,
    /** Resolves as an event of its own, so that the code after it runs late, or never. */
    turn: () => new Promise<void>((resolve) => turns.push(resolve)),
    /** Lets events happen until nothing is left to do, or everything is dead. */
    async run(isOver: () => boolean, events: () => readonly Event[]): Promise<void> {
      for (let round = 0; !isDead && !isOver(); round += 1) {
        if (round > MOST_ROUNDS)
          throw new Error(`the command hangs ${[...api.waiting].length} ${turns.length} ${events().length}`);
        const requests = [...api.waiting].map(
          (request): Event =>
            () =>
              request.proceed(endingOf(request)),
        );
        const choices = [
          ...requests,
          ...turns.map(
            (turn): Event =>
              () =>
                takeTurn(turn),
          ),
          ...events(),
        ];
        if (choices.length > 0) {
          count += 1;
          if (count === diesAt) return die();
          if (count === interruption?.at) await interruption.run();
          await choices[pick(choices.length)]?.();
        }
        await settle();
      }
    },
  };
}

/** Numbers below a limit. Zero as the seed takes the first of everything, which a failing scenario shrinks to. */
function createPick(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    if (seed === 0) return 0;
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return (state >> 8) % limit;
  };
}

/** Waits until every process waits for a request or an event: promises are resolved, and files are written. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 4; quiet += 1) {
    await new Promise(setImmediate);
    if (process.getActiveResourcesInfo().some((name) => name.startsWith("FS") || name.startsWith("File"))) quiet = 0;
  }
}
