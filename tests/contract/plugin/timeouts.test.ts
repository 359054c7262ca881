import { createServer } from "node:net";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { clock } from "../../../provider/hosts/process";
import type { FaultRule } from "../../../simulator/index";
import { plain, secret } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { listen } from "../../support/free-port";
import { failureOf } from "../support";
import { up, useEngine } from "./support";

/* `customTimeouts` end the waits of an operation; a request that has been sent is waited for. */

const SERVICE = { provider: "aws", region: "us-east-1", numReplicas: 3 };
const ENDPOINT = "vpce-0a1b2c3d4e5f60001";
/** For longer than any timeout here. */
const limited = (method: string): FaultRule => ({
  method,
  effect: { kind: "status", status: 429, headers: { "retry-after": "50" } },
});
const ADVICE = "Allow more time in customTimeouts, or run the same command again; it sends only what still differs.";
const ended = (operation: string, seconds: number, failure: number | string, request: string) =>
  `the ${seconds} s of customTimeouts.${operation} ended while the request waited to be sent again after ${failure} \\(${request} /v1/[^)]*\\)\\.`;

const engine = useEngine({ clock });
const requests = async () => (await engine.api.requests()).map(({ request }) => request);
const isLimited = async () => {
  while (!engine.messages.some(({ text }) => text.includes("all requests are paused"))) await clock.sleep(10);
};

test("a creation that waits for the rate limit ends, and creates nothing", async () => {
  const { inputs } = await engine.check("Service", "db", SERVICE);
  const before = await engine.api.services();
  await engine.api.faults(limited("POST"));
  const { message } = await failureOf(engine.create("Service", "db", inputs, false, 1.5));
  const creating = `Creating service "db" in organization ${engine.api.organizationId}`;
  const end = ended("create", 1.5, 429, "POST");
  expect(message).toMatch(new RegExp(`^${creating}: ${end} Nothing was created\\. ${ADVICE} \\[CDB3015\\]$`));
  expect(await engine.api.services()).toEqual(before);
  // A preview sends nothing that could take long.
  expect(await engine.create("Service", "db", inputs, true, 0.001)).toMatchObject({ id: "" });
});

test("updates and deletions end, and say what has been done", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  const access = { serviceId: EXAMPLE.service, ipAccessList: [{ source: "192.0.2.9" }] };
  const shared = await up(engine, "ServiceAccess", "jobs", access);
  await engine.api.faults({ ...limited("PATCH"), path: "/replicaScaling" });
  const more = { ...inputs, name: "other", numReplicas: 4 };
  const partial = await failureOf(engine.update("Service", "db", id, state, more, false, 4));
  expect(partial.message).toMatch(
    new RegExp(
      `^Updating service ${id} \\("other"\\): ${ended("update", 4, 429, "PATCH")} Done: name\\. Not done: numReplicas\\. ${ADVICE}`,
    ),
  );
  expect(partial).toMatchObject({ id, properties: { name: "other", numReplicas: 3 } });
  const removal = await failureOf(engine.delete("ServiceAccess", "jobs", shared.id, shared.state, 1));
  expect(removal.message).toMatch(
    /^Removing .*: the 1 s of customTimeouts\.delete ended while the request waited to be sent \(PATCH .*\)\. Not done: ipAccessList\./,
  );
});

test("a creation that was sent is waited for, and what is left is not sent", async () => {
  const { inputs } = await engine.check("Service", "db", { ...SERVICE, privateEndpointIds: [ENDPOINT] });
  await engine.api.faults({ method: "POST", effect: { kind: "latency", when: "after", milliseconds: 6000 } });
  const whole = engine.create("Service", "whole", (await engine.check("Service", "whole", SERVICE)).inputs, false, 5);
  const failure = await failureOf(engine.create("Service", "db", inputs, false, 5));
  expect((await whole).id).not.toBe("");
  const service = (await engine.api.services()).find(({ name }) => name === "db");
  expect(failure).toMatchObject({ id: service?.id, properties: { password: secret(expect.stringMatching(/./)) } });
  expect(failure.message).toMatch(
    /the 5 s of customTimeouts\.create ended while the request waited to be sent \(PATCH .*Not done: privateEndpointIds\. .* It is in the stack; the next `pulumi up` completes it\. \[CDB3015\]$/,
  );
  expect(await requests()).toEqual(["POST /services", "POST /services"]);
  const { id = "", properties: state = {} } = failure;
  expect(await engine.update("Service", "db", id, state, inputs)).toMatchObject({ privateEndpointIds: [ENDPOINT] });
  expect(await requests()).toEqual(["PATCH /services/{id}"]);
});

test("a wait for an endpoint that accepts a connection and then says nothing ends", async () => {
  const silent = createServer((socket) => void socket.on("error", () => {}).resume());
  const endpoints = [{ protocol: "https", host: "127.0.0.1", port: await listen(silent) }];
  await engine.api.faults({ method: "POST", effect: { kind: "answer", result: { endpoints } } });
  const { inputs } = await engine.check("Service", "db", { ...SERVICE, waitForEndpoint: true });
  const failure = await failureOf(engine.create("Service", "db", inputs, false, 3));
  expect(failure.message).toContain(
    `: the 3 s of customTimeouts.create ended before it answered at https 127.0.0.1:${endpoints[0]?.port} (no answer). `,
  );
  const { id = "", properties: state = {} } = failure;
  const again = await failureOf(engine.update("Service", "db", id, state, inputs, false, 1));
  expect(again.message).toContain(": the 1 s of customTimeouts.update ended before it answered");
  silent.close();
});

test("an update that may have been carried out is read by the next one", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  await engine.api.faults({ method: "PATCH", effect: { kind: "status", status: 503, when: "after" } });
  const more = { ...inputs, numReplicas: 4 };
  await engine.configure({ maxRetries: 20 });
  const failure = await failureOf(engine.update("Service", "db", id, state, more, false, 4));
  expect(failure.message).toMatch(/ again after 503 \(PATCH .*, after \d+ attempts\)\. Not confirmed: numReplicas\./);
  await engine.api.faults();
  await requests();
  const { properties: stored = {} } = failure;
  expect(await engine.diff("Service", "db", id, plain(stored), more, more)).toMatchObject({ changes: "some" });
  expect(await engine.update("Service", "db", id, stored, more)).toMatchObject({ numReplicas: 4 });
  expect(await requests()).toEqual(["GET /services/{id}"]);
});

test("one operation's time ends no other one, Ctrl-C ends them all, and a long time is not short", async () => {
  const [short, long, canceled] = await Promise.all(
    ["short", "long", "canceled"].map(async (name) => (await engine.check("Service", name, SERVICE)).inputs),
  );
  await engine.api.faults(limited("POST"));
  const outcomes: string[] = [];
  const operations = [
    ["short", short, 1],
    // 50 days do not fit into a timer of Node.js.
    ["long", long, 50 * 24 * 3600],
    ["canceled", canceled, 0],
  ] as const;
  const all = operations.map(async ([name, inputs = {}, seconds]) => {
    const { message } = await failureOf(engine.create("Service", name, inputs, false, seconds));
    outcomes.push(`${name} ${/\[(.*)\]/.exec(message)?.[1]}`);
  });
  await isLimited();
  await all[0];
  expect(outcomes).toEqual(["short CDB3015"]);
  await engine.call((done) => engine.client.cancel(new Empty(), done));
  await Promise.all(all);
  expect(outcomes.slice(1).sort()).toEqual(["canceled CDB3006", "long CDB3006"]);
});
