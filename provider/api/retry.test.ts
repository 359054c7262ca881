import { INTERRUPTED, UNREACHABLE } from "./errors";
import { decideRetry, type Idempotency, type RetryState } from "./retry";

type Failure = RetryState["error"];

const after = (idempotency: Idempotency, error: Failure, more: Partial<RetryState> = {}) =>
  decideRetry({ idempotency, error, isUrgent: false, failures: 1, maxRetries: 6, elapsedMs: 0, random: 1, ...more });
const status = (code: number, waitMs?: number): Failure => ({ code: "CDB3500", response: { status: code, waitMs } });
const without = (code: Failure["code"]): Failure => ({ code, response: {} });

const NOW = { waitMs: 500, readFirst: false };
const READ_FIRST = { waitMs: 500, readFirst: true };

test.each<[string, Failure[], Partial<Record<Idempotency, object>>]>([
  [
    "a temporary status is retried, unless the request is a creation",
    [408, 500, 502, 503, 504].map((code) => status(code)),
    { read: NOW, set: NOW, list: READ_FIRST },
  ],
  ["a refusal is not retried", [400, 401, 403, 404, 410, 422].map((code) => status(code)), {}],
  [
    "an object that is not ready delays updates",
    [409, 423, 424, 425].map((code) => status(code)),
    { set: NOW, list: NOW },
  ],
  ["a request that was not sent is retried", [without(UNREACHABLE)], { read: NOW, set: NOW, list: NOW, create: NOW }],
  ["a lost connection is a temporary failure", [without(INTERRUPTED)], { read: NOW, set: NOW, list: READ_FIRST }],
  ["an invalid response is not retried", [without("CDB3010")], {}],
])("%s", (_, failures, expected) => {
  for (const failure of failures) {
    for (const idempotency of ["read", "set", "list", "create"] as const) {
      expect(after(idempotency, failure)).toEqual(expected[idempotency]);
    }
  }
});

test("waits double up to a limit, with jitter", () => {
  const waits = [1, 2, 3, 4, 5, 6].map((failures) => after("read", status(500), { failures })?.waitMs);
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000]);
  expect(after("read", status(500), { random: 0.5 })?.waitMs).toBe(250);
});

test.each<[string, Idempotency, Failure, Partial<RetryState>, number | undefined]>([
  ["the last retry", "read", status(500), { failures: 6 }, 15_000],
  ["no more retries than allowed", "read", status(500), { failures: 7 }, undefined],
  ["two minutes until an object is ready", "set", status(409), { failures: 40, elapsedMs: 100_000 }, 15_000],
  ["the same for a list", "list", status(409), { elapsedMs: 100_000 }, 500],
  ["not more than two minutes", "set", status(409), { elapsedMs: 120_000 }, undefined],
  ["no retry until an object is ready where none is allowed", "set", status(409), { maxRetries: 0 }, undefined],
  ["a minute for a write", "set", status(500), { elapsedMs: 59_500 }, 500],
  ["not more than a minute for a write", "set", status(500), { elapsedMs: 59_501 }, undefined],
  ["more than a minute for a read", "read", status(500), { elapsedMs: 59_501 }, 500],
  ["not for an urgent read", "read", status(500), { elapsedMs: 59_501, isUrgent: true }, undefined],
  ["one read of a list after any time", "list", without(INTERRUPTED), { elapsedMs: 3_600_000 }, 500],
  ["a single one", "list", without(INTERRUPTED), { elapsedMs: 3_600_000, failures: 2 }, undefined],
  ["none for plain values", "set", without(INTERRUPTED), { elapsedMs: 3_600_000 }, undefined],
  ["the requested wait", "set", status(502, 30_000), {}, 30_000],
  ["the requested wait before a list is read", "list", status(408, 30_000), {}, 30_000],
  ["longer than the requested wait", "read", status(503, 2000), { failures: 6 }, 15_000],
  ["the requested wait until an object is ready", "set", status(409, 90_000), {}, 90_000],
  ["a requested minute", "set", status(503, 60_000), {}, 60_000],
  ["not more than a requested minute", "set", status(503, 60_001), {}, undefined],
  ["not more than the rest of a minute", "set", status(503, 30_000), { elapsedMs: 30_001 }, undefined],
  ["not more than a requested minute for a list", "list", status(503, 60_001), {}, undefined],
  ["not more than two requested minutes", "set", status(409, 120_001), {}, undefined],
  ["ten requested minutes for a read", "read", status(503, 600_000), {}, 600_000],
  ["not more than ten for a read", "read", status(503, 600_001), {}, undefined],
  ["not more than one for an urgent read", "read", status(503, 60_001), { isUrgent: true }, undefined],
  ["no wait for a creation", "create", status(503, 1000), {}, undefined],
])("waits: %s", (_, idempotency, failure, more, expected) => {
  expect(after(idempotency, failure, more)?.waitMs).toBe(expected);
});
