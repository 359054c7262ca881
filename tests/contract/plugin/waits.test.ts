import { createServer } from "node:net";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { clock } from "../../../provider/hosts/process";
import type { FaultRule } from "../../../simulator/index";
import { plain, secret } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { freePort, serve } from "../../support/local-server";
import { type Failure, failureOf } from "../support";
import { up, useEngine } from "./support";

/* Ctrl-C and `customTimeouts` end the waits of operations; a request that has been sent is waited for. */

const SERVICE = { provider: "aws", region: "us-east-1", numReplicas: 3 };
const ENDPOINT = "vpce-0a1b2c3d4e5f60001";
/** The API refuses requests for longer than any timeout of these tests. */
const limited = (method: string, seconds = 300): FaultRule => ({
  method,
  effect: { kind: "status", status: 429, headers: { "retry-after": String(seconds) } },
});
const AGAIN = "[Rr]un the same command again; it sends only what still differs\\.";
const endedBy = (reason: string, failure: number, request: string) =>
  `${reason} while the request waited to be sent again after ${failure} \\(${request} /v1/[^)]*\\)\\.`;
const canceledAt = (request: string) => endedBy("the command was canceled", 429, request);
const timeout = (operation: string, seconds: number) =>
  `the ${seconds} s of customTimeouts.${operation} ended`;

let isEngineAlive: boolean;
const engine = useEngine({ clock, isEngineAlive: async () => isEngineAlive });
beforeEach(() => {
  isEngineAlive = true;
});

/** The inputs of a new service, which declare what the engine passes on to a creation. */
const inputsOf = async (args: object = {}, name = "db") =>
  (await engine.check("Service", name, { ...SERVICE, ...args })).inputs;
const cancel = () => engine.call((done) => engine.client.cancel(new Empty(), done));

/** Expects that a failure stores the new service of this name with its password. */
async function expectStored(failure: Failure, name: string): Promise<void> {
  const service = (await engine.api.services()).find((item) => item.name === name);
  expect(failure).toMatchObject({
    id: service?.id,
    properties: { password: secret(expect.stringMatching(/./)) },
  });
}

/** Waits until the plugin has printed a message, and forgets it. */
async function printed(text: string): Promise<void> {
  while (!engine.messages.some((message) => message.text.includes(text))) await clock.sleep(10);
  engine.messages.length = 0;
}

/** The failure of an operation that is canceled once the API has refused its request. */
async function canceledAfterRefusal(operation: Promise<unknown>): Promise<string> {
  const failure = failureOf(operation);
  await printed("all requests are paused");
  await cancel();
  return (await failure).message;
}

test.each([
  ["Ctrl-C", 0, "the command was canceled", "CDB3006"],
  ["a timeout", 1.5, timeout("create", 1.5), "CDB3015"],
])(
  "after %s, a creation that waits for the rate limit creates nothing",
  async (_, seconds, reason, code) => {
    await engine.api.faults(limited("POST"));
    const before = await engine.api.services();
    const failure = failureOf(engine.create("Service", "db", await inputsOf(), false, seconds));
    await printed("all requests are paused");
    if (seconds === 0) await cancel();
    const creating = `Creating service "db" in organization ${engine.api.organizationId}`;
    expect((await failure).message).toMatch(
      new RegExp(
        `^${creating}: ${endedBy(reason, 429, "POST")} Nothing was created\\. .*${AGAIN} \\[${code}\\]$`,
      ),
    );
    expect(await engine.api.services()).toEqual(before);
  },
);

test("after Ctrl-C, waiting updates, reads and functions change nothing", async () => {
  const { inputs, state } = await up(engine, "Service", "db", {
    existingServiceId: EXAMPLE.service,
  });
  const more = { ...inputs, numReplicas: Number(state.numReplicas) + 1 };
  await engine.api.faults(limited("PATCH"), limited("GET"));
  for (const [operation, expected] of [
    [
      () => engine.update("Service", "db", EXAMPLE.service, state, more),
      `^Updating service .*: ${canceledAt("PATCH")} Not done: numReplicas\\. ${AGAIN}`,
    ],
    [
      () => engine.read("Service", "db", EXAMPLE.service, state),
      `^Reading service .*: ${canceledAt("GET")} Nothing was changed\\.`,
    ],
    [
      () => engine.invoke("getService", { serviceId: EXAMPLE.service }),
      `^Reading service .*: ${canceledAt("GET")} ${AGAIN}`,
    ],
  ] as const) {
    expect(await canceledAfterRefusal(operation())).toMatch(new RegExp(expected));
    await engine.configure({});
  }
});

