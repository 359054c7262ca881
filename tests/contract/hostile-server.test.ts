import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { createClient } from "../../provider/api/client";
import { endpoints } from "../../provider/api/endpoints";
import { basic } from "../../provider/api/http";
import { readSettings, settingsTable } from "../../provider/core/settings";
import { render } from "../../provider/errors";
import { pipe } from "../../provider/resources/pipe/pipe";
import { service } from "../../provider/resources/service/service";
import { EXAMPLE_IDS } from "../support/example";
import { serve } from "../support/local-server";
import { checkInputs, createHandlers, fakeClock, type Handlers } from "./support";

/** Any response, configuration and id leads to a result or to one clear error, in bounded time. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const LONGEST_MESSAGE = 2500;

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
  const at = { baseUrl: `http://127.0.0.1:${port}`, keyId: "k", keySecret: "s3cret", organizationId: ORGANIZATION };
  const quickly = { CLOUDDB_REQUEST_TIMEOUT_SECONDS: "1", CLOUDDB_MAX_RETRIES: "0" };
  handlers = createHandlers(service, at as never, quickly);
  pipes = createHandlers(pipe, at as never, quickly);
});

/** Runs all operations and checks each result. */
async function runAllOperations(): Promise<void> {
  const inputs = await checkInputs(handlers, { numReplicas: 3, ipAccessList: [{ source: "203.0.113.7" }] });
  const adopted = { ...inputs, existingServiceId: ID };
  const aPipe = await checkInputs(pipes, { serviceId: ID, pipeId: PIPE, settings: { engineMaxThreads: 2 } });
  const works = [
    handlers.create(inputs),
    handlers.create(adopted),
    handlers.read(ID, inputs),
    handlers.update(ID, inputs, { ...inputs, numReplicas: 4, name: "other" }),
    pipes.create(aPipe),
    pipes.read(PIPE, aPipe),
  ];
  for (const outcome of await Promise.all(works.map((work: Promise<unknown>) => work.catch((error: Error) => error)))) {
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

describe("a server that responds with", () => {
  test("any response of a server leads to a result or to one clear error", async () => {
    await fc.assert(
      fc.asyncProperty(result, fc.constantFrom(200, 201, 204, 400, 404, 500), async (value, status) => {
        respond = (_, response) => response.writeHead(status).end(JSON.stringify({ status, result: value }));
        await runAllOperations();
      }),
      { numRuns: 60 },
    );
  });

  test("any error of a server leads to one clear error", async () => {
    await fc.assert(
      fc.asyncProperty(anything, fc.constantFrom(400, 403, 404, 500), async (error, status) => {
        respond = (_, response) => response.writeHead(status).end(JSON.stringify({ status, error, requestId: error }));
        await runAllOperations();
      }),
      { numRuns: 40 },
    );
  });

  const brokenResponses: Record<string, RequestListener> = {
    "JSON nested a hundred thousand levels deep": (_, response) => response.end("[".repeat(100_000)),
    "21 MB": (_, response) => response.end("x".repeat(21 * 1024 * 1024)),
    "a small body that decompresses to 200 MB": (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(200 * 1024 * 1024)));
    },
    "an invalid gzip body": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    "invalid UTF-8": (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
    "less than its content length": (_, response) => response.writeHead(200, { "content-length": 1000 }).end("{}"),
    "something other than HTTP": ({ socket }) => socket.end("\u0000\u0001 this is something else\r\n\r\n"),
    "an invalid status": (_, response) => response.writeHead(999).end("{}"),
    "a byte now and then, forever": (_, response) => {
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    },
    nothing: () => {},
  };
  test.each(Object.entries(brokenResponses))(
    "a server that responds with %s leads to one clear error",
    async (_, listener) => {
      respond = listener;
      await runAllOperations();
    },
  );
});

test("no id can change the path of a request", async () => {
  respond = (_, response) => response.writeHead(404).end("{}");
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("..", "../..", "%2e%2e", "a/b", "?x=1", "#", "\\", "\u0000", "a b", "ID/../../x", "\ud800"),
  );
  const settings = { requestTimeoutSeconds: 1, maxRetries: 0, userAgent: "test" };
  const dependencies = { clock: fakeClock(), random: () => 1, log: () => {}, redact: (text: string) => text };
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
    expect(failures).toEqual([{ property: "", reason: expect.stringMatching(`^${argument} is invalid`) }]);
  }
});

test("any configuration is accepted, or rejected in sentences without secrets", () => {
  const keys = Object.keys(settingsTable);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), anything), (configured) => {
      const canary = { ...configured, keySecret: "canary-secret".repeat(3) };
      const { settings, problems } = readSettings((key) => (canary as Record<string, unknown>)[key.slice(8)], {});
      for (const problem of problems.map(render)) {
        expect(problem).toMatch(/[.?] \[CDB\d{4}\]$/s);
        expect(problem.length).toBeLessThan(LONGEST_MESSAGE);
        expect(problem).not.toContain("canary-secret");
      }
      expect(Object.keys(settings).every((key) => keys.includes(key))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
