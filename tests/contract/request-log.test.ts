import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../../provider/resources";
import { startSimulator } from "../../simulator/index";
import { ADAPTER } from "../support/adapters/adapter";
import { startProgram } from "../support/adapters/functions";
import { EXAMPLE } from "../support/example";
import { virtualTime } from "../support/virtual-time";
import { checkInputs, environmentFor, failureOf, fakeClock, type ServerConnection, startProcess } from "./support";

/** `clouddb:logRequests` with the real handlers of both adapters. */

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const SERVICES = `/v1/organizations/${ORGANIZATION}/services`;

const folder = mkdtempSync(join(tmpdir(), "clouddb-log-"));
const file = join(folder, "requests.jsonl");
const servers: Server[] = [];

afterEach(() => {
  rmSync(file, { force: true });
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const entries = () =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

async function serve(listener: RequestListener): Promise<ServerConnection> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    keyId: "canary-key-id",
    keySecret: "canary-key-secret",
    organizationId: ORGANIZATION,
  };
}

/** Creates services under a rate limit, in virtual time, and ends the command. */
async function createUnderLimit(setting: string) {
  const time = virtualTime(Date.parse("2026-11-23T10:00:00Z"));
  const rateLimit = { requests: 10, seconds: 10 } as const;
  const simulator = await startSimulator({ now: time.now, rateLimit });
  const process = startProcess(simulator, { CLOUDDB_LOG_REQUESTS: setting }, time);
  const create = async (name: string) => {
    const handlers = process.handlersFor(resources.Service.type, name);
    await handlers.create(await checkInputs(handlers, { name }));
  };
  await Promise.all(Array.from({ length: 14 }, (_, index) => create(`service ${index}`)));
  await process.end();
  await simulator.close();
  return process.messages;
}

const SUMMARY =
  /^API requests: (\d+) \(\1 POST\); retries: (\d); refused by the rate limit: \2; failed: 0\. Time in total: \d\.\d\d s for responses, 10\.\d\d s waiting for the rate limit, 0\.00 s waiting for retries\. \[CDB3014\]$/;

test("`summary` ends a command with one line about all requests", async () => {
  const lines = (await createUnderLimit("summary")).filter((line) => !line.includes("CDB3008"));
  expect(lines).toHaveLength(1);
  const [, total, retries] = SUMMARY.exec(String(lines[0])) ?? [];
  expect(Number(total)).toBe(14 + Number(retries));
});

test("`all` has a line for each attempt, with what it waited for, and the summary last", async () => {
  const lines = (await createUnderLimit("all")).filter((line) => !line.includes("CDB3008"));
  expect(lines.pop()).toMatch(SUMMARY);
  const request = new RegExp(
    `^2026-11-23T10:00:[01]\\d\\.\\d{3}Z POST ${SERVICES}: (200|429 CDB3429) after \\d\\.\\d\\d s, attempt [12](, waited 10\\.\\d\\d s for the rate limit)?, request id [\\da-f-]{36}\\. \\[CDB3013\\]$`,
  );
  for (const line of lines) expect(line).toMatch(request);
  expect(lines.filter((line) => line.includes(": 200 "))).toHaveLength(14);
  expect(lines.filter((line) => line.includes(": 200 ") && line.includes("waited"))).toHaveLength(4);
});

test("a file gets the same requests as JSON, and the command still prints the summary", async () => {
  const lines = (await createUnderLimit(file)).filter((line) => !line.includes("CDB3008"));
  expect(lines).toEqual([expect.stringMatching(SUMMARY)]);
  const created = entries().filter(({ status }) => status === 200);
  expect(created).toHaveLength(14);
  expect(created[0]).toEqual({
    time: expect.stringMatching(/^2026-11-23T10:00:00\.\d{3}Z$/),
    process: process.pid,
    method: "POST",
    path: SERVICES,
    status: 200,
    durationMs: expect.any(Number),
    attempt: 1,
    rateLimitMs: 0,
    retryAfterMs: 0,
    backOffMs: 0,
    requestId: expect.any(String),
  });
  expect(created.filter(({ rateLimitMs }) => rateLimitMs >= 10_000)).toHaveLength(4);
});

test.each(["summary", "all", "off", undefined])("%s: a preview without requests prints nothing", async (setting) => {
  const connection = await serve(() => {});
  const { handlersFor, messages, end } = startProcess(
    connection,
    setting === undefined ? {} : { CLOUDDB_LOG_REQUESTS: setting },
    fakeClock(),
  );
  await checkInputs(handlersFor(resources.Service.type), { name: "one" });
  await end();
  expect(messages).toEqual([]);
});

