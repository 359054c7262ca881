import { parseResponse } from "./response";

const NOW = Date.parse("2026-11-21T10:00:00Z");
const facts = (status: number, body: string, headers: Record<string, string> = {}) =>
  parseResponse({ status, body, headers }, NOW, (text) => text);

describe("an error answer", () => {
  test("of the API's own form tells code, text and request id", () => {
    const body = JSON.stringify({ requestId: "r-1", error: "BAD_REQUEST: name is too long", status: 400 });
    expect(facts(400, body)).toMatchObject({
      requestId: "r-1",
      apiCode: "BAD_REQUEST",
      text: "name is too long",
      isApi: true,
    });
  });

  test.each([
    ["a bare code", '{"error":"TOO_MANY_REQUESTS"}', { apiCode: "TOO_MANY_REQUESTS", text: undefined, isApi: true }],
    ["a text without a code", '{"error":"no such thing"}', { apiCode: undefined, text: "no such thing", isApi: true }],
    ["nothing", "", { apiCode: undefined, text: undefined, isApi: false }],
    ["a proxy's page", "<html><body>502</body></html>", { apiCode: undefined, text: "502", isApi: false }],
    ["some other JSON", "[1]", { apiCode: undefined, text: undefined, isApi: false }],
    ["a gateway's JSON", '{"message":"Bad gateway"}', { apiCode: undefined, text: "Bad gateway", isApi: false }],
  ])("that is %s is understood as such", (_, body, expected) => {
    expect(facts(502, body)).toMatchObject(expected);
  });

  test.each([
    "{}",
    '{"requestId":7}',
    '{"requestId":["r-1"]}',
    '{"requestId":""}',
    '{"requestId":" \\n"}',
    '[{"requestId":"r-1"}]',
    "null",
  ])("%s has no request id", (body) => {
    expect(facts(404, body).requestId).toBeUndefined();
  });

  test("is searched for secrets before it is cleaned and cut, its request id and all", () => {
    const secret = "hush\n\thush";
    const redacted = (text: string) => text.replaceAll(secret, "[secret]");
    const told = (error: string) =>
      parseResponse(
        { status: 400, headers: {}, body: JSON.stringify({ error, requestId: `r ${secret}` }) },
        NOW,
        redacted,
      );
    expect(told(`no ${secret}`)).toMatchObject({ text: "no [secret]", requestId: "r [secret]" });
    expect(told(`${"x".repeat(397)}${secret}`).text).toBe(`${"x".repeat(397)}[se…`);
  });

  test("is one clean line of bounded length", () => {
    const { text } = facts(500, JSON.stringify({ error: `a\n\u001b[31mb\t${"c".repeat(1000)}` }));
    expect(text).toMatch(/^a \[31mb c+…$/);
    expect(text?.length).toBe(401);
  });
});

describe("the wait that an answer asks for", () => {
  const at = (time: string) => ({ date: `Sat, 21 Nov 2026 ${time} GMT` });

  test.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "7" }, 7000],
    ["a date", { "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000],
    ["a date that has passed", { "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, 0],
    ["a reset in seconds from now", { "x-ratelimit-reset": "9" }, 9000],
    ["a reset as a moment", { "ratelimit-reset": String(NOW / 1000 + 12) }, 12_000],
    ["a reset in milliseconds", { "x-ratelimit-reset": String(NOW + 5000) }, 5000],
    [
      "a date of a server whose clock is fast",
      { ...at("10:15:00"), "retry-after": "Sat, 21 Nov 2026 10:15:03 GMT" },
      3000,
    ],
    [
      "a date of a server whose clock is slow",
      { ...at("09:45:00"), "retry-after": "Sat, 21 Nov 2026 09:45:03 GMT" },
      3000,
    ],
    ["a date that has passed there", { ...at("10:15:00"), "retry-after": "Sat, 21 Nov 2026 10:14:00 GMT" }, 0],
    ["a reset as a moment there", { ...at("10:15:00"), "ratelimit-reset": String(NOW / 1000 + 912) }, 12_000],
    ["a date beside one that makes no sense", { date: "now", "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000],
    [
      "a date beside one of long ago",
      { date: "Thu, 01 Jan 1970 00:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" },
      30_000,
    ],
    [
      "a date beside one to come",
      { date: "Wed, 21 Nov 2096 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" },
      30_000,
    ],
    [
      "a date where this machine's clock is wrong",
      { date: "Wed, 21 Nov 2096 10:00:00 GMT", "retry-after": "Wed, 21 Nov 2096 10:00:30 GMT" },
      30_000,
    ],
    ["a date in two days", { ...at("10:00:00"), "retry-after": "Mon, 23 Nov 2026 10:00:00 GMT" }, 2 * 86_400_000],
    ["less than no seconds", { "retry-after": "-5" }, 0],
    ["decimals", { "retry-after": "0.1" }, 100],
    ["more decimals", { "retry-after": "1.500" }, 1500],
    ["zero", { "retry-after": "0" }, 0],
    ["seconds between white space", { "retry-after": "\t42 " }, 42_000],
    ["a moment with decimals", { "ratelimit-reset": String(NOW / 1000 + 1.5) }, 1500],
    ["a date of RFC 850", { "retry-after": "Saturday, 21-Nov-26 10:00:30 GMT" }, 30_000],
    ["a date of asctime", { "retry-after": "Sat Nov 21 10:00:30 2026" }, 30_000],
    [
      "dates of asctime by the server's clock",
      { date: "Sat Nov 21 10:15:00 2026", "retry-after": "Sat Nov 21 10:15:03 2026" },
      3000,
    ],
    ["a date of mail", { "retry-after": "21 Nov 2026 10:00:30 +0000" }, 30_000],
    ["a date of mail in its own zone", { "retry-after": "Sat,21 Nov 2026 00:30:30 -0930" }, 30_000],
    ["a date of mail in UTC", { "retry-after": "Sat, 21 Nov 2026 10:00:30 UTC" }, 30_000],
    ["a day of one digit", { "retry-after": "Tue, 1 Dec 2026 10:00:30 GMT" }, 10 * 86_400_000 + 30_000],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["a date without a zone", { "retry-after": "Sat, 21 Nov 2026 10:00:30" }, undefined],
    ["a date in small letters", { "retry-after": "sat, 21 nov 2026 10:00:30 gmt" }, undefined],
    ["a date in a longer text", { "retry-after": "x Sat, 21 Nov 2026 10:00:30 GMT" }, undefined],
    ["two dates", { "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT\nSat" }, undefined],
    ["a month that does not exist", { "retry-after": "Sat, 21 Nox 2026 10:00:30 GMT" }, undefined],
    ["day zero", { "retry-after": "Sat, 00 Nov 2026 10:00:30 GMT" }, undefined],
    ["a minute that does not exist", { "retry-after": "Sat, 21 Nov 2026 10:60:30 GMT" }, undefined],
    ["a leap second", { "retry-after": "Sat, 31 Dec 2016 23:59:60 GMT" }, undefined],
    ["nonsense with a year", { "retry-after": "later 2030" }, undefined],
    ["a date of ISO 8601", { "retry-after": "2026-11-21T10:00:30Z" }, undefined],
    ["a date of another zone", { "retry-after": "Sat, 21 Nov 2026 10:00:30 EST" }, undefined],
    ["a day that does not exist", { "retry-after": "Zun, 21 Nov 2026 10:00:30 GMT" }, undefined],
    ["a sign", { "retry-after": "+1" }, undefined],
    ["another digit", { "retry-after": "\u00b2" }, undefined],
    ["half a number", { "retry-after": "1." }, undefined],
    ["the other half", { "retry-after": ".5" }, undefined],
    ["an exponent", { "retry-after": "1e3" }, undefined],
    ["hexadecimal digits", { "retry-after": "0x10" }, undefined],
    ["several values", { "retry-after": "1, 2" }, undefined],
    ["an empty header", { "retry-after": "" }, undefined],
    ["a number that is no moment", { "retry-after": "99999999999999999999999999" }, undefined],
    ["nonsense in two headers", { "retry-after": "later 2030", "x-ratelimit-reset": "never" }, undefined],
    ["nonsense beside a reset", { "retry-after": "1e999", "x-ratelimit-reset": "9" }, 9000],
    ["nothing", {}, undefined],
  ])("is read from %s", (_, headers, expected) => {
    expect(facts(429, "{}", headers).waitMs).toBe(expected);
  });

  test("does not depend on the machine's time zone", () => {
    const parse = jest.spyOn(Date, "parse");
    for (const date of [
      "Sat, 21 Nov 2026 10:00:30 GMT",
      "Saturday, 21-Nov-26 10:00:30 GMT",
      "Sat Nov 21 10:00:30 2026",
    ]) {
      facts(429, "{}", { date, "retry-after": date });
    }
    const zones = parse.mock.calls.map(([text]) => text.slice(-4));
    expect(zones).toEqual([" GMT", " GMT", " GMT", " GMT", " GMT", " GMT"]);
    parse.mockRestore();
  });

  test("is the reset of a limit only if the limit is reached", () => {
    expect(facts(503, "{}", { "x-ratelimit-reset": "3600" }).waitMs).toBeUndefined();
    expect(facts(503, "{}", { "x-ratelimit-reset": "3600", "retry-after": "2" }).waitMs).toBe(2000);
  });
});
