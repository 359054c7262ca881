import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Clock, LoggedRequest, RequestLog } from "../api";
import { type Message, message } from "../errors";

/** A log's dependencies on its process. */
export interface RequestLogDependencies {
  readonly clock: Clock;
  /** Show the user one line. */
  readonly log: (line: Message) => void;
  readonly redact: (text: string) => string;
  /** Show the user a last line when the process ends. */
  readonly onEnd?: (lastLine: () => Message) => void;
}

/** The log that the setting asks for, if any. */
export function createRequestLog(
  setting: string | undefined,
  { clock, log, redact, onEnd }: RequestLogDependencies,
): RequestLog | undefined {
  if (setting === undefined || setting === "off") return undefined;
  const write = { summary: undefined, all: (request: LoggedRequest) => log(describeRequest(request)) };
  const add = setting in write ? write[setting as keyof typeof write] : fileLog(setting, log);
  const timers = { rateLimit: createTimer(clock), retry: createTimer(clock), response: createTimer(clock) };
  const methods: Record<string, number> = {};
  let [total, retries, refused, failed] = [0, 0, 0, 0];

  const summary = () =>
    message("CDB3014.summary", {
      total,
      methods: describeMethods(methods),
      retries,
      refused,
      failed,
      response: seconds(timers.response.totalMs()),
      rateLimit: seconds(timers.rateLimit.totalMs()),
      retry: seconds(timers.retry.totalMs()),
    });
  return {
    add(request) {
      const { method, attempt, status, error } = request;
      if (total === 0) onEnd?.(summary);
      total += 1;
      methods[method] = (methods[method] ?? 0) + 1;
      if (attempt > 1) retries += 1;
      if (status === 429) refused += 1;
      else if (error !== undefined) failed += 1;
      // An id may be a secret of the program.
      add?.({ ...request, path: redact(request.path) });
    },
    measure: (activity, work) => timers[activity].measure(work),
  };
}

/** Measures the time during which at least one of several pieces of work was under way. */
function createTimer(clock: Clock) {
  let running = 0;
  let since = 0;
  let endedMs = 0;
  const totalMs = () => endedMs + (running > 0 ? clock.now() - since : 0);
  return {
    totalMs,
    async measure<Result>(work: Promise<Result>): Promise<Result> {
      if (running === 0) since = clock.now();
      running += 1;
      try {
        return await work;
      } finally {
        endedMs = running === 1 ? totalMs() : endedMs;
        running -= 1;
      }
    },
  };
}

function describeRequest(request: LoggedRequest): Message {
  const { method, path, attempt, status, error, requestId, sentAt, durationMs } = request;
  const { rateLimitMs, retryAfterMs = 0, backOffMs = 0 } = request;
  const wait = (ms: number, reason: string) => (ms >= 5 ? `, waited ${seconds(ms)} ${reason}` : "");
  return message("CDB3013.request", {
    time: new Date(sentAt).toISOString(),
    method,
    path,
    outcome: [status, error].filter((part) => part !== undefined).join(" "),
    duration: seconds(durationMs),
    attempt,
    waits: `${wait(rateLimitMs, "for the rate limit")}${wait(retryAfterMs, "as the API asked")}${wait(backOffMs, "before the retry")}`,
    id: requestId === undefined ? "" : `, request id ${requestId}`,
  });
}

function describeMethods(methods: Readonly<Record<string, number>>): string {
  const counts = Object.entries(methods).map(([method, count]) => `${count} ${method}`);
  return counts.sort().join(", ");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** A log that is forgotten must not fill a disk. */
const MAX_FILE_BYTES = 100_000_000;
/** Not blocking, since nobody may read what the path leads to; readable by its owner alone. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const MODE = 0o600;

/**
 * Appends a line for each request to a file, to which other processes may append, too. Each line is written at once and
 * before anything else happens: the process may be killed, and lines of several processes must not mix.
 */
function fileLog(path: string, log: (line: Message) => void): (request: LoggedRequest) => void {
  let file: number | undefined;
  let hasFailed = false;
  return (request) => {
    if (hasFailed) return;
    try {
      file ??= openSync(path, APPEND, MODE);
      if (fstatSync(file).size >= MAX_FILE_BYTES) throw new Error("it has reached 100 MB");
      const line = Buffer.from(`${JSON.stringify(entryOf(request))}\n`);
      if (writeSync(file, line) < line.length) throw new Error("the disk is full");
    } catch (error) {
      hasFailed = true;
      if (file !== undefined) closeSync(file);
      const { code, message: reason } = error as NodeJS.ErrnoException;
      log(message("CDB2007.requestLog", { path, reason: code ?? reason }));
    }
  };
}

/** Public: users evaluate the file. */
function entryOf(request: LoggedRequest) {
  const { sentAt, method, path, status, error, durationMs, attempt, requestId } = request;
  const { rateLimitMs, retryAfterMs = 0, backOffMs = 0 } = request;
  return {
    time: new Date(sentAt).toISOString(),
    process: process.pid,
    method,
    path,
    status,
    error,
    durationMs: Math.round(durationMs),
    attempt,
    rateLimitMs: Math.round(rateLimitMs),
    retryAfterMs: Math.round(retryAfterMs),
    backOffMs: Math.round(backOffMs),
    requestId,
  };
}
