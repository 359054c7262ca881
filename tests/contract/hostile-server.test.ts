import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { basic, createClient, operations } from "../../provider/api";
import { pipe } from "../../provider/resources/pipe/lifecycle";
import { service } from "../../provider/resources/service/lifecycle";
import { readSettings, settingsTable } from "../../provider/settings/settings";
import { checkedBy, type Handlers, handlersOf, timeless } from "./support";

/** Whatever a server answers, a configuration says or an id holds: a result, or one clear failure, in bounded time. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const LONGEST_MESSAGE = 2500;

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

let answer: RequestListener;
let handlers: Handlers;
let pipes: Handlers;
let paths: string[];
let port: number;

beforeAll(async () => {
  port = await listening(
    createServer((request, response) => {
      paths.push(request.url ?? "");
      request.resume();
      answer(request, response);
    }),
  );
});
beforeEach(() => {
  paths = [];
  // A process of its own for each test: one remembers what a rate limit has asked for.
  const at = { baseUrl: `http://127.0.0.1:${port}`, keyId: "k", keySecret: "s3cret", organizationId: ORGANIZATION };
  const quickly = { CLOUDDB_REQUEST_TIMEOUT_SECONDS: "1", CLOUDDB_MAX_RETRIES: "0" };
  handlers = handlersOf(service, at as never, quickly);
  pipes = handlersOf(pipe, at as never, quickly);
});

/** All that a command can ask for, done; how each ended. */
async function everything(): Promise<void> {
  const inputs = await checkedBy(handlers, "x", { numReplicas: 3, ipAccessList: [{ source: "203.0.113.7" }] });
  const adopted = { ...inputs, existingServiceId: ID };
  const aPipe = await checkedBy(pipes, "x", { serviceId: ID, pipeId: PIPE, settings: { engineMaxThreads: 2 } });
  const works = [
    handlers.create(inputs),
    handlers.create(adopted),
    handlers.read(ID, inputs),
    handlers.update(ID, inputs, { ...inputs, numReplicas: 4, name: "other" }),
    pipes.create(aPipe),
    pipes.read(PIPE, aPipe),
  ];
  for (const outcome of await Promise.all(works.map((work: Promise<unknown>) => work.catch((error: Error) => error)))) {
    // What is stored is plain JSON, whatever came.
    if (!(outcome instanceof Error)) {
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
      continue;
    }
    expect(outcome.message).toMatch(/^(Creating|Taking over|Changing|Reading) .*\.$/s);
    expect(outcome.message.length).toBeLessThan(LONGEST_MESSAGE);
    expect(outcome.message).not.toMatch(/\n {4}at |s3cret|an unexpected failure/);
    expect(outcome.stack).toBe(outcome.message);
  }
}

const anything = fc.oneof(
  { depthSize: "small" },
  fc.jsonValue({ maxDepth: 5 }),
  fc.constantFrom<unknown>("x".repeat(50_000), 1e308, -1, "", "__proto__", "04da6b54-80e4-46f7-96ec-b56ff0331ba9", {
    toString: false,
  }),
);
const members = ["id", "name", "ipAccessList", "endpoints", "numReplicas", "settings", "source", "state", "scaling"];
const result = fc.oneof(
  anything,
  fc.dictionary(fc.constantFrom(...members, "__proto__", "constructor"), anything),
  fc.record({ id: fc.constantFrom(ID, PIPE), name: anything, ipAccessList: anything, endpoints: anything }),
  fc.record({ service: fc.record({ id: anything, ipAccessList: anything }), password: anything }),
);

describe("a server that answers", () => {
  test("anything at all as its result", async () => {
    await fc.assert(
      fc.asyncProperty(result, fc.constantFrom(200, 201, 204, 400, 404, 500), async (value, status) => {
        answer = (_, response) => response.writeHead(status).end(JSON.stringify({ status, result: value }));
        await everything();
      }),
      { numRuns: 60 },
    );
  });

  test("anything at all as its error", async () => {
    await fc.assert(
      fc.asyncProperty(anything, fc.constantFrom(400, 403, 404, 500), async (error, status) => {
        answer = (_, response) => response.writeHead(status).end(JSON.stringify({ status, error, requestId: error }));
        await everything();
      }),
      { numRuns: 40 },
    );
  });

  const garbage: Record<string, RequestListener> = {
    "what is nested a hundred thousand levels deep": (_, response) => response.end("[".repeat(100_000)),
    "with 21 MB": (_, response) => response.end("x".repeat(21 * 1024 * 1024)),
    "with little that unpacks to 200 MB": (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(200 * 1024 * 1024)));
    },
    "what is packed wrongly": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    "what is no text": (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
    "with less than it promised": (_, response) => response.writeHead(200, { "content-length": 1000 }).end("{}"),
    "with what is no HTTP": ({ socket }) => socket.end("\u0000\u0001 this is something else\r\n\r\n"),
    "with a status that does not exist": (_, response) => response.writeHead(999).end("{}"),
    "with a byte now and then, for ever": (_, response) => {
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    },
    never: () => {},
  };
  test.each(Object.entries(garbage))("%s", async (_, listener) => {
    answer = listener;
    await everything();
  });

  test.each(["-1", "0", "1e999", "NaN", "soon", "", "Thu, 01 Jan 1970 00:00:00 GMT", "99999999999999999999"])(
    "429 with Retry-After %j",
    async (wait) => {
      answer = (_, response) => response.writeHead(429, { "retry-after": wait }).end("{}");
      await everything();
    },
  );
});

