import { redisSharing, stateKey } from "./redis-sharing";

// As where optional dependencies were not installed.
jest.mock("ioredis", () => {
  throw Object.assign(new Error("Cannot find module 'ioredis'"), { code: "MODULE_NOT_FOUND" });
});

const KEY = { baseUrl: "https://api.example.com", keyId: "a-key-id" };

test("without the package, the message says how to install it", async () => {
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
