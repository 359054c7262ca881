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
  waitLimits,
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
`("the next step after $failures", ({ failures, read, set, list, create }) => {
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

test("waits double up to a limit, with jitter", () => {
  const waits = [1, 2, 3, 4, 5, 6].map(
    (failures) => after("read", status(500), { failures })?.waitMs,
  );
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000]);
  expect(after("read", status(500), { random: 0.5 })?.waitMs).toBe(250);
});

test.each<[string, Idempotency, ApiError, Partial<State>, number | undefined]>([
  ["the last retry", "read", status(500), { failures: 6 }, 15_000],
  ["no more retries than allowed", "read", status(500), { failures: 7 }, undefined],
  [
    "two minutes until an object is ready",
    "set",
    status(409),
    { failures: 40, elapsedMs: 100_000 },
    15_000,
  ],
  ["the same for a list", "list", status(409), { elapsedMs: 100_000 }, 500],
  ["not more than two minutes", "set", status(409), { elapsedMs: 120_000 }, undefined],
  [
    "no retry until an object is ready where none is allowed",
    "set",
    status(409),
    { maxRetries: 0 },
    undefined,
  ],
  ["20 seconds for an idle service", "set", status(424), { elapsedMs: 19_500 }, 500],
  ["the same for a read", "read", status(424), { elapsedMs: 19_500 }, 500],
  ["not more than 20 seconds", "read", status(424), { elapsedMs: 19_501 }, undefined],
  ["a minute for a write", "set", status(500), { elapsedMs: 59_500 }, 500],
  ["not more than a minute for a write", "set", status(500), { elapsedMs: 59_501 }, undefined],
  ["more than a minute for a read", "read", status(500), { elapsedMs: 59_501 }, 500],
  ["not for an urgent read", "read", status(500), { elapsedMs: 59_501, isUrgent: true }, undefined],
  [
    "one read of a list after any time",
    "list",
    without(INTERRUPTED),
    { elapsedMs: 3_600_000 },
    500,
  ],
  ["a single one", "list", without(INTERRUPTED), { elapsedMs: 3_600_000, failures: 2 }, undefined],
  ["none for plain values", "set", without(INTERRUPTED), { elapsedMs: 3_600_000 }, undefined],
  ["the requested wait", "set", status(502, 30_000), {}, 30_000],
  ["the requested wait before a list is read", "list", status(408, 30_000), {}, 30_000],
  ["longer than the requested wait", "read", status(503, 2000), { failures: 6 }, 15_000],
  ["the requested wait until an object is ready", "set", status(409, 90_000), {}, 90_000],
  ["a requested minute", "set", status(503, 60_000), {}, 60_000],
  ["not more than a requested minute", "set", status(503, 60_001), {}, undefined],
  [
    "not more than the rest of a minute",
    "set",
    status(503, 30_000),
    { elapsedMs: 30_001 },
    undefined,
  ],
  ["not more than a requested minute for a list", "list", status(503, 60_001), {}, undefined],
  ["not more than two requested minutes", "set", status(409, 120_001), {}, undefined],
  ["ten requested minutes for a read", "read", status(503, 600_000), {}, 600_000],
  ["not more than ten for a read", "read", status(503, 600_001), {}, undefined],
  [
    "not more than one for an urgent read",
    "read",
    status(503, 60_001),
    { isUrgent: true },
    undefined,
  ],
  ["no wait for a creation", "create", status(503, 1000), {}, undefined],
])("waits: %s", (_, idempotency, failure, more, expected) => {
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
    "a refusal does not end uncertainty",
    { mayHaveSucceeded: true },
    REFUSED,
    {},
    { mayHaveSucceeded: true },
    {},
  ],
  [
    "a lost write may have succeeded",
    {},
    LOST,
    {},
    { failures: 1, mayHaveSucceeded: true },
    { kind: "wait" },
  ],
  [
    "a lost read changes nothing",
    {},
    LOST,
    { idempotency: "read" },
    { mayHaveSucceeded: false },
    { kind: "wait" },
  ],
  [
    "the effect of a lost list change is read",
    {},
    LOST,
    { idempotency: "list", readFirst },
    {},
    { kind: "read", waitMs: 500, readFirst },
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
    "the last failure fails the call",
    { failures: 3 },
    LOST,
    {},
    { failures: 4 },
    { kind: "fail", error: LOST },
  ],
  [
    "an urgent read gives up after a minute",
    {},
    LOST,
    { idempotency: "read", isUrgent: true, elapsedMs: 60_000 },
    {},
    { kind: "fail" },
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
  "an error after an uncertain attempt is uncertain, and the original stays: %s",
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

test("only waits after a refusal count against the longest wait for the rate limit", () => {
  const [refused] = afterFailure(withAttempt(NO_ATTEMPTS, 100), REFUSED, IDLE);
  expect(withAttempt(refused, 20)).toMatchObject({ count: 2, waitedMs: 120, refusedMs: 20 });
});

test.each([
  ["a call with unstored changes", true, ONCE, 60_000, "deadline"],
  [
    "a call that may have succeeded",
    false,
    { ...ONCE, mayHaveSucceeded: true },
    60_000,
    "deadline",
  ],
  ["another call", false, ONCE, 600_000, "cancellation"],
] as const)("the limits of waits: %s", (_, isUrgent, attempts, maxWaitMs, end) => {
  const ends = {
    deadline: new AbortController().signal,
    cancellation: new AbortController().signal,
  };
  const limits = waitLimits(attempts, isUrgent, ends);
  expect(limits.maxWaitMs).toBe(maxWaitMs);
  expect(limits.cancellation).toBe(ends[end]);
});

test.each<[string, Partial<Attempts>, boolean, string]>([
  [
    "never refused",
    {},
    false,
    "the API returned 429, the rate limit requires a wait of more than 600 s",
  ],
  ["refused", { lastError: REFUSED }, false, "the API returned 429"],
  ["canceled", {}, true, "the command was canceled while the request waited to be sent"],
  [
    "canceled after a status",
    { lastError: status(409) },
    true,
    "the command was canceled while the request waited to be sent again after 409",
  ],
  [
    "canceled after a lost connection",
    { lastError: LOST },
    true,
    "the command was canceled while the request waited to be sent again after ECONNRESET",
  ],
])("the error of a call without a permit: %s", (_, before, isCanceled, text) => {
  const cancellation = isCanceled ? AbortSignal.abort() : undefined;
  const limits = { isUrgent: false, maxWaitMs: 600_000, cancellation };
  const errorAfter = (mayHaveSucceeded: boolean) =>
    permitError({ ...ONCE, ...before, mayHaveSucceeded }, FACTS, limits);
  expect(errorAfter(false)).toMatchObject({
    message: expect.stringContaining(`${text} (PATCH `),
    mayHaveSucceeded: false,
  });
  expect(errorAfter(true).mayHaveSucceeded).toBe(true);
});
