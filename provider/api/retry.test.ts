import { decideRetry, type Failure, type Idempotency, type RetryState } from "./retry";

const after = (idempotency: Idempotency, failure: Failure, more: Partial<RetryState> = {}) =>
  decideRetry({ idempotency, failure, isUrgent: false, failures: 1, maxRetries: 6, elapsedMs: 0, random: 1, ...more });
const status = (code: number, waitMs?: number): Failure => ({ kind: "status", status: code, waitMs });

describe("a request that fails", () => {
  test.each([408, 500, 502, 503, 504])("with %i is retried, unless it is a creation", (code) => {
    expect(after("read", status(code))).toEqual({ waitMs: 500, readFirst: false });
    expect(after("set", status(code))).toEqual({ waitMs: 500, readFirst: false });
    expect(after("list", status(code))).toEqual({ waitMs: 500, readFirst: true });
    expect(after("create", status(code))).toBeUndefined();
  });

  test.each([400, 401, 403, 404, 410, 422])("with %i is not retried", (code) => {
    for (const idempotency of ["read", "set", "list", "create"] as const) {
      expect(after(idempotency, status(code))).toBeUndefined();
    }
  });

  test.each([409, 423, 424, 425])("with %i is retried for two minutes if it is an update", (code) => {
    expect(after("set", status(code), { failures: 40, elapsedMs: 100_000 })).toBeDefined();
    expect(after("list", status(code), { elapsedMs: 100_000 })).toEqual({ waitMs: 500, readFirst: false });
    expect(after("set", status(code), { elapsedMs: 120_000 })).toBeUndefined();
    expect(after("create", status(code))).toBeUndefined();
    expect(after("set", status(code), { maxRetries: 0 })).toBeUndefined();
  });

  test("before it was sent is always retried", () => {
    for (const idempotency of ["read", "set", "list", "create"] as const) {
      expect(after(idempotency, { kind: "unreachable" })).toEqual({ waitMs: 500, readFirst: false });
    }
  });

  test("while in flight is retried, unless it is a creation; lists are read first", () => {
    expect(after("read", { kind: "interrupted" })).toEqual({ waitMs: 500, readFirst: false });
    expect(after("list", { kind: "interrupted" })).toEqual({ waitMs: 500, readFirst: true });
    expect(after("create", { kind: "interrupted" })).toBeUndefined();
  });

  test("with an invalid response is not retried", () => {
    expect(after("read", { kind: "final" })).toBeUndefined();
  });
});

describe("waits", () => {
  test("double up to a limit, with jitter", () => {
    const waits = [1, 2, 3, 4, 5, 6].map((failures) => after("read", status(500), { failures })?.waitMs);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000]);
    expect(after("read", status(500), { random: 0.5 })?.waitMs).toBe(250);
  });

  test("end after maxRetries", () => {
    expect(after("read", status(500), { failures: 6 })).toBeDefined();
    expect(after("read", status(500), { failures: 7 })).toBeUndefined();
  });

  test("of a write add up to at most a minute, of a read they may be longer", () => {
    expect(after("set", status(500), { elapsedMs: 59_500 })).toBeDefined();
    expect(after("set", status(500), { elapsedMs: 59_501 })).toBeUndefined();
    expect(after("read", status(500), { elapsedMs: 59_501 })).toBeDefined();
    expect(after("read", status(500), { elapsedMs: 59_501, isUrgent: true })).toBeUndefined();
  });

  test("add up to at most a minute for a list, too, except for one read after a first attempt of any length", () => {
    const interrupted = { kind: "interrupted" } as const;
    expect(after("list", interrupted, { elapsedMs: 3_600_000 })).toEqual({ waitMs: 500, readFirst: true });
    expect(after("list", interrupted, { elapsedMs: 3_600_000, failures: 2 })).toBeUndefined();
    expect(after("set", interrupted, { elapsedMs: 3_600_000 })).toBeUndefined();
  });

  test("are as long as the server asks, or longer", () => {
    for (const code of [408, 500, 502, 503, 504]) {
      expect(after("set", status(code, 30_000))?.waitMs).toBe(30_000);
      expect(after("list", status(code, 30_000))).toEqual({ waitMs: 30_000, readFirst: true });
      expect(after("read", status(code, 2000), { failures: 6 })?.waitMs).toBe(15_000);
    }
    expect(after("set", status(409, 90_000))?.waitMs).toBe(90_000);
  });

  test("do not start if the server asks for more than is left", () => {
    expect(after("set", status(503, 60_000))).toBeDefined();
    expect(after("set", status(503, 60_001))).toBeUndefined();
    expect(after("set", status(503, 30_000), { elapsedMs: 30_001 })).toBeUndefined();
    expect(after("list", status(503, 60_001))).toBeUndefined();
    expect(after("set", status(409, 120_001))).toBeUndefined();
    expect(after("read", status(503, 600_000))).toBeDefined();
    expect(after("read", status(503, 600_001))).toBeUndefined();
    expect(after("read", status(503, 60_001), { isUrgent: true })).toBeUndefined();
    expect(after("create", status(503, 1000))).toBeUndefined();
  });
});
