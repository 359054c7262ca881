import { createServer, type RequestListener } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { dynamicType, nativeType, version } from "../../provider/names";
import { startProgram } from "../support/adapters/functions";
import { ADAPTER } from "../support/adapters/handlers";
import { EXAMPLE } from "../support/example";
import { serve } from "../support/local-server";
import {
  create,
  environmentFor,
  failedCreation,
  type ServerConnection,
  startProcess,
} from "./support";

/**
 * The line about each request, which Pulumi shows with `--debug`, and the name of the stack in the
 * API's own log.
 */

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const SERVICES = `/v1/organizations/${ORGANIZATION}/services`;

async function connectionTo(listener: RequestListener): Promise<ServerConnection> {
  return {
    baseUrl: `http://127.0.0.1:${await serve(createServer(listener))}`,
    keyId: "canary-key-id",
    keySecret: "canary-key-secret",
    organizationId: ORGANIZATION,
  };
}

test("each attempt is logged with status or failure, duration, number and request id", async () => {
  let count = 0;
  const connection = await connectionTo((request, response) => {
    count += 1;
    if (count === 1) request.socket.destroy();
    else if (count === 2) response.writeHead(503, { "retry-after": "7" }).end();
    else
      response.end(
        JSON.stringify({ requestId: "r-3", result: { id: EXAMPLE.service, name: "db" } }),
      );
  });
  const { handlersFor, messages, debugLines } = startProcess(connection);
  await handlersFor("Service").read(EXAMPLE.service, {
    organizationId: ORGANIZATION,
  });
  expect(debugLines).toEqual([
    `GET ${SERVICES}/${EXAMPLE.service}: ECONNRESET after 0.00 s, attempt 1. [CDB3013]`,
    `GET ${SERVICES}/${EXAMPLE.service}: 503 after 0.00 s, attempt 2. [CDB3013]`,
    `GET ${SERVICES}/${EXAMPLE.service}: 200 after 0.00 s, attempt 3, request id r-3. [CDB3013]`,
  ]);
  expect(messages.join()).not.toContain("CDB3013");
});

test("a logged request shows no secret of a body, a header, the settings, an error or the path", async () => {
  const sent: string[] = [];
  const connection = await connectionTo(async (request, response) => {
    const body = await textOf(request);
    const echo = `${body} ${request.headers.authorization} ${request.url}`;
    sent.push(echo);
    const service = { id: EXAMPLE.service, password: "canary-password", name: "db" };
    const isCreation = request.method === "POST";
    const answer = isCreation
      ? { requestId: body, result: { service, password: "canary-password" } }
      : { requestId: echo, error: `BAD_REQUEST: ${echo}` };
    response
      .writeHead(isCreation ? 200 : 400, { "x-echo": "canary-header" })
      .end(JSON.stringify(answer));
  });
  const { handlersFor, debugLines } = startProcess(connection, { CLOUDDB_MAX_RETRIES: "0" });
  const [services, pipes] = [handlersFor("Service"), handlersFor("Pipe")];
  await create(services, { name: "db", encryptionKey: "canary-encryption" });
  const credentials = { username: "canary-user", password: "canary-kafka" };
  const pipe = {
    serviceId: EXAMPLE.service,
    pipeId: EXAMPLE.pipes.kafka,
    source: { kafka: { credentials } },
  };
  await failedCreation(pipes, pipe);
  const withSecretId = { ...credentials, password: EXAMPLE.service };
  await failedCreation(pipes, { ...pipe, source: { kafka: { credentials: withSecretId } } });
  expect(sent.join()).toContain("canary-encryption");
  expect(debugLines).toHaveLength(3);
  expect(debugLines[1]).toContain(EXAMPLE.service);
  expect(debugLines[2]).toContain("/services/[secret]/");
  expect(debugLines.join()).not.toMatch(/canary|Y2FuYXJ5/);
});

describe("the User-Agent", () => {
  const PRODUCT = `pulumi-clouddb/${version}`;
  const typeOf = { dynamic: dynamicType, native: nativeType }[ADAPTER];
  const service = { id: EXAMPLE.service, name: "db", numReplicas: 2 };
  const seen: unknown[] = [];
  beforeEach(() => {
    seen.length = 0;
  });

  const recording = () =>
    connectionTo(({ headers }, response) => {
      seen.push(headers["user-agent"]);
      response.end(
        JSON.stringify({ requestId: "r-1", result: { ...service, service, password: "password" } }),
      );
    });

  test.each([
    ["shop", "dev", "shop/dev"],
    ["größe (1)", "a) evil/1 (\\", "gr%C3%B6%C3%9Fe%20%281%29/a%29%20evil/1%20%28%5C"],
    ["shop\r\nx-other: 1", "50%\0", "shop%0D%0Ax-other:%201/50%25%00"],
    ["数据", "🐘", "%E6%95%B0%E6%8D%AE/%F0%9F%90%98"],
  ])("the User-Agent names the project %j and the stack %j", async (project, stack, named) => {
    const { handlersFor } = startProcess(await recording());
    const urn = `urn:pulumi:${stack}::${project}::${typeOf("Service")}::db`;
    const db = await create(handlersFor("Service", urn), {
      numReplicas: 2,
      name: "db",
    });
    await db.update({ numReplicas: 3, name: "db" });
    await db.refresh();
    // An update whose response shows the former value is read once.
    expect(seen).toEqual(Array(4).fill(`${PRODUCT} (${named})`));
  });

  test("the User-Agent of a function names only the product, and its request is logged", async () => {
    jest.replaceProperty(process, "env", { ...process.env, ...environmentFor(await recording()) });
    const { call, debugLines } = startProgram();
    await call("getService", { serviceId: EXAMPLE.service });
    expect(seen).toEqual([PRODUCT]);
    expect(debugLines).toEqual([
      expect.stringMatching(
        `^GET ${SERVICES}/${EXAMPLE.service}: 200 after .*, attempt 1, request id r-1\\. `,
      ),
    ]);
    jest.restoreAllMocks();
  });
});
