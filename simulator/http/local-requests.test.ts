import { isCrossSite, isLocalRequest } from "./local-requests";

test.each<[string, Record<string, string>, boolean]>([
  ["its own address", { host: "127.0.0.1:4010" }, true],
  ["a name of this machine", { host: "localhost" }, true],
  ["that name in capitals", { host: "LOCALHOST:4010" }, true],
  ["another name", { host: "attacker.example" }, false],
  ["another address", { host: "203.0.113.9" }, false],
  ["no name", {}, false],
  ["a proxy on this machine", { host: "127.0.0.1", "x-forwarded-for": "203.0.113.7" }, false],
  ["another kind of proxy", { host: "127.0.0.1", forwarded: "for=203.0.113.7" }, false],
])("a local request uses one of this machine's names: %s", async (_, headers, isLocal) => {
  expect(isLocalRequest(headers)).toBe(isLocal);
});

test.each<[string, Record<string, string>, boolean]>([
  ["a program", { host: "127.0.0.1:4010" }, false],
  [
    "its own page",
    { host: "127.0.0.1", origin: "http://127.0.0.1", "sec-fetch-site": "same-origin" },
    false,
  ],
  ["its own page in capitals", { host: "LOCALHOST:4010", origin: "http://localhost:4010" }, false],
  ["the address bar", { host: "[::1]:4010", "sec-fetch-site": "none" }, false],
  [
    "its own page on another machine",
    { host: "clouddb:4010", origin: "http://clouddb:4010" },
    false,
  ],
  [
    "its page behind HTTPS",
    { host: "x:80", origin: "https://x", "sec-fetch-site": "same-origin" },
    false,
  ],
  [
    "another site's page, as the browser says",
    { host: "x", origin: "http://x", "sec-fetch-site": "cross-site" },
    true,
  ],
  ["another port's page", { host: "127.0.0.1:4010", origin: "http://127.0.0.1:4011" }, true],
  ["another site's page", { host: "clouddb:4010", origin: "http://attacker.example:4010" }, true],
  ["a page, without a name", { origin: "http://undefined.example" }, true],
])("a request from another site's page is recognized: %s", async (_, headers, isForeign) => {
  expect(isCrossSite(headers)).toBe(isForeign);
});
