import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../api/rate-limiter";
import type { Environment } from "../core/session/environment";
import { CodedError, type Message } from "../errors";

const CHECK_INTERVAL_MS = 60_000;

/** For Pulumi's variables, and for `core/session/environment.ts`, which applies mappings. */
export function environmentOfProcess(): Environment {
  // biome-ignore lint/style/noProcessEnv: elsewhere, a variable would be read without the mappings
  return process.env;
}

/** Polls each minute whether the engine is gone, since a plugin outlives a killed engine. */
export function onEngineGone(address: string | undefined, act: () => void): void {
  setInterval(
    () => void isEngineAlive(address).then((isAlive) => isAlive || act()),
    CHECK_INTERVAL_MS,
  ).unref();
}

/**
 * True while the engine listens at its address. Without an engine, results would not be stored.
 * Only a refused connection means that the engine is gone.
 */
export function isEngineAlive(address: string | undefined): Promise<boolean> {
  const [, host, port] = /^([\d.]+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isAlive: boolean) => {
      socket.destroy();
      resolve(isAlive);
    };
    const socket = connect({ host, port: Number(port), timeout: 1000 });
    socket.once("connect", () => settle(true));
    socket.once("timeout", () => settle(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => settle(code !== "ECONNREFUSED"));
  });
}

/**
 * Identifies the engine at an address, with the same text in all of its plugin processes. A later
 * engine may get the same port, so the text includes its process and start if available.
 */
export function engineAt(address: string): string {
  try {
    for (let pid = process.ppid; ; ) {
      const [, name, parent, start] = PROCESS.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      if (name === "pulumi") return `${address}, process ${pid} since ${start}`;
      pid = Number(parent);
    }
  } catch {
    return address;
  }
}

/** A Linux process: name (which may contain spaces), parent and start. */
const PROCESS = /^\d+ \((.*)\) \S (\d+)(?: \S+){17} (\d+) /s;

/** A clock that is unaffected by changes of the system time. */
export const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  // An aborted signal ends the wait without an error.
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};

/** The longest delay that a Node.js timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A signal that is aborted with a reason after some seconds. It does not keep the process alive.
 */
export function deadlineAfter(seconds: number, reason: Message): AbortSignal {
  const ending = new AbortController();
  setTimeout(
    () => ending.abort(new CodedError(reason)),
    Math.min(seconds * 1000, MAX_TIMER_MS),
  ).unref();
  return ending.signal;
}

/** A command's cancellation signal, with unlimited listeners. */
export function newCancellation(): AbortController {
  const canceling = new AbortController();
  setMaxListeners(0, canceling.signal);
  return canceling;
}
