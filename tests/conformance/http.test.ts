import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { startSimulator } from "../../simulator/index";
import document from "../../simulator/openapi.json";
import { ensurePythonCommand } from "../../tools/setup/registry-command";
import versions from "../../versions.json";
import { EXAMPLE, exampleSeed } from "../support/example";
import { conclude } from "./support/conclude";
import { runPython, testWithPython } from "./support/python";

/** An exchange as the judge reads it. */
interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [string, string])[];
  /** In base64. */
  readonly body: string;
}

/** Notes that are no mistakes, with the reason. */
const DELIBERATE: Readonly<Record<string, string>> = {
  FIELD_DEPRECATED:
    "Node's server sends Keep-Alive by itself, and clients use it to close a connection before the server does.",
  STATUS_BAD_REQUEST: "It says that the status is 400: the request was wrong, as the test wants it.",
};

type Note = readonly [level: string, rule: string, sentence: string];

function exchange(method: string, url: string, headers: Record<string, string> = {}, body = ""): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const { httpVersion: version, statusCode: status = 0, statusMessage: reason = "", rawHeaders } = response;
      const names = rawHeaders.filter((_, index) => index % 2 === 0);
      const pairs = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ""] as const);
      const content = (await buffer(response)).toString("base64");
      resolve({ method, url, version, status, reason, headers: pairs, body: content });
    });
    sent.on("error", reject).end(body);
  });
}

/** Each operation with and without a key and with a body that is none, and other paths, methods and states. */
async function exchanges(): Promise<Exchange[]> {
  const simulator = await startSimulator({ seed: exampleSeed });
  try {
    const key = {
      authorization: `Basic ${Buffer.from(`${simulator.keyId}:${simulator.keySecret}`).toString("base64")}`,
    };
    const token = { authorization: `Bearer ${simulator.accessToken}` };
    const json = { "content-type": "application/json" };
    const ids: Record<string, string> = {
      organizationId: simulator.organizationId,
      serviceId: EXAMPLE.service,
      pipeId: EXAMPLE.pipes.kafka,
      id: "alert-errors",
    };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "parameters")
        .map((method) => ({
          method: method.toUpperCase(),
          url: simulator.baseUrl + path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ""),
        })),
    );
    const all: Exchange[] = [];
    for (const { method, url } of operations) {
      const credentials = url.includes("/api/v2/") ? token : key;
      const body = method === "GET" ? "" : "{}";
      const type = method === "GET" ? {} : json;
      all.push(await exchange(method, url, { ...credentials, ...type }, body));
      all.push(await exchange(method, url, type, body));
      all.push(await exchange(method, `${url}x`, { ...credentials, ...type }, body));
      all.push(await exchange("DELETE", url, credentials));
      all.push(await exchange("OPTIONS", url, credentials));
      all.push(await exchange("HEAD", url, credentials));
      if (method !== "GET") all.push(await exchange(method, url, { ...credentials, ...json }, "{"));
      if (method !== "GET")
        all.push(await exchange(method, url, { ...credentials, "content-type": "text/plain" }, "x"));
    }
    for (const path of [
      "/",
      "/page.mjs",
      "/page.css",
      "/favicon.ico",
      "/openapi.json",
      "/nothing",
      "/__admin/state",
      "/__admin/requests",
      "/__admin/nothing",
    ]) {
      all.push(await exchange("GET", simulator.baseUrl + path), await exchange("HEAD", simulator.baseUrl + path));
    }
    const faults = [429, 500, 502, 503].map((status) => ({ effect: { kind: "status", status }, times: 1 }));
    await exchange("PUT", `${simulator.baseUrl}/__admin/faults`, json, JSON.stringify({ faults }));
    const [first] = operations;
    for (const _ of faults) all.push(await exchange(first?.method ?? "", first?.url ?? "", { ...key, ...json }, "{}"));
    return all;
  } finally {
    await simulator.close();
  }
}

testWithPython("the simulator's responses follow the rules of HTTP", async () => {
  const python = await ensurePythonCommand("httplint", "python");
  const judge = (all: readonly Exchange[]) => runPython("http_notes.py", all, [], python) as Note[][];
  // The judge finds what is wrong.
  const [control] = judge([
    {
      method: "GET",
      url: "http://127.0.0.1/",
      version: "1.1",
      status: 405,
      reason: "",
      headers: [["Content-Length", "x"]],
      body: "",
    },
  ]);
  expect(control?.map(([level]) => level)).toContain("bad");

  const all = await exchanges();
  const failures = judge(all).flatMap((notes, index) => {
    const { method, url, status } = all[index] as Exchange;
    const wrong = notes.filter(([level, rule]) => /bad|warning/.test(level) && !(rule in DELIBERATE));
    return wrong.map(
      ([level, rule, sentence]) => `${method} ${new URL(url).pathname} ${status}: ${level} ${rule}: ${sentence}`,
    );
  });
  conclude(
    { source: "httplint on PyPI, the rules of REDbot", version: versions.pythonTools.httplint },
    all.length,
    failures,
  );
});
