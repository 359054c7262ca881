import type { FaultEffect } from "../../../simulator/index";
import type { Event, Schedule } from "../../support/engine/command";
import type { Api, Ending, WaitingRequest } from "./api";

/** The order of a command's events, and what goes wrong. */
export interface Disturbance {
  /** The seed of the choice of events; with 0, the first one is always next. */
  readonly seed?: number | undefined;
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
  /**
   * At a crash, everything or the plugin dies before the server has the request, or before it has
   * the response.
   */
  readonly ending: FaultEffect | "refused" | `${"" | "plugin "}crash ${"before" | "after"}`;
  /** The method of requests that fail; if absent, any. */
  readonly method?: string | undefined;
  readonly skipped: number;
  readonly times: number;
}

/** Far more rounds of events than a command has. */
const MOST_ROUNDS = 20_000;

export function createSchedule(
  api: Api,
  { seed = 0, diesAt, fault, lags, interruption }: Disturbance,
  onPluginDeath = () => {},
): Schedule {
  const pick = createPick(seed);
  let count = 0;
  let isDead = false;
  const turns: Event[] = [];
  let { skipped, times } = fault ?? { skipped: 0, times: 0 };

  /** Lets a request through, or hits it with the fault. */
  async function send(request: WaitingRequest): Promise<void> {
    const isHit = fault !== undefined && (fault.method ?? request.method) === request.method;
    if (!isHit || times === 0 || skipped-- > 0) return request.proceed(lags ? "old" : "answered");
    times -= 1;
    const { ending } = fault;
    if (typeof ending === "object" || ending === "refused") return request.proceed(ending);
    await request.proceed(ending.endsWith("before") ? "unsent" : "unread");
    if (ending.startsWith("plugin")) onPluginDeath();
    else await die();
  }

  async function die(): Promise<void> {
    isDead = true;
    const ending = (): Ending => (pick(2) === 0 ? "unsent" : "unread");
    for (const request of api.waiting) await request.proceed(ending());
    await settle();
  }

  function takeTurn(turn: Event): void {
    turns.splice(turns.indexOf(turn), 1);
    void turn();
  }

  return {
    isDead: () => isDead,
    // An event of its own, so that the code after it runs late, or never.
    turn: () => new Promise<void>((resolve) => turns.push(resolve)),
    async run(isOver, events) {
      for (let round = 0; !isDead && !isOver(); round += 1) {
        if (round > MOST_ROUNDS)
          throw new Error(`the command hangs: ${api.waiting.size} requests, ${turns.length} turns`);
        const choices: readonly Event[] = [
          ...[...api.waiting].map((request) => () => send(request)),
          ...turns.map((turn) => () => takeTurn(turn)),
          // The events of a command end after others.
          ...events().map((event) => () => void event()),
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

/**
 * Numbers below a limit. Zero as the seed takes the first of everything, which a failing history
 * shrinks to.
 */
function createPick(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    if (seed === 0) return 0;
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return (state >> 8) % limit;
  };
}

/**
 * Waits until every process waits for a request or an event: promises are resolved, and files are
 * written.
 */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 4; quiet += 1) {
    await new Promise(setImmediate);
    if (process.getActiveResourcesInfo().some(isOfFile)) quiet = 0;
  }
}

const isOfFile = (name: string) => name.startsWith("FS") || name.startsWith("File");
