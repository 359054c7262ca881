import { type LearntLimit, learnt, openingFor, PUBLISHED, patienceMs, relaxed } from "./limit";

/** Time as the client uses it, so that tests can have their own. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface TurnOptions {
  /** Since when the request waits, also through refusals: who came first goes first. */
  readonly since: number;
  /** A longer wait that the API asks for is not begun. */
  readonly longestMs: number;
  /** It goes before those that have not begun yet. */
  readonly isPressing: boolean;
}

/** The leave to send one request. */
export interface Turn {
  readonly waitedMs: number;
  /** An answer came, or none will; may be said more than once. */
  readonly over: () => void;
  /** The rate limit refused it; `waitMs` is what the answer asked for, if it did. */
  readonly refused: (waitMs: number | undefined) => void;
}

/** How fast all requests of the process may go together. */
export interface Pace {
  /** Waits until a request may be sent; nothing where the API asks for too long a wait. */
  readonly turn: (options: TurnOptions) => Promise<Turn | undefined>;
}

/** Under a limit like the published one, more at once could only be refused. */
const MOST_AT_ONCE = PUBLISHED.requests;
const WORTH_SAYING_MS = 3000;
const SAY_AGAIN_MS = 30_000;

interface Waiter {
  readonly options: TurnOptions;
  readonly from: number;
  readonly go: (turn: Turn | undefined) => void;
}

/**
 * One rate limit serves all requests of a process. When one is refused, all wait; what had passed until then tells
 * how many pass in which time, and from there on no more are sent.
 */
export function createPace(clock: Clock, say: (line: string) => void): Pace {
  let waiting: readonly Waiter[] = [];
  let underWay = 0;
  /** When requests were sent that were not refused, the oldest first. */
  let sent: readonly { readonly at: number }[] = [];
  let bornAt: number | undefined;
  let limit: LearntLimit | undefined;
  /** When the limit was last hit: what was sent before tells the same thing again. */
  let hitAt = Number.NEGATIVE_INFINITY;
  let closedUntil = 0;
  /** Not before the pause is over is it known what of all that was under way has passed. */
  let toLearn: (() => LearntLimit) | undefined;
  let cleanSince = 0;
  let alarmAt = Number.POSITIVE_INFINITY;
  let saidAt = Number.NEGATIVE_INFINITY;

  function letThrough(): void {
    waiting = waiting.filter((each) => !refusedAtOnce(each));
    for (let next = waiting[0]; next !== undefined && underWay < MOST_AT_ONCE; next = waiting[0]) {
      const now = clock.now();
      const opensAt = opening(now);
      if (opensAt > now) {
        wakeAt(opensAt, now);
        tell(now);
        return;
      }
      waiting = waiting.slice(1);
      next.go(begun(now, now - next.from));
    }
  }

  function refusedAtOnce({ options, go }: Waiter): boolean {
    if (closedUntil - clock.now() <= options.longestMs) return false;
    go(undefined);
    return true;
  }

  /** When the next request may be sent. */
  function opening(now: number): number {
    if (now < closedUntil) return closedUntil;
    if (toLearn !== undefined) {
      limit = toLearn();
      toLearn = undefined;
      cleanSince = now;
    }
    if (limit !== undefined && now - cleanSince >= patienceMs(limit)) {
      limit = relaxed(limit);
      cleanSince = now;
    }
    const { windowMs } = limit ?? PUBLISHED;
    sent = sent.filter(({ at }) => at > now - 2 * windowMs);
    return limit === undefined ? now : openingFor(limit, sent, now);
  }

  function begun(at: number, waitedMs: number): Turn {
    const entry = { at };
    bornAt ??= at;
    sent = [...sent, entry];
    underWay += 1;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      underWay -= 1;
      letThrough();
    };
    return {
      waitedMs,
      over,
      refused(waitMs) {
        sent = sent.filter((each) => each !== entry);
        hit(at, waitMs);
        over();
      },
    };
  }

  function hit(sentAt: number, waitMs: number | undefined): void {
    const now = clock.now();
    const isNews = sentAt > hitAt;
    // An answer that asks for no wait at all has not said how long to wait.
    if (waitMs) closedUntil = Math.max(closedUntil, now + waitMs);
    if (!isNews) return;
    hitAt = now;
    const known = limit;
    const { windowMs } = known ?? PUBLISHED;
    const firstAt = sent.find(({ at }) => at > now - windowMs)?.at ?? now;
    if (!waitMs) closedUntil = Math.max(closedUntil, firstAt + PUBLISHED.windowMs, known ? now + windowMs : 0);
    // A pause that was only a guess tells nothing of the window.
    const until = waitMs || known === undefined ? closedUntil : firstAt + windowMs;
    toLearn = () => {
      const passed = sent.filter(({ at }) => at >= firstAt && at <= now).length;
      return learnt(known, { at: now, until, passed, firstAt, bornAt: bornAt ?? now });
    };
    if (closedUntil - now < WORTH_SAYING_MS) return;
    saidAt = now;
    say(`The API's rate limit is reached: all requests wait ${inSeconds(closedUntil - now)}.`);
  }

  function tell(now: number): void {
    if (limit === undefined || now < closedUntil || now - saidAt < SAY_AGAIN_MS) return;
    const { requests, windowMs } = limit;
    const leftMs = (waiting.length / requests) * windowMs;
    if (leftMs < WORTH_SAYING_MS) return;
    saidAt = now;
    const pace = `${requests} in ${inSeconds(windowMs)}`;
    say(`Requests keep to the API's rate limit, ${pace} as it seems: ${waiting.length} wait now.`);
  }

  /** One alarm is enough: the earliest. */
  function wakeAt(at: number, now: number): void {
    if (alarmAt <= at) return;
    alarmAt = at;
    void clock.sleep(at - now).then(() => {
      if (alarmAt === at) alarmAt = Number.POSITIVE_INFINITY;
      letThrough();
    });
  }

  return {
    turn: (options) =>
      new Promise((go) => {
        waiting = [...waiting, { options, from: clock.now(), go }].sort(inOrder);
        letThrough();
      }),
  };
}

/** What is pressing first, and then who came first. */
function inOrder({ options: one }: Waiter, { options: other }: Waiter): number {
  return Number(other.isPressing) - Number(one.isPressing) || one.since - other.since;
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
