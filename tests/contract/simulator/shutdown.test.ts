import { once } from "node:events";
import { connect } from "node:net";
import { temporaryFolder } from "../../support/temporary-folder";
import { started } from "./support/started";

/** Shutdown: requests that have begun are completed, others are refused. */

test("under ten writers, every stored creation is answered with its password before the shutdown", async () => {
  const folder = temporaryFolder("ending");
  const { create, close } = await started({ data: folder });
  const passwords = new Map<string, string>();
  let ended: Promise<void> | undefined;
  async function write(): Promise<void> {
    for (;;) {
      const { status, body } = await create();
      if (status !== 200) return;
      const { service, password } = body.result as { service: { id: string }; password: string };
      passwords.set(service.id, password);
      if (passwords.size === 100) ended = close();
    }
  }
  await Promise.allSettled(Array.from({ length: 10 }, write));
  await ended;
  const { admin } = await started({ data: folder });
  const { organizations } = await admin<{ organizations: { services: { id: string }[] }[] }>(
    "state",
  );
  const stored = organizations[0]?.services.map(({ id }) => id) ?? [];
  expect(stored.length).toBeGreaterThanOrEqual(100);
  expect(stored.filter((id) => !passwords.has(id))).toEqual([]);
});

test("a shutdown completes a delayed request at once and closes its connection", async () => {
  const { call, admin, setFaults, created, close } = await started();
  const path = await created({ name: "before" });
  await setFaults(
    { times: 1, effect: { kind: "latency", milliseconds: 600_000 } },
    { effect: { kind: "latency", milliseconds: 600_000, when: "after" } },
  );
  const waiting = [call("PATCH", path, { name: "one" }), call("PATCH", path, { name: "other" })];
  for (;;) {
    const { faults } = await admin<{ faults: object[] }>("faults");
    const state = JSON.stringify(await admin("state"));
    if (faults.length === 1 && !state.includes('"name":"before"')) break;
  }
  await close();
  for (const response of await Promise.all(waiting)) {
    expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
  }
});

test("a shutdown refuses a new request on an open connection, but finishes a half-sent request", async () => {
  const { baseUrl, services, keyId, keySecret, close } = await started();
  // Half of the headers: this connection is not idle, so it outlives the end of listening.
  const late = await connected(baseUrl);
  late.write(`POST ${services} HTTP/1.1\r\nHost: 127.0.0.1\r\n`);
  const begun = await connected(baseUrl);
  const key = Buffer.from(`${keyId}:${keySecret}`).toString("base64");
  const headers = [
    "Host: 127.0.0.1",
    `Authorization: Basic ${key}`,
    "Content-Type: application/json",
  ];
  begun.write(
    `POST ${services} HTTP/1.1\r\n${headers.join("\r\n")}\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{`,
  );
  await begun.until("100 Continue");

  const ended = close();
  late.write("Content-Length: 0\r\n\r\n");
  await late.closed;
  expect(late.text()).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i);
  expect(JSON.parse(late.text().split("\r\n\r\n")[1] ?? "")).toEqual({
    requestId: expect.any(String),
    error: "SHUTTING_DOWN: the simulator is shutting down; the request was not executed",
    status: 503,
  });
  begun.write("}");
  await begun.closed;
  await ended;
  expect(begun.text()).toMatch(/HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*"password":/i);
});

/** A connection to write and read by hand. */
async function connected(baseUrl: string) {
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  const closed = once(socket, "close");
  await once(socket, "connect");
  async function until(part: string): Promise<void> {
    while (!text.includes(part)) await once(socket, "data");
  }
  return { write: (part: string) => socket.write(part), until, closed, text: () => text };
}
