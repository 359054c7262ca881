const DAYS = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAYS = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${MONTHS.join("|")})`;
const DAY = "(?<day>\\d\\d)";
const TIME = "(?<hours>[01]\\d|2[0-3]):(?<minutes>[0-5]\\d):(?<seconds>[0-5]\\d|60)";

/** The three forms of RFC 9110, section 5.6.7: that of today, that of RFC 850, and that of C's asctime. */
const FORMS = [
  new RegExp(`^${DAYS}, ${DAY} ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAYS}, ${DAY}-${MONTH}-(?<shortYear>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^${DAYS} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`),
];
/** A year of two digits is not further in the future than this. */
const MAX_YEARS_AHEAD = 50;

/** A date of an HTTP header in milliseconds since 1970, or undefined where the text is none. All are in UTC. */
export function parseHttpDate(text: string, now: number): number | undefined {
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((match) => match !== undefined);
  if (groups === undefined) return undefined;
  const { year, shortYear, month = "", day, hours, minutes, seconds } = groups;
  const fullYear = Number(year ?? fullYearOf(Number(shortYear), new Date(now).getUTCFullYear()));
  const midnight = new Date(0);
  midnight.setUTCFullYear(fullYear, MONTHS.indexOf(month), Number(day));
  if (midnight.getUTCDate() !== Number(day)) return undefined;
  return midnight.getTime() + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

function fullYearOf(shortYear: number, thisYear: number): number {
  const inThisCentury = thisYear - (thisYear % 100) + shortYear;
  return inThisCentury > thisYear + MAX_YEARS_AHEAD ? inThisCentury - 100 : inThisCentury;
}
