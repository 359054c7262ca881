/* Parses requested waits and dates in headers. */

/** A longer wait, forwards or backwards, means that a clock is wrong. */
const MAX_PLAUSIBLE_WAIT_MS = 24 * 60 * 60_000;
/** The end of the year 9999. Larger numbers are not times. */
const MAX_MOMENT_MS = Date.UTC(10_000, 0);

/**
 * The wait in a header: seconds, a date, or seconds or milliseconds since 1970. A time is compared
 * with the first clock that makes it plausible.
 */
export function parseDelayMs(header: unknown, clocks: readonly number[]): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  const seconds = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (seconds !== undefined && seconds <= 1_000_000_000) return Math.max(0, seconds * 1000);
  const moment =
    seconds === undefined ? parseDate(text) : seconds * (seconds > 1_000_000_000_000 ? 1 : 1000);
  if (moment === undefined || moment > MAX_MOMENT_MS) return undefined;
  const waits = clocks.map((now) => moment - now);
  return Math.max(0, waits.find((ms) => Math.abs(ms) <= MAX_PLAUSIBLE_WAIT_MS) ?? waits[0] ?? 0);
}

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*";
const TIME = "[0-2]\\d:[0-5]\\d:[0-5]\\d";
/** Dates of RFC 9110, section 5.6.7, and of mail. `Date.parse` alone accepts nearly any text. */
const DATE = new RegExp(
  `^(?:${DAY},? ?)?\\d\\d?[ -][A-Z][a-z]{2}[ -]\\d{2,4} ${TIME} ?(?:GMT|UTC?|[+-][01]\\d[0-5]\\d)$`,
);
/** The date format of C's asctime, always in UTC. */
const ASCTIME = new RegExp(`^${DAY} [A-Z][a-z]{2} [ \\d]\\d ${TIME} \\d{4}$`);

/** A date in a header as milliseconds since 1970; undefined for other texts. */
export function parseDate(text: string): number | undefined {
  const moment = Date.parse(ASCTIME.test(text) ? `${text} GMT` : DATE.test(text) ? text : "");
  return Number.isNaN(moment) ? undefined : moment;
}
