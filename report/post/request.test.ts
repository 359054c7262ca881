import { waitMs } from "./request";

test("a date is waited for until then", () => {
  const now = Date.UTC(2026, 10, 21, 10);
  expect(waitMs("Sat, 21 Nov 2026 10:00:30 GMT", 1, now)).toBe(30_000);
  expect(waitMs("Sat, 21 Nov 2026 10:00:01 GMT", 3, now)).toBe(3000);
  expect(waitMs("Sat, 99 Nov 2026 10:00:30 GMT", 2, now)).toBe(2000);
  expect(waitMs(undefined, 4, now)).toBe(4000);
});
