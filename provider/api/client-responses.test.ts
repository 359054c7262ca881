import {
  call,
  clientAt,
  good,
  ID,
  LIMITED,
  limited,
  ok,
  reset,
  type Step,
  seen,
  send,
  serving,
} from "../../tests/support/scripted-client";

/** The responses of a server, and what becomes of the call. */

/** The outcome of a call, with its requests and waits. */
interface Course {
  /** Members of the result or of the error. */
  readonly outcome?: object;
  /** The beginning of the error's message. */
  readonly message?: RegExp;
  readonly requests?: number;
  readonly waits?: readonly number[];
  readonly said?: readonly string[];
}

const DONE = { id: ID };
const UNCERTAIN = { mayHaveSucceeded: true };
const busy = (seconds: number) =>
  send(503, '{"requestId":"r-1","error":"BUSY: later"}', { "retry-after": String(seconds) });
const bySlowClock = (status: number, seconds: number) =>
  send(status, "", {
    date: "Thu, 01 Jan 1970 02:00:00 GMT",
    "retry-after": `Thu, 01 Jan 1970 02:00:0${seconds} GMT`,
  });

test.each<[string, keyof typeof call, Step[], Course]>([
  [
    "temporary failures are retried, with a message from the second one on",
    "read",
    [send(503, ""), reset, good],
    {
      outcome: DONE,
      waits: [500, 1000],
      said: [expect.stringMatching("^Retrying: the connection was lost")],
    },
  ],
  [
    "a first retry that succeeds is silent",
    "read",
    [send(503, ""), good],
    { outcome: DONE, said: [] },
  ],
  [
    "a failure that persists is reported with status, request id and attempts",
    "read",
    [send(500, JSON.stringify({ requestId: "r-9", error: "INTERNAL: oops", status: 500 }))],
    {
      outcome: {
        code: "CDB3500",
        response: { status: 500, apiCode: "INTERNAL", requestId: "r-9" },
      },
      message: /^the API returned 500, INTERNAL: oops \(GET .*, request id r-9, after 4 attempts\)/,
      requests: 4,
    },
  ],
  [
    "a creation with an invalid response is not retried",
    "create",
    [send(200, "{")],
    { outcome: UNCERTAIN, requests: 1 },
  ],
  [
    "a change that may have succeeded stays uncertain, whatever fails later",
    "change",
    [reset, send(403, "{}")],
    { outcome: { ...UNCERTAIN, response: { status: 403 } }, requests: 2 },
  ],
  ...(["read", "change", "create"] as const).map((kind): [string, typeof kind, Step[], Course] => [
    `a response of more than 20 MB is final: ${kind}`,
    kind,
    [send(200, ok("x".repeat(21 * 1024 * 1024)))],
    {
      outcome: { code: "CDB3010", ...UNCERTAIN },
      message: /^the server returned more than 20 MB \(\w+ \S+\) \[CDB3010\]$/,
      requests: 1,
      waits: [],
    },
  ]),
  [
    "a requested wait has one message",
    "change",
    [busy(30), good],
    {
      outcome: DONE,
      waits: [30_000],
      said: ["The API returned 503 and asked to wait 30 s before the next attempt. [CDB3008]"],
    },
  ],
  [
    "a requested wait is measured by the server's clock",
    "read",
    [bySlowClock(503, 7), bySlowClock(429, 3), good],
    { outcome: DONE, waits: [7000, 3000] },
  ],
  [
    "a requested wait that is too long fails at once",
    "change",
    [busy(61)],
    {
      message:
        /^the API returned 503 and asked to wait 61 s, BUSY: later \(PATCH .*, request id r-1\) \[CDB3500\]$/,
      requests: 1,
      waits: [],
      said: [],
    },
  ],
  [
    "a message about retries is repeated after half a minute",
    "change",
    [send(409, '{"requestId":"r-1"}')],
    {
      said: Array(4).fill(
        expect.stringMatching(
          /^Retrying: the API returned 409 \(PATCH .*, after \d+ attempts\)\. \[CDB3004\]$/,
        ),
      ),
    },
  ],
  [
    "a refusal by the rate limit does not count as a failed attempt, even for a creation",
    "create",
    [...Array(5).fill(limited(2)), send(200, ok({ service: { id: ID }, password: "pw" }))],
    { outcome: { password: "pw" }, requests: 6 },
  ],
  [
    "the rate limit delays a request for at most ten minutes",
    "read",
    [limited(301)],
    { outcome: LIMITED, requests: 2 },
  ],
  [
    "a rate limit of a day is quoted, and delays no request",
    "read",
    [limited(86_400)],
    { outcome: LIMITED, message: /returned 429 and asked to wait 86400 s/, requests: 1, waits: [] },
  ],
  [
    "the rate limit delays a change that may have succeeded for at most a minute",
    "change",
    [send(503, ""), limited(90), good],
    { outcome: LIMITED, requests: 2 },
  ],
  [
    "the rate limit delays a read for longer",
    "read",
    [send(503, ""), limited(90), good],
    { outcome: DONE },
  ],
])("%s", async (_, kind, steps, { outcome = {}, message, requests, waits, said }) => {
  const client = await serving(...steps);
  const settled = await call[kind](client).catch((error: unknown) => error);
  expect(settled).toMatchObject(outcome);
  if (message) expect((settled as Error).message).toMatch(message);
  if (requests) expect(seen).toHaveLength(requests);
  if (waits) expect(client.waits).toEqual(waits);
  if (said) expect(client.said).toEqual(said);
});

test.each<[string, "read" | "readAlert", string, code: string]>([
  ["with a request id means that the object is gone", "read", '{"requestId":"r-1"}', "CDB3404"],
  [
    "with an invalid request id does not prove that the object is gone",
    "read",
    '{"requestId":""}',
    "CDB3012",
  ],
  ["with a list as its body does not prove that the object is gone", "read", "[]", "CDB3012"],
  [
    "of the observability API, which sends no request ids, means that the object is gone",
    "readAlert",
    '{"error":"NOT_FOUND: none"}',
    "CDB3404",
  ],
])("a 404 %s", async (_, kind, body, code) => {
  await expect(call[kind](await serving(send(404, body)))).rejects.toMatchObject({ code });
});

test.each<[status: number, code: string, mayHaveSucceeded: boolean]>([
  [400, "CDB3012", false],
  [401, "CDB3401", false],
  [403, "CDB3012", false],
  [301, "CDB3300", true],
  [303, "CDB3300", true],
  [308, "CDB3300", true],
  [499, "CDB3300", true],
  [502, "CDB3500", true],
])(
  "a creation that a gateway answers with %i is not repeated",
  async (status, code, mayHaveSucceeded) => {
    const creation = call.create(await serving(send(status, "<html>no</html>")));
    await expect(creation).rejects.toMatchObject({ code, response: { status }, mayHaveSucceeded });
    expect(seen).toHaveLength(1);
  },
);

test("a request that times out fails as a timeout, not as a lost connection", async () => {
  const { baseUrl } = await serving(() => {});
  const creation = call.create(clientAt(baseUrl, { requestTimeoutSeconds: 1 }));
  await expect(creation).rejects.toThrow(/^the request timed out/);
  expect(seen).toHaveLength(1);
});