test("after Ctrl-C, a creation that the API has executed is finished", async () => {
  const inputs = await inputsOf({ privateEndpointIds: [ENDPOINT] });
  await engine.api.faults({ ...limited("PATCH", 3), times: 1 });
  const creation = engine.create("Service", "db", inputs);
  await printed("all requests are paused");
  await cancel();
  expect((await creation).state.privateEndpointIds).toEqual([ENDPOINT]);
});

test("an operation after Ctrl-C sends nothing, and the next command of an attached plugin works", async () => {
  const inputs = await inputsOf();
  await cancel();
  expect((await failureOf(engine.create("Service", "db", inputs))).message).toMatch(
    /Nothing was created\./,
  );
  expect(await engine.api.requestNames()).toEqual([]);
  await engine.configure({});
  expect((await engine.create("Service", "db", inputs)).id).not.toBe("");
});

test("an update, read or deletion ends at its timeout and names its finished changes", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  const access = { serviceId: EXAMPLE.service, ipAccessList: [{ source: "192.0.2.9" }] };
  const shared = await up(engine, "ServiceAccess", "jobs", access);
  await engine.api.faults({ ...limited("PATCH", 50), path: "/replicaScaling" });
  const more = { ...inputs, name: "other", numReplicas: 4 };
  const partial = await failureOf(engine.update("Service", "db", id, state, more, false, 4));
  const end = endedBy(timeout("update", 4), 429, "PATCH");
  expect(partial.message).toMatch(
    new RegExp(
      `^Updating service ${id} \\("other"\\): ${end} Done: name\\. Not done: numReplicas\\. Allow more time in customTimeouts, or ${AGAIN}`,
    ),
  );
  expect(partial).toMatchObject({ id, properties: { name: "other", numReplicas: 3 } });
  await engine.configure({});
  await engine.api.faults(limited("GET", 50));
  const removal = await failureOf(
    engine.delete("ServiceAccess", "jobs", shared.id, shared.state, 1),
  );
  expect(removal.message).toMatch(
    new RegExp(`^Reading .*: ${endedBy(timeout("delete", 1), 429, "GET")} Nothing was changed\\.`),
  );
  await engine.configure({});
  const reading = await failureOf(engine.read("Service", "db", id, state, inputs, 1));
  expect(reading.message).toMatch(
    new RegExp(`^Reading .*: ${endedBy(timeout("read", 1), 429, "GET")} Nothing was changed\\.`),
  );
  // A preview sends nothing that could take long.
  expect(await engine.create("Service", "db", inputs, true, 0.001)).toMatchObject({ id: "" });
});

test("a creation finishes a request sent before its timeout, and sends no further request", async () => {
  const inputs = await inputsOf({ privateEndpointIds: [ENDPOINT] });
  await engine.api.faults({
    method: "POST",
    effect: { kind: "latency", when: "after", milliseconds: 6000 },
  });
  const whole = engine.create("Service", "whole", await inputsOf({}, "whole"), false, 5);
  const failure = await failureOf(engine.create("Service", "db", inputs, false, 5));
  expect((await whole).id).not.toBe("");
  await expectStored(failure, "db");
  expect(failure.message).toMatch(
    /the 5 s of customTimeouts\.create ended while the request waited to be sent \(PATCH .*Not done: privateEndpointIds\. .* It is in the stack; the next `pulumi up` completes it\. \[CDB3015\]$/,
  );
  expect(await engine.api.requestNames()).toEqual(["POST /services", "POST /services"]);
  const { id = "", properties: state = {} } = failure;
  expect(await engine.update("Service", "db", id, state, inputs)).toMatchObject({
    privateEndpointIds: [ENDPOINT],
  });
  expect(await engine.api.requestNames()).toEqual(["PATCH /services/{id}"]);
});

test("an update with an unknown outcome at its timeout is read by the next update", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  await engine.api.faults({
    method: "PATCH",
    effect: { kind: "status", status: 503, when: "after" },
  });
  const more = { ...inputs, numReplicas: 4 };
  await engine.configure({ maxRetries: 20 });
  const failure = await failureOf(engine.update("Service", "db", id, state, more, false, 4));
  expect(failure.message).toMatch(
    / again after 503 \(PATCH .*, after \d+ attempts\)\. Not confirmed: numReplicas\./,
  );
  await engine.api.faults();
  await engine.api.requestNames();
  const { properties: stored = {} } = failure;
  expect(await engine.diff("Service", "db", id, plain(stored), more, more)).toMatchObject({
    changes: "some",
  });
  expect(await engine.update("Service", "db", id, stored, more)).toMatchObject({ numReplicas: 4 });
  expect(await engine.api.requestNames()).toEqual(["GET /services/{id}"]);
});

