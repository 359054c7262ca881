const DAYS = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAYS = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${MONTHS.join("|")})`;
const HOUR = "[01]\\d|2[0-3]";
const TIME = `(?<hours>${HOUR}):(?<minutes>[0-5]\\d):(?<seconds>[0-5]\\d|60)`;
const ZONE = `(?:GMT|UTC?|(?<sign>[+-])(?<zoneHours>${HOUR})(?<zoneMinutes>[0-5]\\d))`;

/**
 * The three forms of RFC 9110, section 5.6.7: that of today, that of RFC 850, and that of C's asctime. Of the first one
 * also what mail allows (RFC 5322), as that section recommends to recipients.
 */
const FORMS = [
  new RegExp(`^(?:${DAYS},? ?)?(?<day>\\d\\d?) ${MONTH} (?<year>\\d{4}) ${TIME} ?${ZONE}$`),
  new RegExp(`^${LONG_DAYS}, (?<day>\\d\\d)-${MONTH}-(?<shortYear>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^${DAYS} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`),
];
/** A year of two digits is not further in the future than this. */
const MAX_YEARS_AHEAD = 50;

/** A date of an HTTP header in milliseconds since 1970, or undefined where the text is none. Without a zone it is in UTC. */
export function parseHttpDate(text: string, now: number): number | undefined {
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((match) => match !== undefined);
  if (groups === undefined) return undefined;
  const { year, shortYear, month = "", day, hours, minutes, seconds } = groups;
  const fullYear = Number(year ?? fullYearOf(Number(shortYear), new Date(now).getUTCFullYear()));
  const midnight = new Date(0);
  midnight.setUTCFullYear(fullYear, MONTHS.indexOf(month), Number(day));
  if (midnight.getUTCDate() !== Number(day)) return undefined;
  const { sign = "+", zoneHours = 0, zoneMinutes = 0 } = groups;
  const zone = Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return midnight.getTime() + ((Number(hours) * 60 + Number(minutes) - zone) * 60 + Number(seconds)) * 1000;
}

function fullYearOf(shortYear: number, thisYear: number): number {
  const inThisCentury = thisYear - (thisYear % 100) + shortYear;
  return inThisCentury > thisYear + MAX_YEARS_AHEAD ? inThisCentury - 100 : inThisCentury;
}
