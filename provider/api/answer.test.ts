import { answerFacts } from "./answer";

const NOW = Date.parse("2026-11-21T10:00:00Z");
const facts = (status: number, body: string, headers: Record<string, string> = {}) =>
  answerFacts({ status, body, headers }, NOW, (text) => text);

describe("an error answer", () => {
  test("of the API's own form tells code, text and request id", () => {
    const body = JSON.stringify({ requestId: "r-1", error: "BAD_REQUEST: name is too long", status: 400 });
    expect(facts(400, body)).toMatchObject({
      requestId: "r-1",
      code: "BAD_REQUEST",
      text: "name is too long",
      isApi: true,
    });
  });

  test.each([
    ["a bare code", '{"error":"TOO_MANY_REQUESTS"}', { code: "TOO_MANY_REQUESTS", text: undefined, isApi: true }],
    ["a text without a code", '{"error":"no such thing"}', { code: undefined, text: "no such thing", isApi: true }],
    ["nothing", "", { code: undefined, text: undefined, isApi: false }],
    ["a proxy's page", "<html><body>502</body></html>", { code: undefined, text: undefined, isApi: false }],
    ["some other JSON", "[1]", { code: undefined, text: undefined, isApi: false }],
  ])("that is %s is understood as such", (_, body, expected) => {
    expect(facts(502, body)).toMatchObject(expected);
  });

  test("is one clean line of bounded length", () => {
    const { text } = facts(500, JSON.stringify({ error: `a\n\u001b[31mb\t${"c".repeat(1000)}` }));
    expect(text).toMatch(/^a \[31mb c+…$/);
    expect(text?.length).toBe(401);
  });
});

describe("the wait that an answer asks for", () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "7" }, 7000],
    ["a date", { "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000],
    ["a date that has passed", { "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, 0],
    ["a reset in seconds from now", { "x-ratelimit-reset": "9" }, 9000],
    ["a reset as a moment", { "ratelimit-reset": String(NOW / 1000 + 12) }, 12_000],
    ["a reset in milliseconds", { "x-ratelimit-reset": String(NOW + 5000) }, 5000],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
  ])("is read from %s", (_, headers, expected) => {
    expect(facts(429, "{}", headers).waitMs).toBe(expected);
  });
});
