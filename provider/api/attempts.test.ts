import { type Attempts, afterFailure, NO_ATTEMPTS, permitError, waitLimits, withAttempt } from "./attempts";
import { ApiError, asUncertain, createStatusError, INTERRUPTED } from "./errors";

const FACTS = { api: "management", method: "PATCH", path: "/v1/services", attempts: 1 } as const;
const status = (code: number) => createStatusError(FACTS, { status: code, isApi: true });
const LOST = new ApiError({ code: INTERRUPTED, text: "lost" }, { ...FACTS, networkCode: "ECONNRESET" }, {}, true);
const REFUSED = status(429);
const IDLE = { idempotency: "set", isUrgent: false, maxRetries: 3, elapsedMs: 0, random: 1 } as const;
const ONCE = withAttempt(NO_ATTEMPTS, 0);

test.each<[string, Partial<Attempts>, ApiError, object, object, object]>([
  [
    "a refused request is sent again and does not count as a failure",
    {},
    REFUSED,
    {},
    { failures: 0 },
    { kind: "send" },
  ],
  ["a refusal does not end uncertainty", { mayHaveSucceeded: true }, REFUSED, {}, { mayHaveSucceeded: true }, {}],
  ["a lost write may have succeeded", {}, LOST, {}, { failures: 1, mayHaveSucceeded: true }, { kind: "wait" }],
  ["a lost read changes nothing", {}, LOST, { idempotency: "read" }, { mayHaveSucceeded: false }, { kind: "wait" }],
  ["the effect of a lost list change is read", {}, LOST, { idempotency: "list" }, {}, { kind: "read", waitMs: 500 }],
  ["the wait doubles with each failure", { failures: 1 }, LOST, {}, { failures: 2 }, { kind: "wait", waitMs: 1000 }],
  ["a failure ends a series of refusals", { refusedMs: 5000 }, LOST, {}, { refusedMs: 0 }, { kind: "wait" }],
  ["the last failure fails the call", { failures: 3 }, LOST, {}, { failures: 4 }, { kind: "fail", error: LOST }],
  ["a lost creation fails the call", {}, LOST, { idempotency: "create" }, {}, { kind: "fail", error: LOST }],
  [
    "an urgent read gives up after a minute",
    {},
    LOST,
    { idempotency: "read", isUrgent: true, elapsedMs: 60_000 },
    {},
    { kind: "fail" },
  ],
  ["a write gives up after a minute", {}, LOST, { elapsedMs: 60_000 }, {}, { kind: "fail" }],
  ["waits for permits do not count", { waitedMs: 1000 }, LOST, { elapsedMs: 60_000 }, {}, { kind: "wait" }],
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
  ["a call that may have succeeded", false, { ...ONCE, mayHaveSucceeded: true }, 60_000, "deadline"],
  ["another call", false, ONCE, 600_000, "cancellation"],
] as const)("the limits of waits: %s", (_, isUrgent, attempts, maxWaitMs, end) => {
  const ends = { deadline: new AbortController().signal, cancellation: new AbortController().signal };
  const limits = waitLimits(attempts, isUrgent, ends);
  expect(limits.maxWaitMs).toBe(maxWaitMs);
  expect(limits.cancellation).toBe(ends[end]);
});

test.each<[string, Partial<Attempts>, boolean, string]>([
  ["never refused", {}, false, "the API returned 429, the rate limit requires a wait of more than 600 s"],
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
