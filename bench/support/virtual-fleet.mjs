// A fleet in virtual time: the provider's limiters, an API with a sliding window, and a shared state behind a
// connection. Only time is simulated.
import { createRequire } from "node:module";
import { root } from "./tools.mjs";

const require = createRequire(import.meta.url);
const { createRateLimiter } = require(`${root}/provider/dist/api/index.js`);
const { newState, respond } = require(`${root}/provider/dist/api/shared-limit.js`);

const API_MS = 20;
const REDIS_MS = 1;

/** When each process was done, and how many requests were refused. */
export async function simulateFleet({ processes, each, limit, isShared }) {
  const time = virtualTime();
  const state = newState();
  const windowMs = limit.seconds * 1000;
  const passed = [];
  let refused = 0;

  async function exchange(message) {
    await time.sleep(REDIS_MS);
    const answer = respond(state, message, time.now());
    await time.sleep(REDIS_MS);
    return answer;
  }

  async function send(limiter) {
    const permit = await limiter.acquire({ since: 0, maxWaitMs: 600_000, isUrgent: false });
    if (permit === undefined) throw new Error("a process gave up");
    await time.sleep(API_MS / 2);
    const recent = passed.slice(-limit.requests).filter((at) => at > time.now() - windowMs);
    const isRefused = recent.length >= limit.requests;
    if (isRefused) refused += 1;
    else passed.push(time.now());
    const resetMs = (recent[0] ?? 0) + windowMs - time.now();
    await time.sleep(API_MS / 2);
    if (!isRefused) return permit.release();
    permit.reportRefusal(resetMs);
    return send(limiter);
  }

  const all = Array.from({ length: processes }, async (_, number) => {
    const dependencies = { clock: time, random: Math.random, log: () => {} };
    const limiter = createRateLimiter(dependencies, isShared ? { process: `${number}`, exchange } : undefined);
    await Promise.all(Array.from({ length: each }, () => send(limiter)));
    return time.now();
  });
  const ends = await time.until(Promise.all(all));
  return { ends, refused };
}

/** Time that jumps to the next sleeper once nothing else is to be done. */
function virtualTime() {
  let now = 0;
  let count = 0;
  let sleepers = [];
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((wake) => {
        signal?.addEventListener("abort", wake);
        count += 1;
        insert(sleepers, { at: now + ms, count, wake });
      }),
    async until(work) {
      let isOver = false;
      const ended = work.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await new Promise(setImmediate);
        const next = sleepers[0];
        if (next === undefined) continue;
        now = Math.max(now, next.at);
        const due = sleepers.findIndex(({ at }) => at > now);
        const woken = due < 0 ? sleepers : sleepers.slice(0, due);
        sleepers = due < 0 ? [] : sleepers.slice(due);
        for (const { wake } of woken) wake();
      }
      return ended;
    },
  };
}

function insert(sorted, sleeper) {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle].at <= sleeper.at) from = middle + 1;
    else to = middle;
  }
  sorted.splice(from, 0, sleeper);
}
