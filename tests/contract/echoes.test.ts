import { createServer, type IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { serve } from "../support/local-server";
import { createHandlers, failedCreation } from "./support";

/** Servers that echo what they were sent: no message shows a secret. */

const SERVICE = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const REQUEST = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const KEY = { keyId: "kéy-id", keySecret: 'key-sécret"\\?' };
const CREDENTIALS = { username: "usér/name", password: 'two\nlines "q" \\back\\ größe+€ 50%' };
const CREATED = {
  encryptionKey: "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n",
};

/** A trace of any secret, in any form. Nothing else in a message matches. */
const TRACES =
  /k.{0,12}y-s|sécret|c3.{0,4}a9cret|usér|us.{0,8}r(\/|\\\/|%2f)|lines|größe|back|gr.{0,12}e(\+|%2b|\\u002b)|50%|50\\|MIIEv|hkiG9|a8OpeS1pZD/i;

type Sent = { body: string; authorization: string };
let respond: (sent: Sent) => { status: number; error: string };
let foundId = PIPE;
let connection: never;

async function responseTo(request: IncomingMessage): Promise<[number, object]> {
  const body = await textOf(request);
  if (request.method === "GET") return [200, { requestId: REQUEST, result: { id: foundId } }];
  const { status, error } = respond({ body, authorization: request.headers.authorization ?? "" });
  return [status, { requestId: REQUEST, status, error }];
}

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const [status, body] = await responseTo(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  connection = {
    baseUrl: `http://127.0.0.1:${await serve(server)}`,
    ...KEY,
    organizationId: ORGANIZATION,
  } as never;
});

/** The failures of a creation and of an adoption's update, whose bodies contain secrets. */
async function failures(credentials = CREDENTIALS, key: Record<string, string> = {}) {
  const environment = { CLOUDDB_MAX_RETRIES: "0", ...key };
  const pipeArgs = { serviceId: SERVICE, pipeId: PIPE, source: { kafka: { credentials } } };
  return [
    await failedCreation(createHandlers("Service", connection, environment), CREATED),
    await failedCreation(createHandlers("Pipe", connection, environment), pipeArgs),
  ];
}

const valuesIn = (body: string): string[] => {
  const texts: string[] = [];
  JSON.parse(body, (_, value) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts;
};

/** The parts of a request; facts/redactor.test.ts has the spellings of each. */
const parts: Record<string, (sent: Sent) => string> = {
  "the body": ({ body }) => body,
  "the values of the body": ({ body }) => valuesIn(body).join(" and "),
  "the header": ({ authorization }) => `Authorization: ${authorization}`,
  "the decoded header": ({ authorization }) =>
    Buffer.from(authorization.slice(6), "base64").toString(),
  "one line of a key": ({ body }) => /hkiG9\w+/.exec(body)?.[0] ?? "",
};

test.each(Object.entries(parts))(
  "messages show no secret if a server echoes %s",
  async (_, part) => {
    const echoes: string[] = [];
    respond = (sent) => {
      echoes.push(part(sent));
      return { status: 400, error: `BAD_REQUEST: you sent ${part(sent)}.` };
    };
    const [created, changed] = await failures();
    expect(echoes.join()).toMatch(TRACES);
    for (const failure of [created, changed]) {
      expect(failure?.message).not.toMatch(TRACES);
      expect(failure?.message).toContain(`BAD_REQUEST: you sent `);
      expect(failure?.message).toContain(`request id ${REQUEST}`);
    }
    expect(`${created?.message}${changed?.message}`).toContain("[secret]");
  },
);

test("a truncated text does not end with a part of a secret", async () => {
  // The lengths at which messages and responses are truncated.
  for (const length of [398, 4000]) {
    for (let before = length - 20; before < length; before += 3) {
      respond = ({ body }) => ({
        status: 400,
        error: `${"x".repeat(200)}${" ".repeat(before - 200)}${valuesIn(body).at(-1)}`,
      });
      for (const failure of await failures()) expect(failure.message).not.toMatch(TRACES);
    }
  }
});

test("short secrets are redacted from the server's text, but not from ids, paths and argument names", async () => {
  respond = () => ({ status: 400, error: "BAD_REQUEST: user 9c1 (credentials) may not" });
  const [, failure] = await failures(
    { username: "9c1", password: "credentials" },
    { CLOUDDB_KEY_SECRET: "services" },
  );
  expect(failure?.message).toBe(
    `Adopting pipe ${PIPE}: the API returned 400, BAD_REQUEST: user [secret] ([secret]) may not (PATCH /v1/organizations/${ORGANIZATION}/services/${SERVICE}/pipes/${PIPE}, request id ${REQUEST}). Not done: source.kafka.credentials. Fix the problem named in the API's response. [CDB3400]`,
  );
});

test.each([
  ["alone", "hush-hush-9"],
  ["in a path like ours", "/v1/hush-hush-9/pipes"],
  ["in a name like ours", "x.hush-hush-9"],
  ["truncated, among terminal control characters", "\u001b[2Jhush-hus\n"],
])("a secret that is returned as an id, %s, is redacted", async (_, id) => {
  foundId = id;
  const [, failure] = await failures({ username: "user", password: "hush-hush-9" });
  foundId = PIPE;
  expect(failure?.message).toMatch(/^Adopting pipe .* \(GET /);
  expect(failure?.message).toContain("with a different object than requested (GET /");
  expect(failure?.message).not.toContain("hush");
});
