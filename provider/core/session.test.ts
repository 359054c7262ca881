import { createSession } from "./session";

test("equal settings share a client, and other settings get another one", () => {
  const session = createSession({
    environment: { CLOUDDB_BASE_URL: "http://127.0.0.1:1", CLOUDDB_KEY_ID: "id", CLOUDDB_KEY_SECRET: "secret" },
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 1,
    log: () => {},
  });
  const clientWith = (configured: Record<string, string>) => {
    session.configure((key) => configured[key]);
    return session.clientFor("management");
  };
  const first = clientWith({});
  expect(clientWith({ "clouddb:keyId": "id" })).toBe(first);
  expect(clientWith({ "clouddb:keyId": "another" })).not.toBe(first);
});
