import { createRedactor } from "pulumi-clouddb-facts";
import gateways from "../../tests/support/vectors/gateway-pages.json";
import { describeFailure } from "../core/object/user-error";
import { render } from "../errors";
import { createStatusError } from "./errors";
import { parseResponse } from "./response";

/**
 * The facts in an error response, and the sentence that users read; tests/conformance/vectors has
 * spellings of Retry-After.
 */

const NOW = Date.parse("2026-11-21T10:00:00Z");
const facts = (status: number, body: string, headers: Record<string, string> = {}) =>
  parseResponse({ status, body, headers }, NOW, (text) =>
    text.replaceAll("hush\n\thush", "[secret]"),
  );

const error = (text: string, more: object = {}) => JSON.stringify({ error: text, ...more });

test.each([
  [
    "a request id, a code and a text",
    error("BAD_REQUEST: name is too long", { requestId: "r-1" }),
    { requestId: "r-1", apiCode: "BAD_REQUEST", text: "name is too long", isApi: true },
  ],
  [
    "a bare code",
    error("TOO_MANY_REQUESTS"),
    { apiCode: "TOO_MANY_REQUESTS", text: undefined, isApi: true },
  ],
  [
    "a text without a code",
    error("no such thing"),
    { apiCode: undefined, text: "no such thing", isApi: true },
  ],
  ["some other JSON", "[1]", { apiCode: undefined, text: undefined, isApi: false }],
  ["line breaks and control characters", error("a\n\u001b[31mb\tc"), { text: "a [31mb c" }],
  ["a long text", error("c".repeat(1000)), { text: `${"c".repeat(400)}…` }],
  [
    "secrets that white space or a cut would hide",
    error(`${"x".repeat(397)}hush\n\thush`, { requestId: "r hush\n\thush" }),
    { text: `${"x".repeat(397)}[se…`, requestId: "r [secret]" },
  ],
])("the error is read from a response with %s", (_, body, expected) => {
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
])("the body %s has no request id", (body) => {
  expect(facts(404, body).requestId).toBeUndefined();
});

describe("the requested wait", () => {
  const SOON = "Sat, 21 Nov 2026 10:00:30 GMT";
  const at = (time: string) => `Sat, 21 Nov 2026 ${time} GMT`;

  test.each<[string, Record<string, string>, number | undefined]>([
    ["a reset in seconds from now", { "x-ratelimit-reset": "9" }, 9000],
    ["a reset as a moment", { "ratelimit-reset": String(NOW / 1000 + 12) }, 12_000],
    ["a reset as a moment with decimals", { "ratelimit-reset": String(NOW / 1000 + 1.5) }, 1500],
    ["a reset in milliseconds", { "x-ratelimit-reset": String(NOW + 5000) }, 5000],
    ["a reset beside nonsense", { "retry-after": "1e999", "x-ratelimit-reset": "9" }, 9000],
    [
      "nonsense in two headers",
      { "retry-after": "later 2030", "x-ratelimit-reset": "never" },
      undefined,
    ],
    ["no header", {}, undefined],
    [
      "a date of a server whose clock is fast",
      { date: at("10:15:00"), "retry-after": at("10:15:03") },
      3000,
    ],
    [
      "a date of a server whose clock is slow",
      { date: at("09:45:00"), "retry-after": at("09:45:03") },
      3000,
    ],
    [
      "a date before the server's clock",
      { date: at("10:15:00"), "retry-after": at("10:14:00") },
      0,
    ],
    [
      "a moment by the server's clock",
      { date: at("10:15:00"), "ratelimit-reset": String(NOW / 1000 + 912) },
      12_000,
    ],
    ["a date beside an invalid clock", { date: "now", "retry-after": SOON }, 30_000],
    [
      "a date beside a clock in 1970",
      { date: "Thu, 01 Jan 1970 00:00:00 GMT", "retry-after": SOON },
      30_000,
    ],
    [
      "a date beside a clock in 2096",
      { date: "Wed, 21 Nov 2096 10:00:00 GMT", "retry-after": SOON },
      30_000,
    ],
    [
      "a date of a server whose clock is right where this machine's is wrong",
      { date: "Wed, 21 Nov 2096 10:00:00 GMT", "retry-after": "Wed, 21 Nov 2096 10:00:30 GMT" },
      30_000,
    ],
    [
      "a date in two days",
      { date: at("10:00:00"), "retry-after": "Mon, 23 Nov 2026 10:00:00 GMT" },
      2 * 86_400_000,
    ],
    [
      "dates of asctime by the server's clock",
      { date: "Sat Nov 21 10:15:00 2026", "retry-after": "Sat Nov 21 10:15:03 2026" },
      3000,
    ],
  ])("the requested wait is read from %s", (_, headers, expected) => {
    expect(facts(429, "{}", headers).waitMs).toBe(expected);
  });

  test.each([
    SOON.replace(" GMT", ""),
    SOON.replace("GMT", "EST"),
    SOON.toLowerCase(),
    `x ${SOON}`,
    `${SOON}\nSat`,
    "Sat, 21 Nox 2026 10:00:30 GMT",
    "Sat, 00 Nov 2026 10:00:30 GMT",
    "Sat, 21 Nov 2026 10:60:30 GMT",
    "Sat, 31 Dec 2016 23:59:60 GMT",
    "2026-11-21T10:00:30Z",
    "later 2030",
    ...["\u00b2", "1.", ".5", "0x10", "1, 2"],
  ])("the invalid Retry-After %j is ignored", (text) => {
    expect(facts(429, "{}", { "retry-after": text }).waitMs).toBeUndefined();
  });

  test("the requested wait does not depend on the machine's time zone", () => {
    const parse = jest.spyOn(Date, "parse");
    const dates = [SOON, "Saturday, 21-Nov-26 10:00:30 GMT", "Sat Nov 21 10:00:30 2026"];
    for (const date of dates) facts(429, "{}", { date, "retry-after": date });
    const zones = parse.mock.calls.map(([text]) => text.slice(-4));
    expect(zones).toEqual([" GMT", " GMT", " GMT", " GMT", " GMT", " GMT"]);
    parse.mockRestore();
  });

  test("the reset of a rate limit is the requested wait only with status 429", () => {
    expect(facts(503, "{}", { "x-ratelimit-reset": "3600" }).waitMs).toBeUndefined();
    expect(facts(503, "{}", { "x-ratelimit-reset": "3600", "retry-after": "2" }).waitMs).toBe(2000);
  });
});

