import { virtualTime } from "../../tests/support/virtual-time";
import { createRateLimiter } from "../api/rate-limiter";
import { type Message, render } from "../errors";
import { redisSharing, stateKey } from "./redis-sharing";

const script = { response: undefined as unknown, calls: 0 };
class Redis {
  on = () => this;
  once = () => this;
  connect = async () => {};
  stream = { unref: () => {}, destroy: () => {} };
  respond = async () => {
    script.calls += 1;
    return JSON.stringify(script.response);
  };
}
let isInstalled = true;
jest.mock("ioredis", () => ({
  get Redis() {
    // As where optional dependencies were not installed.
    if (!isInstalled) throw Object.assign(new Error("Cannot find module 'ioredis'"), { code: "MODULE_NOT_FOUND" });
    return Redis;
  },
}));
beforeEach(() => {
  isInstalled = true;
  script.calls = 0;
});

const KEY = { baseUrl: "https://api.example.com", keyId: "a-key-id" };

test("without the package, the message says how to install it", async () => {
  isInstalled = false;
  const { exchange } = redisSharing("redis://:secret@127.0.0.1", KEY, (text) => text);
  await expect(exchange({ process: "a", ended: [], ask: { isUrgent: false, wanted: 1 } })).rejects.toThrow(
    "Cannot share the rate limit through clouddb:rateLimitUrl (CLOUDDB_RATE_LIMIT_URL): the package ioredis is not installed; run `npm install ioredis`. This process throttles only its own requests until Redis can be used.",
  );
});

test("a state's name follows from address and key, and shows neither", () => {
  const name = stateKey(KEY);
  expect(name).toMatch(/^clouddb:limit:[\da-f]{32}$/);
  expect(stateKey({ ...KEY })).toBe(name);
  expect(stateKey({ ...KEY, keyId: "another" })).not.toBe(name);
  expect(stateKey({ ...KEY, baseUrl: "https://other.example.com" })).not.toBe(name);
  expect(stateKey({ ...KEY, keyId: undefined })).toBe(stateKey({ ...KEY, keyId: "" }));
});

describe("a server that responds with something else", () => {
  const ANSWER = { granted: 1, permit: 1, waitMs: 0, closedMs: 0, processes: 1 };
  const question = { process: "a", ended: [], ask: { isUrgent: false, wanted: 2 } };

  test.each([
    ["nothing", null],
    ["no members", {}],
    ["a negative wait", { ...ANSWER, granted: 0, waitMs: -1 }],
    ["a fraction of a permit", { ...ANSWER, granted: 0.5 }],
    ["a limit of zero requests", { ...ANSWER, requests: 0, windowMs: 1000 }],
  ])("of %s is not asked again until the process has throttled itself", async (_, response) => {
    script.response = response;
    const time = virtualTime();
    const lines: string[] = [];
    const log = (line: Message) => void lines.push(render(line));
    const sharing = redisSharing("redis://127.0.0.1", KEY, (text) => text);
    const limiter = createRateLimiter({ clock: time, random: () => 1, log }, sharing);
    const permit = await limiter.acquire({ since: 0, maxWaitMs: 60_000, isUrgent: false });
    expect(permit).toBeDefined();
    expect(lines).toEqual([
      "Cannot share the rate limit through clouddb:rateLimitUrl (CLOUDDB_RATE_LIMIT_URL): the response of 127.0.0.1 is not that of the provider's script. This process throttles only its own requests until Redis can be used. [CDB3009]",
    ]);
    expect(script.calls).toBeLessThan(3);
  });

  test.each([
    ["more permits than wanted", { ...ANSWER, granted: 20_000 }, { granted: 2 }],
    ["a wait of years", { ...ANSWER, granted: 0, waitMs: 1e12 }, { granted: 0, waitMs: 5000 }],
    ["neither a permit nor a wait", { ...ANSWER, granted: 0 }, { granted: 0, waitMs: 1 }],
  ])("of %s is bounded", async (_, response, expected) => {
    script.response = response;
    expect(await redisSharing("redis://127.0.0.1", KEY, (text) => text).exchange(question)).toMatchObject(expected);
  });
});
