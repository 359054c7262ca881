import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { basic } from "pulumi-clouddb-facts";
import { createClient } from "../../provider/api/client";
import { endpoints } from "../../provider/api/endpoints";
import { type ConnectedAdapter, connectAdapter } from "../support/adapters/connected";
import { EXAMPLE_IDS } from "../support/example";
import { serve } from "../support/local-server";
import {
  checkInputs,
  create,
  createHandlers,
  environmentFor,
  failedCreation,
  fakeClock,
  type Handlers,
  type ResourceType,
} from "./support";

/** Any response and any id leads to a result or to one clear error, in bounded time. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const LONGEST_MESSAGE = 2500;
const CREDENTIALS = { keyId: "k", keySecret: "s3cret 😀 key", organizationId: ORGANIZATION };

let respond: RequestListener;
let handlers: Handlers;
let pipes: Handlers;
let paths: string[];
let port: number;

beforeAll(async () => {
  port = await serve(
    createServer((request, response) => {
      paths.push(request.url ?? "");
      request.resume();
      respond(request, response);
    }),
  );
});
beforeEach(() => {
  paths = [];
  // A new process for each test, because a process remembers rate limits.
  const at = { baseUrl: `http://127.0.0.1:${port}`, ...CREDENTIALS };
  const quickly = { CLOUDDB_REQUEST_TIMEOUT_SECONDS: "1", CLOUDDB_MAX_RETRIES: "0" };
  handlers = createHandlers("Service", at, quickly);
  pipes = createHandlers("Pipe", at, quickly);
});

/** Runs all operations and checks each result. */
async function runAllOperations(): Promise<void> {
  const inputs = await checkInputs(handlers, {
    numReplicas: 3,
    ipAccessList: [{ source: "203.0.113.7" }],
  });
  const adopted = { ...inputs, existingServiceId: ID };
  const aPipe = await checkInputs(pipes, {
    serviceId: ID,
    pipeId: PIPE,
    settings: { engineMaxThreads: 2 },
  });
  const works = [
    handlers.create(inputs),
    handlers.create(adopted),
    handlers.read(ID, inputs),
    handlers.update(ID, inputs, { ...inputs, numReplicas: 4, name: "other" }),
    pipes.create(aPipe),
    pipes.read(PIPE, aPipe),
  ];
  for (const outcome of await Promise.all(
    works.map((work: Promise<unknown>) => work.catch((error: Error) => error)),
  )) {
    // Whatever the response, the state is plain JSON.
    if (!(outcome instanceof Error)) {
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
      continue;
    }
    expect(outcome.message).toMatch(/^(Creating|Adopting|Updating|Reading) .*\. \[CDB\d{4}\]$/s);
    expect(outcome.message.length).toBeLessThan(LONGEST_MESSAGE);
    expect(outcome.message).not.toMatch(/\n {4}at |s3cret|unexpected error/);
  }
}

const anything = fc.oneof(
  { depthSize: "small" },
  fc.jsonValue({ maxDepth: 5 }),
  fc.constantFrom<unknown>(
    "x".repeat(50_000),
    1e308,
    -1,
    "",
    "__proto__",
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    {
      toString: false,
    },
  ),
);
const members = [
  "id",
  "name",
  "ipAccessList",
  "endpoints",
  "numReplicas",
  "settings",
  "source",
  "state",
  "scaling",
];
const result = fc.oneof(
  anything,
  fc.dictionary(fc.constantFrom(...members, "__proto__", "constructor"), anything),
  fc.record({
    id: fc.constantFrom(ID, PIPE),
    name: anything,
    ipAccessList: anything,
    endpoints: anything,
  }),
  fc.record({ service: fc.record({ id: anything, ipAccessList: anything }), password: anything }),
);

