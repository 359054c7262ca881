import { createServer } from "node:http";
import { organization } from "../../provider/resources/organization/organization";
import { service } from "../../provider/resources/service/service";
import { type ConnectedAdapter, connectAdapter } from "../support/adapters/connected";
import { EXAMPLE } from "../support/example";
import { serve } from "../support/local-server";
import { checkInputs, environmentFor, failureOf, fakeClock } from "./support";

/** Half of a surrogate pair in what a server sends: gRPC cannot encode it, and the engine refuses it. */

const HALF = "\\ud83d";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";

let body: string;
let status: number;
let port: number;
let adapter: ConnectedAdapter;

beforeAll(async () => {
  port = await serve(
    createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    }),
  );
  adapter = await connectAdapter();
});
afterAll(() => adapter.close());

async function restart() {
  const baseUrl = `http://127.0.0.1:${port}`;
  const connection = { baseUrl, keyId: "k", keySecret: "a secret 😀 key", organizationId: ORGANIZATION };
  return adapter.restart({
    environment: { ...environmentFor(connection), CLOUDDB_MAX_RETRIES: "0" },
    clock: fakeClock(),
    random: () => 1,
  });
}

const service200 = (members: string) =>
  `{"status":200,"requestId":"r ${HALF}","result":{"password":"pass ${HALF}","service":{"id":"${EXAMPLE.service}",${members}}}}`;

test.each([
  ["a value", `"endpoints":[{"protocol":"mysql","username":"user ${HALF}"}]`, "user \ufffd"],
  ["a value of another type", `"numReplicas":"${HALF}","engineVersion":"26.1 ${HALF}"`, "26.1 \ufffd"],
  ["an entry's name", `"${HALF}":1,"ipAccessList":[{"source":"203.0.113.7","description":"x ${HALF}"}]`, "x \ufffd"],
])("a service is created once and keeps its password, with half a pair in %s", async (_, members, text) => {
  [status, body] = [200, service200(members)];
  const { handlersFor } = await restart();
  const handlers = handlersFor(service);
  const { id, outs } = await handlers.create(await checkInputs(handlers, { numReplicas: 3 }));
  expect(id).toBe(EXAMPLE.service);
  expect(outs.password).toEqual(expect.stringContaining("pass \ufffd"));
  expect(JSON.stringify(outs)).toContain(text);
});

test.each([
  ["the server sends", `half ${HALF} a pair`, "half \ufffd a pair"],
  ["is left of a long text", `${"x".repeat(399)}\\ud83d\\ude00 and more`, `${"x".repeat(399)}…`],
  ["is left of a secret", `the key a secret ${HALF}`, "the key [secret]"],
])("an operation fails with a readable message where half a pair %s", async (_, error, text) => {
  [status, body] = [400, `{"status":400,"requestId":"r ${HALF}","error":"${error}","${HALF}":1}`];
  const { handlersFor } = await restart();
  const handlers = handlersFor(organization);
  const failure = await failureOf(handlers.create(await checkInputs(handlers, { name: "Renamed" })));
  expect(failure.message).toContain(`the API returned 400, ${text} (PATCH`);
  expect(failure.message).toContain("request id r \ufffd");
});

test("a created service is in the stack although its first update fails with half a pair", async () => {
  [status, body] = [200, service200(`"name":"half ${HALF}"`)];
  const { handlersFor } = await restart();
  const handlers = handlersFor(service);
  const inputs = await checkInputs(handlers, { numReplicas: 3 });
  const { id, outs } = await handlers.create(inputs);
  [status, body] = [400, `{"status":400,"requestId":"r","error":"${HALF}"}`];
  const failure = await failureOf(handlers.update(id, outs, { ...inputs, name: "other", numReplicas: 4 }));
  expect(failure.message).toContain("the API returned 400, \ufffd");
});
