import {
  ApiError,
  asUncertain,
  createStatusError,
  INTERRUPTED,
  PROXY_LOGIN,
  UNREACHABLE,
} from "./errors";
import {
  type Attempts,
  afterFailure,
  type CallState,
  type Idempotency,
  NO_ATTEMPTS,
  permitError,
  withAttempt,
} from "./retry";

/** The next step of a call after a failed attempt. */

const FACTS = { api: "management", method: "PATCH", path: "/v1/services", attempts: 1 } as const;
const ONCE = withAttempt(NO_ATTEMPTS, 0);
const readFirst = async () => ({});

interface State extends CallState {
  readonly failures: number;
}

/** The kind of the next step, and its wait. */
function after(idempotency: Idempotency, error: ApiError, more: Partial<State> = {}) {
  const { failures = 1, ...call } = more;
  const state = { isUrgent: false, maxRetries: 6, elapsedMs: 0, random: 1, readFirst, ...call };
  const before = { ...ONCE, failures: failures - 1 };
  const [, next] = afterFailure(before, error, { idempotency, ...state });
  return { kind: next.kind, waitMs: "waitMs" in next ? next.waitMs : undefined };
}
const status = (code: number, waitMs?: number) =>
  createStatusError(FACTS, { status: code, isApi: true, waitMs });
const without = (code: ApiError["code"]) => new ApiError({ code, text: "lost" }, FACTS);

const SEND = { kind: "send", waitMs: undefined };
const WAIT = { kind: "wait", waitMs: 500 };
const READ = { kind: "read", waitMs: 500 };
const FAIL = { kind: "fail", waitMs: undefined };

test.each`
  failures                          | read    | set     | list    | create
  ${[429]}                          | ${SEND} | ${SEND} | ${SEND} | ${SEND}
  ${[UNREACHABLE]}                  | ${WAIT} | ${WAIT} | ${WAIT} | ${WAIT}
  ${[PROXY_LOGIN, 407]}             | ${WAIT} | ${WAIT} | ${WAIT} | ${WAIT}
  ${[409, 423, 425]}                | ${FAIL} | ${WAIT} | ${WAIT} | ${FAIL}
  ${[424]}                          | ${WAIT} | ${WAIT} | ${WAIT} | ${FAIL}
  ${[408, 500, 502, 503, 504]}      | ${WAIT} | ${WAIT} | ${READ} | ${FAIL}
  ${[INTERRUPTED]}                  | ${WAIT} | ${WAIT} | ${READ} | ${FAIL}
  ${[400, 401, 403, 404, 410, 422]} | ${FAIL} | ${FAIL} | ${FAIL} | ${FAIL}
  ${[301, 499, 501, 511]}           | ${FAIL} | ${FAIL} | ${FAIL} | ${FAIL}
  ${["CDB3010"]}                    | ${FAIL} | ${FAIL} | ${FAIL} | ${FAIL}
`("the table decides the next step after $failures", ({ failures, read, set, list, create }) => {
  for (const failure of failures) {
    const error = typeof failure === "number" ? status(failure) : without(failure);
    expect(after("read", error)).toEqual(read);
    expect(after("set", error)).toEqual(set);
    expect(after("list", error)).toEqual(list);
    expect(after("create", error)).toEqual(create);
  }
});

test("a list change that may have succeeded fails if its effect cannot be read", () => {
  expect(after("list", status(500), { readFirst: undefined })).toEqual(FAIL);
  expect(after("list", status(409), { readFirst: undefined })).toEqual(WAIT);
});

test("waits between retries double up to a limit, with jitter", () => {
  const waits = [1, 2, 3, 4, 5, 6].map(
    (failures) => after("read", status(500), { failures })?.waitMs,
  );
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000]);
  expect(after("read", status(500), { random: 0.5 })?.waitMs).toBe(250);
});

