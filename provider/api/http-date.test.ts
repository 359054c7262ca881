import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "@swc/core";
import { parseHttpDate } from "./http-date";

const NOW = Date.UTC(2019, 5, 3, 11);
const parse = (text: string, now = NOW) => parseHttpDate(text, now);

/** The three forms of one moment. */
const FORMS = ["Mon, 03 Jun 2019 11:30:12 GMT", "Monday, 03-Jun-19 11:30:12 GMT", "Mon Jun  3 11:30:12 2019"];

describe("a date of an HTTP header", () => {
  test.each(FORMS)("is read from %j", (text) => {
    expect(parse(text)).toBe(Date.UTC(2019, 5, 3, 11, 30, 12));
  });

  test.each<[string, number]>([
    ["Tue Jun 13 00:00:00 2023", Date.UTC(2023, 5, 13)],
    ["Wed Jun 03 00:00:00 2020", Date.UTC(2020, 5, 3)],
    ["Thu, 29 Feb 2024 23:59:59 GMT", Date.UTC(2024, 1, 29, 23, 59, 59)],
    // A leap second.
    ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2017, 0, 1)],
    ["Sat, 01 Jan 0050 00:00:00 GMT", -60_589_296_000_000],
    // As in mail: RFC 9110 recommends to read these, too.
    ["Mon, 3 Jun 2019 12:00:00 GMT", Date.UTC(2019, 5, 3, 12)],
    ["Mon, 03 Jun 2019 12:00:00 UTC", Date.UTC(2019, 5, 3, 12)],
    ["Mon, 03 Jun 2019 12:00:00 +0000", Date.UTC(2019, 5, 3, 12)],
    ["Mon, 03 Jun 2019 12:00:00 -0930", Date.UTC(2019, 5, 3, 21, 30)],
    ["Mon, 03 Jun 2019 00:15:00 +1400", Date.UTC(2019, 5, 2, 10, 15)],
    ["03 Jun 2019 12:00:00 GMT", Date.UTC(2019, 5, 3, 12)],
    ["Mon,03 Jun 2019 12:00:00 GMT", Date.UTC(2019, 5, 3, 12)],
    ["Sunday, 06-Nov-94 08:49:37 GMT", Date.UTC(1994, 10, 6, 8, 49, 37)],
  ])("%j is a moment in UTC", (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  test.each<[number, string, number]>([
    [2019, "69", 2069],
    [2019, "70", 1970],
    [2051, "00", 2000],
    [2099, "49", 2049],
  ])("in %i, a year %s of two digits is %i", (thisYear, short, full) => {
    const text = `Monday, 01-Jul-${short} 00:00:00 GMT`;
    expect(parse(text, Date.UTC(thisYear, 6))).toBe(Date.UTC(full, 6));
  });

  test.each([
    "",
    "later 2030",
    "soon",
    "1",
    "+1",
    "-1",
    "1.",
    ".5",
    "2030",
    "2019-06-03",
    "2019-06-03T11:30:12Z",
    "06/03/2019",
    "Jun 3",
    // A day that does not exist, and names of days and months that do not.
    "Zun, 29 Sep 2023 16:26:27 GMT",
    "Mon, 03 Jux 2019 11:30:12 GMT",
    "Sun, 30 Feb 2020 00:00:00 GMT",
    "Sat, 00 Jun 2019 00:00:00 GMT",
    "Mon, 31 Jun 2019 00:00:00 GMT",
    // Times that do not exist.
    "Mon, 03 Jun 2019 24:00:00 GMT",
    "Mon, 03 Jun 2019 11:60:00 GMT",
    "Mon, 03 Jun 2019 11:30:61 GMT",
    // Nearly one of the forms.
    "Mon, 03 Jun 2019 12:00:00",
    "Mon, 03 Jun 2019 12:00:00 EST",
    "Mon, 03 Jun 2019 12:00:00 +2400",
    "Mon, 03 Jun 2019 12:00:00 +0060",
    "Mon, 03 Jun 2019 12:00:00 +01:00",
    "mon, 03 jun 2019 12:00:00 gmt",
    "Mon, 03 Jun 2019  12:00:00 GMT",
    "Mon, 03 Jun 2019 12:00:00 GMT.",
    "Mon, 03 Jun 19 12:00:00 GMT",
    "Mon, 03-Jun-19 12:00:00 GMT",
    "Monday, 03-Jun-2019 12:00:00 GMT",
    "Monday, 03 Jun 2019 12:00:00 GMT",
    "Mon Jun 3 12:00:00 2019",
    "Mon Jun  3 12:00:00 2019 GMT",
    "Mon Jun  3 12:00:00 19",
    "Mon, 03 Jun 2019 12:00:00 GMT\nMon",
    "x Mon, 03 Jun 2019 12:00:00 GMT",
  ])("%j is none", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  test("does not depend on the machine's time zone", () => {
    const source = readFileSync(join(__dirname, "http-date.ts"), "utf8");
    const options = {
      jsc: { parser: { syntax: "typescript" }, target: "es2022" },
      module: { type: "commonjs" },
    } as const;
    const print = `console.log(JSON.stringify(${JSON.stringify(FORMS)}.map((text) => exports.parseHttpDate(text, ${NOW}))))`;
    const code = `${transformSync(source, options).code}\n${print}`;
    const env = { ...process.env, TZ: "Pacific/Kiritimati" };
    const output = execFileSync(process.execPath, ["-e", code], { env, encoding: "utf8" });
    expect(JSON.parse(output)).toEqual(FORMS.map(() => Date.UTC(2019, 5, 3, 11, 30, 12)));
  });
});