const redactor = createRedactor();
redactor.addSecrets(["hush"]);
function sentenceFor(status: number, body: string, headers = {}): string {
  const request = {
    api: "management",
    method: "GET",
    path: "/v1/organizations",
    attempts: 1,
  } as const;
  const error = createStatusError(
    request,
    parseResponse({ status, body, headers }, NOW, redactor.redact),
  );
  return render(describeFailure("Reading it", error, ["Nothing was changed."]));
}

const ADDRESS = "clouddb:baseUrl (CLOUDDB_BASE_URL)";
const GATEWAYS = `Check that ${ADDRESS} is the base URL of the API, without its version, and check the proxies and gateways on the way to it.`;
const REPEAT = "Run the same command again; it sends only what still differs.";
const NOT_READY = "It is not ready for changes yet: wait a moment, then run `pulumi up` again.";
const SPECIAL: Readonly<Record<number, RegExp | string>> = {
  401: /^Check clouddb:keyId/,
  407: /HTTPS_PROXY or HTTP_PROXY/,
  408: REPEAT,
  409: NOT_READY,
  413: /declare shorter lists\.$/,
  423: NOT_READY,
  424: /^An idle service does not wake up by itself: .+ provisioned/,
  425: NOT_READY,
  429: "Wait until the rate limit resets, then run the same command again.",
  431: /^The request's headers are too large .+ check that clouddb:keyId .+ cookies\.$/,
  501: GATEWAYS,
  505: GATEWAYS,
  506: GATEWAYS,
  510: GATEWAYS,
  511: /log in/,
  525: GATEWAYS,
  526: GATEWAYS,
};

test.each(Object.entries(gateways.pages))(
  "the page of %s becomes a sentence with advice for its status",
  (_, page) => {
    for (let status = 300; status < 600; status += 1) {
      const [body, text] = [page.body, page.text].map((part) =>
        part.replaceAll("{status}", String(status)),
      );
      const sentence = sentenceFor(status, body ?? "");
      const reason = text === "" ? "" : `: ${text}`;
      const start = `Reading it: the server returned ${status} with a body that is not from the API${reason} (GET /v1/organizations). Nothing was changed. `;
      expect(sentence.slice(0, start.length)).toBe(start);
      const advice = sentence.slice(start.length).replace(/ \[CDB3\d{3}\]$/, "");
      const expected = SPECIAL[status] ?? (status < 500 ? GATEWAYS : REPEAT);
      expect(advice).toEqual(
        expected instanceof RegExp ? expect.stringMatching(expected) : expected,
      );
    }
  },
);

test("an error about a redirect names the target host, and no other part of the address", () => {
  const redirected = (location: string) => sentenceFor(301, "", { location });
  expect(redirected("https://user:key@login.example.com:8443/path?token=1")).toContain(
    "the server returned 301, a redirect to login.example.com:8443, with a body that is not from the API (GET",
  );
  expect(redirected("/elsewhere")).toContain("the server returned 301 with a body");
});

test("a secret in a text that is not from the API is redacted in any spelling", () => {
  expect(sentenceFor(502, "key hush and hu&#115;h")).toContain(": key [secret] and [secret] (");
});

test("an error member that cannot become a text is omitted", () => {
  expect(facts(403, JSON.stringify({ error: { toString: false } }))).toMatchObject({
    text: undefined,
    isApi: true,
  });
});

test("a text from the API is kept even if it looks like a page", () => {
  const body = error("use </p>", { requestId: "r-1" });
  expect(facts(400, body).text).toBe("use </p>");
  expect(facts(400, error("use </p>")).text).toBeUndefined();
});

test.each<[string, string]>([
  ["a megabyte of <", "<".repeat(1_000_000)],
  ["a megabyte of tags", "<title".repeat(200_000)],
  ["a megabyte of comments", "<!--".repeat(250_000)],
  ["a megabyte of scripts", "<script>".repeat(125_000)],
  ["a megabyte of entities", `<p>${"&#".repeat(500_000)}`],
  ["characters that do not exist", "<p>&#9999999; &#xd800; &#x110000; &unknown;</p>"],
])("a response of %s becomes a text of bounded length", (_, body) => {
  const sentence = sentenceFor(502, body);
  expect(sentence.length).toBeLessThan(700);
  expect(sentence.isWellFormed()).toBe(true);
});

test("an error for a refusal by the API advises to fix the named problem", () => {
  for (const status of [400, 402, 405, 410, 415, 422, 451]) {
    const body = JSON.stringify({ requestId: "r-1", status, error: "REASON: use <p>, not &lt;" });
    expect(sentenceFor(status, body)).toBe(
      `Reading it: the API returned ${status}, REASON: use <p>, not &lt; (GET /v1/organizations, request id r-1). Nothing was changed. Fix the problem named in the API's response. [CDB3400]`,
    );
  }
});