const gateways: Record<string, string> = {
  '{"timestamp":"2026-11-21T10:00:00Z","status":404,"error":"Not Found","path":"/v1"}': ": Not Found",
  '{"message":"no Route matched with those values"}': ": no Route matched with those values",
  '{"requestId":17,"error":"NOT_FOUND: no such service","status":404}': ": NOT_FOUND: no such service",
  "{}": "",
  null: "",
  "<html>404</html>": "",
};
test.each(Object.entries(gateways))("a gateway's 404, %s, takes nothing out of the stack", async (body, told) => {
  answer = (_, response) => response.writeHead(404, { "content-type": "application/json" }).end(body);
  const inputs = { organizationId: ORGANIZATION, serviceId: ID };
  const request = `GET /v1/organizations/${ORGANIZATION}/services/${ID}`;
  const said = `the server returned 404 with a body that is not from the API${told}`;
  const advice =
    "Nothing was changed. Check that clouddb:baseUrl (CLOUDDB_BASE_URL) is the API's own address, without its version.";
  await expect(handlers.read(ID, inputs)).rejects.toThrow(
    new Error(`Reading service ${ID}: ${said} (${request}). ${advice}`),
  );
  await expect(pipes.read(PIPE, inputs)).rejects.toThrow(
    new Error(`Reading pipe ${PIPE}: ${said} (${request}/pipes/${PIPE}). ${advice}`),
  );
});

test.each([301, 302, 303, 307, 308])("a redirect by %i is not followed, with or without a body", async (status) => {
  const elsewhere: string[] = [];
  const other = await listening(
    createServer((request, response) => {
      elsewhere.push(String(request.headers.authorization));
      response.end("{}");
    }),
  );
  answer = (_, response) => response.writeHead(status, { location: `http://127.0.0.1:${other}/v1` }).end();
  await everything();
  expect(paths).toHaveLength(6);
  expect(elsewhere).toEqual([]);
});

test("no id leads to another path than its own", async () => {
  answer = (_, response) => response.writeHead(404).end("{}");
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("..", "../..", "%2e%2e", "a/b", "?x=1", "#", "\\", "\u0000", "a b", "ID/../../x", "\ud800"),
  );
  const settings = { requestTimeoutSeconds: 1, maxRetries: 0, userAgent: "test" };
  const dependencies = { clock: timeless(), random: () => 1, log: () => {}, redact: (text: string) => text };
  const client = createClient(
    { ...settings, baseUrl: `http://127.0.0.1:${port}/base`, authorization: basic("k", "s") },
    dependencies,
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (id) => {
      paths = [];
      for (const operation of Object.values(operations)) {
        const parameters = { organizationId: id, serviceId: id, pipeId: id, id };
        await expect(client.call<unknown>(operation, parameters, { body: {} })).rejects.toThrow();
      }
      const shapes = Object.values(operations).map(({ path }) => `/base${path}`.split("/").length);
      for (const path of paths) {
        expect(path).not.toMatch(/[?#\\]|\/\.{1,2}(\/|$)/);
        expect(shapes).toContain(path.split("/").length);
        expect(path).toMatch(/^\/base\/(v1\/organizations|api\/v2\/(alerts|dashboards))/);
      }
    }),
    { numRuns: 60 },
  );
  // What the resources take is narrower still.
  for (const argument of ["organizationId", "existingServiceId"]) {
    const { failures } = await handlers.check({}, { __provider: "x", [argument]: "../x" });
    expect(failures).toEqual([{ property: "", reason: expect.stringMatching(`^${argument} is invalid`) }]);
  }
});

test("any configuration at all is read, or refused in sentences that hold no secret", () => {
  const keys = Object.keys(settingsTable);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), anything), (configured) => {
      const canary = { ...configured, keySecret: "canary-secret".repeat(3) };
      const { settings, problems } = readSettings((key) => (canary as Record<string, unknown>)[key.slice(8)], {});
      for (const problem of problems) {
        expect(problem).toMatch(/\.$/s);
        expect(problem.length).toBeLessThan(LONGEST_MESSAGE);
        expect(problem).not.toContain("canary-secret");
      }
      expect(Object.keys(settings).every((key) => keys.includes(key))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("a server whose certificate nobody vouches for gets no request, and no setting changes that", async () => {
  const file = (name: string) => readFileSync(join(__dirname, "certificate", name));
  let asked = 0;
  const secure = createSecureServer({ key: file("key.pem"), cert: file("certificate.pem") }, (_, response) => {
    asked += 1;
    response.end("{}");
  });
  const baseUrl = `https://127.0.0.1:${await listening(secure)}`;
  const at = { baseUrl, keyId: "k", keySecret: "s3cret", organizationId: ORGANIZATION };
  const all = Object.keys(settingsTable).map((key) => `CLOUDDB_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
  const lax = Object.fromEntries(all.filter((name) => /INSECURE|PAID/.test(name)).map((name) => [name, "true"]));
  const strict = handlersOf(service, at as never, lax);
  const failure = await strict.read(ID, { organizationId: ORGANIZATION }).catch((error: Error) => error);
  expect(String(failure)).toMatch(/the server's certificate is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT/);
  expect(asked).toBe(0);
  expect(Object.keys(settingsTable).join()).not.toMatch(/tls|verify|reject|certificate/i);
});
