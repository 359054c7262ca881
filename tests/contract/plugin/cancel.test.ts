import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { clock } from "../../../provider/hosts/process";
import type { FaultRule } from "../../../simulator/index";
import { secret } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { freePort } from "../../support/free-port";
import { failureOf } from "../support";
import { useEngine } from "./support";

/* The engine asks a plugin to cancel at the first Ctrl-C, and waits for all that is under way. */

const ARGUMENTS = { provider: "aws", region: "us-east-1", numReplicas: 3 };
/** The API's rate limit is reached, for longer than anybody wants to wait after a Ctrl-C. */
const limited = (method: string): FaultRule => ({
  method,
  effect: { kind: "status", status: 429, headers: { "retry-after": "300" } },
});

const engine = useEngine({ clock });

const cancel = () => engine.call((done) => engine.client.cancel(new Empty(), done));
const requests = async () => (await engine.api.requests()).map(({ request }) => request);

/** Waits until the plugin has said that it waits. */
async function paused(): Promise<void> {
  while (!engine.messages.some(({ text }) => text.includes("all requests are paused"))) await clock.sleep(10);
  engine.messages.length = 0;
}

/** The failure of an operation that is canceled once the API has refused its request. */
async function canceledAfterRefusal(operation: Promise<unknown>): Promise<string> {
  const failure = failureOf(operation);
  await paused();
  await cancel();
  return (await failure).message;
}

const CANCELED = "the command was canceled while the request waited to be sent again after 429";

test("a creation that waits for the rate limit creates nothing", async () => {
  await engine.api.faults(limited("POST"));
  const { inputs } = await engine.check("Service", "db", ARGUMENTS);
  const before = await engine.api.services();
  const message = await canceledAfterRefusal(engine.create("Service", "db", inputs));
  expect(message).toMatch(`Creating service "db" in organization ${engine.api.organizationId}: ${CANCELED} (POST `);
  expect(message).toMatch(
    /\. Nothing was created\. Run the same command again; it sends only what still differs\. \[CDB3006\]$/,
  );
  expect(await engine.api.services()).toEqual(before);
});

test("updates, reads and functions that wait end, too, and change nothing", async () => {
  const { inputs } = await engine.check("Service", "db", { existingServiceId: EXAMPLE.service });
  const { state } = await engine.create("Service", "db", inputs);
  await requests();
  const more = { ...inputs, numReplicas: Number(state.numReplicas) + 1 };
  await engine.api.faults(limited("PATCH"));
  expect(await canceledAfterRefusal(engine.update("Service", "db", EXAMPLE.service, state, more))).toMatch(
    new RegExp(
      `^Updating service .*: ${CANCELED} \\(PATCH .*\\)\\. Not done: numReplicas\\. Run the same command again`,
    ),
  );
  await engine.configure({});
  await engine.api.faults(limited("GET"));
  expect(await canceledAfterRefusal(engine.read("Service", "db", EXAMPLE.service, state))).toMatch(
    new RegExp(`^Reading service .*: ${CANCELED} \\(GET .*\\)\\. Nothing was changed\\.`),
  );
  await engine.configure({});
  expect(await canceledAfterRefusal(engine.invoke("getService", { serviceId: EXAMPLE.service }))).toMatch(
    new RegExp(`^Reading service .*: ${CANCELED} \\(GET .*\\)\\. Run the same command again`),
  );
});

test("a creation that the API has carried out is finished", async () => {
  const { inputs } = await engine.check("Service", "db", {
    ...ARGUMENTS,
    privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"],
  });
  const refusal = limited("PATCH");
  await engine.api.faults({
    ...refusal,
    times: 1,
    effect: { ...refusal.effect, headers: { "retry-after": "3" } } as never,
  });
  const creation = engine.create("Service", "db", inputs);
  await paused();
  await cancel();
  expect((await creation).state.privateEndpointIds).toEqual(["vpce-0a1b2c3d4e5f60001"]);
});

test("a wait for an endpoint ends, and the service is in the stack with its password", async () => {
  const endpoints = [{ protocol: "mysql", host: "127.0.0.1", port: await freePort() }];
  await engine.api.faults({ method: "POST", effect: { kind: "answer", result: { endpoints } } });
  const { inputs } = await engine.check("Service", "db", { ...ARGUMENTS, waitForEndpoint: true });
  const creation = failureOf(engine.create("Service", "db", inputs));
  while (!engine.messages.some(({ text }) => text.startsWith("Waiting until service"))) await clock.sleep(10);
  await cancel();
  const failure = await creation;
  expect(failure.message).toMatch(
    /^Creating service .*: the command was canceled before it answered at mysql 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. .* It is in the stack; the next `pulumi up` completes it\. \[CDB4015\]$/,
  );
  const [service] = (await engine.api.services()).slice(-1);
  expect(failure).toMatchObject({ id: service?.id, properties: { password: secret(expect.stringMatching(/./)) } });
});

test("what begins after a Ctrl-C sends nothing, and the next command of an attached plugin works", async () => {
  const { inputs } = await engine.check("Service", "db", ARGUMENTS);
  await cancel();
  expect((await failureOf(engine.create("Service", "db", inputs))).message).toMatch(/Nothing was created\./);
  expect(await requests()).toEqual([]);
  await engine.configure({});
  expect((await engine.create("Service", "db", inputs)).id).not.toBe("");
});