describe("responses", () => {
  test("a server that responds with any result or error causes a result or one clear error", async () => {
    const statuses = fc.constantFrom(200, 201, 204, 400, 403, 404, 500);
    await fc.assert(
      fc.asyncProperty(result, anything, statuses, async (value, error, status) => {
        const body = { status, result: value, ...(status >= 400 && { error, requestId: error }) };
        respond = (_, response) => response.writeHead(status).end(JSON.stringify(body));
        await runAllOperations();
      }),
      { numRuns: 100 },
    );
  });

  const compressed = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  const brokenResponses: Record<string, RequestListener> = {
    "JSON nested a hundred thousand levels deep": (_, response) =>
      response.end("[".repeat(100_000)),
    "a small body that decompresses to 200 MB": (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(compressed),
    "an invalid gzip body": (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    "invalid UTF-8": (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
    "less than its content length": (_, response) =>
      response.writeHead(200, { "content-length": 1000 }).end("{}"),
    "something other than HTTP": ({ socket }) =>
      socket.end("\u0000\u0001 this is something else\r\n\r\n"),
    "an invalid status": (_, response) => response.writeHead(999).end("{}"),
    "a byte now and then, forever": (_, response) => {
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    },
    nothing: () => {},
  };
  test.each(Object.entries(brokenResponses))(
    "a server that responds with %s causes one clear error",
    async (_, listener) => {
      respond = listener;
      await runAllOperations();
    },
  );
});

/** Half of a surrogate pair: gRPC cannot encode it, and the engine refuses it. */
describe("half of a surrogate pair", () => {
  const HALF = "\\ud83d";
  const sends = (status: number, body: string) => {
    respond = (_, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
  const sendsService = (members: string) =>
    sends(
      200,
      `{"status":200,"requestId":"r ${HALF}","result":{"password":"pass ${HALF}","service":{"id":"${ID}",${members}}}}`,
    );
  let adapter: ConnectedAdapter;
  beforeAll(async () => {
    adapter = await connectAdapter();
  });
  afterAll(() => adapter.close());

  async function handlersOf(type: ResourceType) {
    const environment = environmentFor({ baseUrl: `http://127.0.0.1:${port}`, ...CREDENTIALS });
    const host = {
      environment: { ...environment, CLOUDDB_MAX_RETRIES: "0" },
      clock: fakeClock(),
      random: () => 1,
    };
    return (await adapter.restart(host)).handlersFor(type);
  }

  test.each([
    ["a value", `"endpoints":[{"protocol":"mysql","username":"user ${HALF}"}]`, "user \ufffd"],
    [
      "a value of another type",
      `"numReplicas":"${HALF}","engineVersion":"26.1 ${HALF}"`,
      "26.1 \ufffd",
    ],
    [
      "an entry's name",
      `"${HALF}":1,"ipAccessList":[{"source":"203.0.113.7","description":"x ${HALF}"}]`,
      "x \ufffd",
    ],
  ])(
    "a response with half of a surrogate pair in %s creates the service with its password",
    async (_, members, text) => {
      sendsService(members);
      const { id, outs } = await create(await handlersOf("Service"), { numReplicas: 3 });
      expect(id).toBe(ID);
      expect(outs.password).toEqual(expect.stringContaining("pass \ufffd"));
      expect(JSON.stringify(outs)).toContain(text);
    },
  );

  test.each([
    ["that the server sends", `half ${HALF} a pair`, "half \ufffd a pair"],
    [
      "that is left of a long text",
      `${"x".repeat(399)}\\ud83d\\ude00 and more`,
      `${"x".repeat(399)}…`,
    ],
    ["that is left of a secret", `the key s3cret ${HALF}`, "the key [secret]"],
  ])("half of a surrogate pair %s leaves a message readable", async (_, error, text) => {
    sends(400, `{"status":400,"requestId":"r ${HALF}","error":"${error}","${HALF}":1}`);
    const { message } = await failedCreation(await handlersOf("Organization"), { name: "Renamed" });
    expect(message).toContain(`the API returned 400, ${text} (PATCH`);
    expect(message).toContain("request id r \ufffd");
  });

  test("half of a surrogate pair in state and error of an update leaves the service in the stack", async () => {
    sendsService(`"name":"half ${HALF}"`);
    const created = await create(await handlersOf("Service"), { numReplicas: 3 });
    sends(400, `{"status":400,"requestId":"r","error":"${HALF}"}`);
    const { message } = await created.failedUpdate({ name: "other", numReplicas: 4 });
    expect(message).toContain("the API returned 400, \ufffd");
  });
});

test("an id cannot change the path of a request", async () => {
  respond = (_, response) => response.writeHead(404).end("{}");
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "..",
      "../..",
      "%2e%2e",
      "a/b",
      "?x=1",
      "#",
      "\\",
      "\u0000",
      "a b",
      "ID/../../x",
      "\ud800",
    ),
  );
  const settings = { requestTimeoutSeconds: 1, maxRetries: 0, userAgent: "test" };
  const dependencies = {
    clock: fakeClock(),
    random: () => 1,
    log: () => {},
    redact: (text: string) => text,
  };
  const client = createClient(
    { ...settings, baseUrl: `http://127.0.0.1:${port}/base`, authorization: basic("k", "s") },
    dependencies,
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (id) => {
      paths = [];
      for (const operation of Object.values(endpoints)) {
        const parameters = Object.fromEntries(Object.keys(EXAMPLE_IDS).map((name) => [name, id]));
        await expect(client.call<unknown>(operation, parameters, { body: {} })).rejects.toThrow();
      }
      const shapes = Object.values(endpoints).map(({ path }) => `/base${path}`.split("/").length);
      for (const path of paths) {
        expect(path).not.toMatch(/[?#\\]|\/\.{1,2}(\/|$)/);
        expect(shapes).toContain(path.split("/").length);
        expect(path).toMatch(/^\/base\/(v1\/organizations|api\/v2\/(alerts|dashboards))/);
      }
    }),
    { numRuns: 60 },
  );
  // The resources accept even less.
  for (const argument of ["organizationId", "existingServiceId"]) {
    const { failures } = await handlers.check({}, { [argument]: "../x" });
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(`^${argument} is invalid`) },
    ]);
  }
});
