import { connect } from "node:net";
import fc from "fast-check";
import type { ReadyLine } from "../../../simulator/index";
import document from "../../../simulator/openapi.json";
import { EXAMPLE } from "../../support/example";
import { edit, edited, texts } from "./fuzz";

/** Ends what hangs. */
const PATIENCE_MS = 120_000;

const { service, pipes } = EXAMPLE;
const ORGANIZATION = "ORGANIZATION";
const PATHS = [
  ...Object.keys(document.paths).map((path) =>
    path
      .replace("{organizationId}", ORGANIZATION)
      .replace("{serviceId}", service)
      .replace("{pipeId}", pipes.kafka)
      .replace("{id}", "a"),
  ),
  ...["health", "state", "reset", "seed", "requests", "recording", "rate-limit", "clock"].map(
    (name) => `/__admin/${name}`,
  ),
  "/",
];
const BODIES = [
  { name: "a", ipAccessList: { add: [{ source: "203.0.113.0/24", description: "b" }], remove: [] }, numReplicas: 3 },
  {
    name: "a",
    provider: "aws",
    region: "eu-central-1",
    ipAccessList: [{ source: "203.0.113.0/24" }],
    tier: "production",
  },
  { advanceSeconds: 5 },
  { requests: 10, seconds: 10 },
];

const HEADERS = [
  "content-type: application/json",
  "content-type: application/json; charset=latin1",
  "content-type: text/plain",
  "content-type: multipart/form-data; boundary=x",
  "transfer-encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "content-length: 5",
  "content-length: -1",
  "content-length: 99999999999999999999",
  "expect: 100-continue",
  "upgrade: websocket\r\nconnection: upgrade",
  "content-encoding: gzip",
  "authorization: Basic",
  "authorization: Bearer x",
  "origin: null",
  "sec-fetch-site: cross-site",
  "if-modified-since: x",
  "range: bytes=0-",
  `x: ${"y".repeat(20_000)}`,
];

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
  fc.tuple(fc.constantFrom(...PATHS), texts, fc.nat()).map(([path, text, at]) => {
    const place = at % (path.length + 1);
    return path.slice(0, place) + text + path.slice(place);
  }),
  fc.tuple(fc.constantFrom(...PATHS), fc.webQueryParameters()).map(([path, query]) => `${path}?${query}`),
  fc.constantFrom("*", "//", "/%", "/%00", "/..", "http://127.0.0.1/", "/v1/%2e%2e/", `/${"x".repeat(5000)}`),
);
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...BODIES), fc.array(edit, { maxLength: 3 }))
      .map(([value, edits]) => JSON.stringify(edits.reduce<unknown>(edited, value))),
  },
  fc.json(),
  texts,
  fc.constantFrom("", '{"a":'.repeat(1000), "[".repeat(100_000), `{"name":"${"x".repeat(1_200_000)}"}`),
);

/** Requests as text, well-formed ones and others. */
const request = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("GET", "POST", "PATCH", "PUT", "DELETE") },
    fc.constantFrom("HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "X", "QUERY", "PRI"),
    texts,
  ),
  path,
  version: fc.oneof(
    { weight: 12, arbitrary: fc.constant("HTTP/1.1") },
    fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/9", ""),
  ),
  headers: fc.oneof(
    { weight: 5, arbitrary: fc.constant(["content-type: application/json"]) },
    fc.array(fc.oneof(fc.constantFrom(...HEADERS), texts), { maxLength: 4 }),
  ),
  isAuthorized: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  hasLength: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  body,
  /** Sends only that much of it. */
  cutAt: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.nat(500)),
});
export const conversations = fc.array(request, { minLength: 1, maxLength: 4 });

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function bytesOf(
  { method, path, version, headers, isAuthorized, hasLength, body, cutAt }: Request,
  ready: ReadyLine,
): Buffer {
  const [key, token] = [`Basic ${btoa(`${ready.keyId}:${ready.keySecret}`)}`, `Bearer ${ready.accessToken}`];
  const lines = [
    `${method} ${path.replace(ORGANIZATION, ready.organizationId)} ${version}`,
    "host: 127.0.0.1",
    "connection: close",
    ...(isAuthorized ? [`authorization: ${path.startsWith("/api") ? token : key}`] : []),
    ...(hasLength ? [`content-length: ${Buffer.byteLength(body)}`] : []),
    ...headers,
  ];
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return bytes.subarray(0, cutAt ?? bytes.length);
}

/** All that the server answers until it closes the connection. */
function answerTo(bytes: Buffer, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    // The server may close before it has read everything.
    socket.on("error", () => {}).on("close", () => resolve(answer));
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new Error("no answer"));
    });
    socket.end(bytes);
  });
}

const parseable = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What is wrong with the answers to some requests to a simulator that is reset before. */
export async function conversationProblem(ready: ReadyLine, requests: readonly Request[]): Promise<string | undefined> {
  const { port } = new URL(ready.baseUrl);
  const admin = (method: string, name: string) => fetch(`${ready.baseUrl}/__admin/${name}`, { method });
  for (const [method, name] of [
    ["POST", "reset"],
    ["DELETE", "requests"],
    ["DELETE", "rate-limit"],
  ] as const)
    await (await admin(method, name)).text();
  for (const item of requests) {
    const answer = await answerTo(bytesOf(item, ready), Number(port));
    const [head = "", ...rest] = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "").split("\r\n\r\n");
    // A body without a length begins another request.
    const [, length = "0"] = /^content-length: (\d+)/im.exec(head) ?? [];
    const text = Buffer.from(rest.join("\r\n\r\n")).subarray(0, Number(length)).toString();
    const [, status = "0"] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
    if (answer !== "" && status === "0") return `this is no response: ${answer.slice(0, 500)}`;
    if (Number(status) >= 500) return answer.slice(0, 1000);
    if (Number(status) >= 400 && item.method !== "HEAD" && parseable(text) === undefined)
      return `this is no JSON: ${answer.slice(0, 1000)}`;
    if (/\n\s+at |Cannot read propert|is not a function|\[object /.test(text)) return answer.slice(0, 1000);
  }
  const health = await admin("GET", "health");
  return health.status === 200 ? undefined : `afterwards, it answers with ${health.status}`;
}