test("a timeout ends only its own operation, Ctrl-C ends all, and 50 days do not end at once", async () => {
  const names = ["short", "long", "canceled"] as const;
  const [short, long, canceled] = await Promise.all(names.map((name) => inputsOf({}, name)));
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
  await printed("all requests are paused");
  await all[0];
  expect(outcomes).toEqual(["short CDB3015"]);
  await cancel();
  await Promise.all(all);
  expect(outcomes.slice(1).sort()).toEqual(["canceled CDB3006", "long CDB3006"]);
});

describe("changes that wait for another change of the same lists", () => {
  const access = (source: string) => ({
    serviceId: EXAMPLE.service,
    ipAccessList: [{ source }],
  });
  const endedFor = (verb: string, reason: string, effect: string) =>
    new RegExp(
      `^${verb} .*${EXAMPLE.service}: ${reason} while it waited for another change of the same lists\\. ${effect}\\. .*${AGAIN}`,
    );

  /** Begins the other change, which the API answers slowly. */
  async function beginChange(): Promise<() => Promise<unknown>> {
    await engine.api.faults({
      method: "PATCH",
      effect: { kind: "latency", milliseconds: 4000 },
    });
    const change = up(engine, "ServiceAccess", "jobs", access("192.0.2.8"));
    await clock.sleep(1000);
    return () => change;
  }

  test("a change that waits for another change ends at its timeout, before or after the read", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", {
      existingServiceId: EXAMPLE.service,
    });
    const empty = { ...inputs, privateEndpointIds: [] };
    const known = await engine.update("Service", "db", id, state, empty);
    const later = (await engine.check("ServiceAccess", "later", access("192.0.2.9"))).inputs;
    const change = await beginChange();
    const listed = { ...inputs, privateEndpointIds: [ENDPOINT] };
    const failures = [
      engine.create("ServiceAccess", "later", later, false, 1),
      engine.update("Service", "db", id, state, listed, false, 1),
      engine.update("Service", "db", id, known, listed, false, 1),
    ].map((operation) => failureOf(operation));
    const [created, unread, read] = (await Promise.all(failures)).map(({ message }) => message);
    const end = timeout("update", 1);
    expect(created).toMatch(endedFor("Adding", timeout("create", 1), "Nothing was changed"));
    expect(unread).toMatch(endedFor("Updating", end, "Nothing was changed"));
    expect(read).toMatch(endedFor("Updating", end, "Not done: privateEndpointIds"));
    await change();
  });

  test("a change that waits for another change ends after Ctrl-C, but not the other change", async () => {
    const later = (await engine.check("ServiceAccess", "later", access("192.0.2.9"))).inputs;
    const change = await beginChange();
    const failure = failureOf(engine.create("ServiceAccess", "later", later));
    await cancel();
    const { message } = await failure;
    expect(message).toMatch(endedFor("Adding", "the command was canceled", "Nothing was changed"));
    await change();
  });
});

const waiting = (protocol: string, port: number) =>
  engine.api.faults({
    method: "POST",
    effect: { kind: "answer", result: { endpoints: [{ protocol, host: "127.0.0.1", port }] } },
  });

test.each<[string, () => unknown, string]>([
  ["Ctrl-C", cancel, "the command was canceled"],
  [
    "the end of the engine",
    () => {
      isEngineAlive = false;
    },
    "the Pulumi engine exited",
  ],
])(
  "after %s, a wait for an endpoint ends and the service is in the stack",
  async (_, end, reason) => {
    await waiting("mysql", await freePort());
    const creation = failureOf(
      engine.create("Service", "db", await inputsOf({ waitForEndpoint: true })),
    );
    await printed("Waiting until service");
    await end();
    const failure = await creation;
    expect(failure.message).toMatch(
      new RegExp(
        `^Creating service .*: ${reason} before it answered at mysql 127\\.0\\.0\\.1:\\d+ \\(ECONNREFUSED\\)\\. .* It is in the stack; the next \`pulumi up\` completes it\\. \\[CDB4015\\]$`,
      ),
    );
    await expectStored(failure, "db");
  },
);

test("a wait for an endpoint ends at its timeout even if the endpoint accepts a connection", async () => {
  const silent = createServer((socket) => void socket.on("error", () => {}).resume());
  const port = await serve(silent);
  await waiting("https", port);
  const inputs = await inputsOf({ waitForEndpoint: true });
  const failure = await failureOf(engine.create("Service", "db", inputs, false, 3));
  expect(failure.message).toContain(
    `: ${timeout("create", 3)} before it answered at https 127.0.0.1:${port} (no answer). `,
  );
  const { id = "", properties: state = {} } = failure;
  const again = await failureOf(engine.update("Service", "db", id, state, inputs, false, 1));
  expect(again.message).toContain(`: ${timeout("update", 1)} before it answered`);
});
