import { waitMs } from "./request";

const NOW = Date.UTC(2026, 10, 21, 10);

test.each([
  ["0", 1000],
  ["0.001", 1000],
  ["-7", 1000],
  ["2", 2000],
  ["61", 60_000],
  ["999999999", 60_000],
  // Too many seconds to be a wait, and no moment before the year 10,000.
  ["999999999999", 1000],
  ["Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 10:00:00 GMT", 1000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 1000],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 60_000],
  ["Sat, 99 Nov 2026 10:00:30 GMT", 1000],
  ["later 9999", 1000],
  ["Fri Dec 31 23:59:59 9999", 60_000],
  ["2e1", 1000],
  ["after Fri, 31 Dec 9999 23:59:59 GMT", 1000],
  ["Fri, 31 Dec 9999 23:59:59 GMT+1", 1000],
  ["", 1000],
  [undefined, 1000],
])("Retry-After: %s is a wait of %s ms", (value, ms) => {
  expect(waitMs(value, 1, NOW)).toBe(ms);
});

test("later attempts wait longer than a server asks for", () => {
  expect(waitMs("1", 3, NOW)).toBe(3000);
  expect(waitMs(undefined, 4, NOW)).toBe(4000);
});