test("retries tell failures without a response, what the API asked to wait, and the client's own waits", async () => {
  let count = 0;
  const connection = await serve((request, response) => {
    count += 1;
    if (count === 1) request.socket.destroy();
    else if (count === 2) response.writeHead(503, { "retry-after": "7" }).end();
    else response.end(JSON.stringify({ requestId: "r-3", result: { id: EXAMPLE.service, name: "db" } }));
  });
  const { handlersFor } = startProcess(connection, { CLOUDDB_LOG_REQUESTS: file }, fakeClock());
  await handlersFor(resources.Service.type).read(EXAMPLE.service, { organizationId: ORGANIZATION });
  const parts = entries().map(({ time: _, process: __, durationMs: ___, ...rest }) => rest);
  const request = { method: "GET", path: `${SERVICES}/${EXAMPLE.service}`, rateLimitMs: 0 };
  expect(parts).toEqual([
    { ...request, error: "ECONNRESET", attempt: 1, retryAfterMs: 0, backOffMs: 0 },
    { ...request, status: 503, error: "CDB3500", attempt: 2, retryAfterMs: 0, backOffMs: 500 },
    { ...request, status: 200, attempt: 3, retryAfterMs: 7000, backOffMs: 0, requestId: "r-3" },
  ]);
});

test.each(["all", "file"])("%s: no secret of a body, a header, the settings or an error is logged", async (setting) => {
  const sent: string[] = [];
  const connection = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const echo = `${body} ${request.headers.authorization} ${request.url}`;
      sent.push(echo);
      const result = { id: EXAMPLE.service, password: "canary-password", name: "db" };
      const isCreation = request.method === "POST";
      response.writeHead(isCreation ? 200 : 400, { "x-echo": "canary-header" });
      response.end(
        JSON.stringify(
          isCreation
            ? { requestId: body, result: { service: result, password: "canary-password" } }
            : { requestId: echo, error: `BAD_REQUEST: ${echo}` },
        ),
      );
    });
  });
  const environment = { CLOUDDB_LOG_REQUESTS: setting === "file" ? file : "all", CLOUDDB_MAX_RETRIES: "0" };
  const { handlersFor, messages, end } = startProcess(connection, environment, fakeClock());
  const [services, pipes] = [handlersFor(resources.Service.type), handlersFor(resources.Pipe.type)];
  await services.create(await checkInputs(services, { name: "db", encryptionKey: "canary-encryption" }));
  const credentials = { username: "canary-user", password: "canary-kafka" };
  const pipe = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka, source: { kafka: { credentials } } };
  await failureOf(pipes.create(await checkInputs(pipes, pipe)));
  await end();
  const log = setting === "file" ? readFileSync(file, "utf8") : messages.join("\n");
  expect(sent.join()).toContain("canary-encryption");
  expect(log.match(/POST|GET/g)?.length).toBeGreaterThan(1);
  expect(log).not.toMatch(/canary|Y2FuYXJ5/);
});

test("a file that cannot be written: one warning, and nothing fails", async () => {
  const lines = await createUnderLimit(join(folder, "missing", "requests.jsonl"));
  const warnings = lines.filter((line) => line.includes("CDB2007"));
  expect(warnings).toEqual([
    `Cannot log requests in ${join(folder, "missing", "requests.jsonl")}: ENOENT. The command continues without this log. [CDB2007]`,
  ]);
  expect(lines.at(-1)).toMatch(SUMMARY);
});

test("functions are logged, too", async () => {
  const connection = await serve((_, response) =>
    response.end(JSON.stringify({ requestId: "r-1", result: { id: EXAMPLE.service, name: "db" } })),
  );
  const environment = { ...environmentFor(connection), CLOUDDB_LOG_REQUESTS: "all" };
  Object.assign(process.env, environment);
  const once = jest.spyOn(process, "once").mockReturnValue(process);
  const print = jest.spyOn(console, "log").mockReturnValue();
  const { call, messages } = startProgram();
  await call("getService", { serviceId: EXAMPLE.service });
  expect(messages).toEqual([
    expect.stringMatching(`GET ${SERVICES}/${EXAMPLE.service}: 200 after .*, attempt 1.*, request id r-1`),
  ]);
  if (ADAPTER === "dynamic") {
    const atExit = once.mock.calls.find(([event]) => String(event) === "exit")?.[1];
    atExit?.();
    expect(print).toHaveBeenCalledWith(expect.stringMatching(/^API requests: 1 \(1 GET\)/));
  }
  for (const name of Object.keys(environment)) delete process.env[name];
  jest.restoreAllMocks();
});

test("another value is refused like that of any setting", async () => {
  const connection = await serve(() => {});
  const { handlersFor } = startProcess(connection, { CLOUDDB_LOG_REQUESTS: "verbose" }, fakeClock());
  const { message } = await failureOf(
    handlersFor(resources.Service.type).read(EXAMPLE.service, { organizationId: ORGANIZATION }),
  );
  expect(message).toContain(
    "clouddb:logRequests (CLOUDDB_LOG_REQUESTS) is invalid: must be off, summary, all or an absolute path.",
  );
});