test.each<[string, Idempotency, ApiError, Partial<State>, number | undefined]>([
  ["the last retry waits 15 s", "read", status(500), { failures: 6 }, 15_000],
  ["no retry exceeds the maximum number", "read", status(500), { failures: 7 }, undefined],
  [
    "a write waits up to two minutes for an object to be ready",
    "set",
    status(409),
    { failures: 40, elapsedMs: 100_000 },
    15_000,
  ],
  [
    "a list change waits up to two minutes for an object to be ready",
    "list",
    status(409),
    { elapsedMs: 100_000 },
    500,
  ],
  [
    "a write fails after two minutes of waiting for an object",
    "set",
    status(409),
    { elapsedMs: 120_000 },
    undefined,
  ],
  [
    "a write does not wait for an object if retries are off",
    "set",
    status(409),
    { maxRetries: 0 },
    undefined,
  ],
  [
    "a write waits up to 20 seconds for an idle service",
    "set",
    status(424),
    { elapsedMs: 19_500 },
    500,
  ],
  [
    "a read waits up to 20 seconds for an idle service",
    "read",
    status(424),
    { elapsedMs: 19_500 },
    500,
  ],
  [
    "a read fails after 20 seconds of waiting for an idle service",
    "read",
    status(424),
    { elapsedMs: 19_501 },
    undefined,
  ],
  ["a write is retried for up to a minute", "set", status(500), { elapsedMs: 59_500 }, 500],
  ["a write fails after a minute", "set", status(500), { elapsedMs: 59_501 }, undefined],
  ["a read is retried for more than a minute", "read", status(500), { elapsedMs: 59_501 }, 500],
  [
    "an urgent read fails after a minute",
    "read",
    status(500),
    { elapsedMs: 59_501, isUrgent: true },
    undefined,
  ],
  [
    "a lost list change is read once, after any time",
    "list",
    without(INTERRUPTED),
    { elapsedMs: 3_600_000 },
    500,
  ],
  [
    "a lost list change is not read a second time after a minute",
    "list",
    without(INTERRUPTED),
    { elapsedMs: 3_600_000, failures: 2 },
    undefined,
  ],
  [
    "a lost write of plain values fails after a minute",
    "set",
    without(INTERRUPTED),
    { elapsedMs: 3_600_000 },
    undefined,
  ],
  ["a write waits as long as requested", "set", status(502, 30_000), {}, 30_000],
  [
    "the read of a lost list change waits as long as requested",
    "list",
    status(408, 30_000),
    {},
    30_000,
  ],
  ["a late retry waits longer than requested", "read", status(503, 2000), { failures: 6 }, 15_000],
  [
    "a write waits as long as requested for an object to be ready",
    "set",
    status(409, 90_000),
    {},
    90_000,
  ],
  ["a write waits a minute if requested", "set", status(503, 60_000), {}, 60_000],
  [
    "a write fails if the requested wait exceeds a minute",
    "set",
    status(503, 60_001),
    {},
    undefined,
  ],
  [
    "a write fails if the requested wait exceeds the rest of its minute",
    "set",
    status(503, 30_000),
    { elapsedMs: 30_001 },
    undefined,
  ],
  [
    "a list change fails if the requested wait exceeds a minute",
    "list",
    status(503, 60_001),
    {},
    undefined,
  ],
  [
    "a write fails if the requested wait for an object exceeds two minutes",
    "set",
    status(409, 120_001),
    {},
    undefined,
  ],
  ["a read waits ten minutes if requested", "read", status(503, 600_000), {}, 600_000],
  [
    "a read fails if the requested wait exceeds ten minutes",
    "read",
    status(503, 600_001),
    {},
    undefined,
  ],
  [
    "an urgent read fails if the requested wait exceeds a minute",
    "read",
    status(503, 60_001),
    { isUrgent: true },
    undefined,
  ],
  ["a creation does not wait", "create", status(503, 1000), {}, undefined],
])("retries respect their limits: %s", (_, idempotency, failure, more, expected) => {
  expect(after(idempotency, failure, more)?.waitMs).toBe(expected);
});

const LOST = new ApiError(
  { code: INTERRUPTED, text: "lost" },
  { ...FACTS, networkCode: "ECONNRESET" },
  {},
  true,
);
const REFUSED = status(429);
const IDLE = {
  idempotency: "set",
  isUrgent: false,
  maxRetries: 3,
  elapsedMs: 0,
  random: 1,
} as const;

// client-responses.test.ts has the attempts after which a call stays uncertain.
test.each<[string, Partial<Attempts>, ApiError, object, object, object]>([
  [
    "a refused request is sent again and does not count as a failure",
    {},
    REFUSED,
    {},
    { failures: 0 },
    { kind: "send" },
  ],
  [
    "a failure ends a series of refusals",
    { refusedMs: 5000 },
    LOST,
    {},
    { refusedMs: 0 },
    { kind: "wait" },
  ],
  [
    "waits for permits do not count",
    { waitedMs: 1000 },
    LOST,
    { elapsedMs: 60_000 },
    {},
    { kind: "wait" },
  ],
])("%s", (_, before, error, state, expected, next) => {
  const [attempts, step] = afterFailure({ ...ONCE, ...before }, error, { ...IDLE, ...state });
  expect(attempts).toMatchObject({ ...expected, lastError: error });
  expect(step).toMatchObject(next);
});

test.each([true, false])(
  "an error is uncertain only after an uncertain attempt, and the original error stays: %s",
  (isEarlier) => {
    const refusal = status(400);
    const [, next] = afterFailure({ ...ONCE, mayHaveSucceeded: isEarlier }, refusal, IDLE);
    expect(next).toMatchObject({
      error: { message: refusal.message, code: refusal.code, mayHaveSucceeded: isEarlier },
    });
    expect(refusal.mayHaveSucceeded).toBe(false);
    const ownError = new Error("not of the API");
    expect(asUncertain(ownError)).toBe(ownError);
  },
);

test("waits after a refusal alone count against the longest wait for the rate limit", () => {
  const [refused] = afterFailure(withAttempt(NO_ATTEMPTS, 100), REFUSED, IDLE);
  expect(withAttempt(refused, 20)).toMatchObject({ count: 2, waitedMs: 120, refusedMs: 20 });
});

// client.test.ts has the ends of canceled calls, and client-responses.test.ts the longest waits.
test("a call without a permit fails, and is uncertain only after an uncertain attempt", () => {
  const limits = { isUrgent: false, maxWaitMs: 600_000, cancellation: undefined };
  const errorAfter = (mayHaveSucceeded: boolean) =>
    permitError({ ...ONCE, mayHaveSucceeded }, FACTS, limits);
  expect(errorAfter(false)).toMatchObject({
    message: expect.stringContaining(
      "the API returned 429, the rate limit requires a wait of more than 600 s (PATCH ",
    ),
    mayHaveSucceeded: false,
  });
  expect(errorAfter(true).mayHaveSucceeded).toBe(true);
});
