import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Resource } from "../../provider/core/resource";
import { pipe } from "../../provider/resources/pipe/pipe";
import { service } from "../../provider/resources/service/service";
import { EXAMPLE } from "../support/example";
import { serve } from "../support/local-server";
import { refresh, type Stored, up } from "../support/stack-model";
import { temporaryFolder } from "../support/temporary-folder";
import { useSeededSimulator } from "./seeded";
import { createHandlers, type Properties } from "./support";

/* Secrets that environment variables hold: only requests carry them. */

const seeded = useSeededSimulator();
const [FIRST, SECOND] = ['päss"word\nof ☂ one', "s3cret of two"];
const AT = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };
const credentials = (members: Properties) => ({
  ...AT,
  source: { kafka: { credentials: { username: "u", ...members } } },
});
const referring = credentials({ passwordFromEnvironment: "KAFKA" });
const literal = (password: string) => credentials({ password });

/** The writes that have reached the simulator, as method and body. */
const writes: [method: string, body: string][] = [];
/** Failures instead of responses to the next writes. */
let lost = 0;
let baseUrl = "";

beforeAll(async () => {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      const { method = "", url = "", headers } = request;
      const isWrite = method !== "GET";
      if (isWrite) writes.push([method, body]);
      const { authorization = "" } = headers;
      const forwarded = { authorization, "content-type": "application/json" };
      const answer = await fetch(seeded.simulator.baseUrl + url, {
        method,
        headers: forwarded,
        ...(isWrite && { body }),
      });
      const text = await answer.text();
      if (isWrite && lost-- > 0) return request.socket.destroy();
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    });
  });
  baseUrl = `http://127.0.0.1:${await serve(server)}`;
});
beforeEach(() => {
  writes.length = 0;
  lost = 0;
});

/** One command of a machine with these variables; throws nothing. */
function machine(environment: Record<string, string> = {}, type: Resource = pipe) {
  const handlers = createHandlers(type, { ...seeded.simulator, baseUrl }, { CLOUDDB_MAX_RETRIES: "0", ...environment });
  return {
    messages: handlers.messages,
    up: (stored: Stored | undefined, args: Properties) => up(handlers, stored, args),
    refresh: (stored: Stored) => refresh(handlers, stored),
    check: (args: Properties) => handlers.check({}, args),
  };
}

const passwordsSent = () =>
  writes.splice(0).map(([, body]) => JSON.parse(body).source?.kafka?.credentials?.password as unknown);
const fingerprintIn = ({ inputs }: Stored) => JSON.stringify(inputs.secretFingerprints);

/** The stored object after an `up` that succeeds. */
async function stored(
  variables: Record<string, string>,
  before: Stored | undefined,
  args: Properties,
): Promise<Stored> {
  const { stored: after, error } = await machine(variables).up(before, args);
  expect(error).toBeUndefined();
  return after as Stored;
}

test("a referenced secret is sent, and neither inputs nor state hold it", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  expect(passwordsSent()).toEqual([FIRST]);
  const texts = JSON.stringify(created);
  expect(texts).not.toContain("päss");
  expect(texts).toContain('"passwordFromEnvironment":"KAFKA"');
  for (const properties of [created.inputs, created.outputs]) {
    expect(JSON.stringify(properties.secretFingerprints)).toContain("$scrypt$ln=14,r=8,p=1$");
  }
});

test("an unchanged value sends nothing, whatever the variable and the machine", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  passwordsSent();
  const same = await machine({ KAFKA: FIRST }).up(created, referring);
  expect(same.action).toBe("same");
  const renamed = credentials({ passwordFromEnvironment: "OTHER" });
  await stored({ OTHER: FIRST }, created, renamed);
  expect(passwordsSent()).toEqual([]);
});

test("a rotated value is found and sent once, and the preview says which machine's value it is", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  passwordsSent();
  const rotating = machine({ KAFKA: SECOND });
  const { stored: rotated } = await rotating.up(created, referring);
  expect(passwordsSent()).toEqual([SECOND]);
  expect(rotating.messages.join()).toMatch(
    /sends the value that KAFKA has on this machine as source\.kafka\.credentials/,
  );
  expect((await machine({ KAFKA: SECOND }).up(rotated, referring)).action).toBe("same");
  expect(fingerprintIn(rotated as Stored)).not.toBe(fingerprintIn(created));
});

test("a preview without the value says so once and changes nothing", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  passwordsSent();
  // As on the pull request of a fork.
  const fork = machine({ KAFKA: "" });
  expect((await fork.up(created, referring)).action).toBe("same");
  expect((await fork.up(created, referring)).action).toBe("same");
  expect(fork.messages.filter((line) => line.includes("CDB2012"))).toEqual([
    expect.stringContaining("KAFKA has no value here: neither KAFKA nor KAFKA_FILE is set."),
  ]);
  expect(passwordsSent()).toEqual([]);
});

test("an update that has to send a missing value fails before its first request", async () => {
  const created = await stored({}, undefined, { ...literal(FIRST), name: "orders" });
  passwordsSent();
  await seeded.api.requests();
  const { error } = await machine().up(created, { ...referring, name: "other" });
  expect(error?.message).toMatch(
    /^Updating pipe .*: a secret has to be sent, but neither KAFKA nor KAFKA_FILE is set\. Nothing was sent\..*\[CDB2011\]$/,
  );
  expect(await seeded.api.requests()).toEqual([]);
  const adopting = await machine().up(undefined, referring);
  expect(adopting.error?.message).toContain("CDB2011");
  expect(await seeded.api.requests()).toEqual([]);
});

test("a literal becomes a reference, and a reference a literal, with one update each", async () => {
  const created = await stored({}, undefined, literal(FIRST));
  const moved = await stored({ KAFKA: FIRST }, created, referring);
  expect(JSON.stringify(moved)).not.toContain("päss");
  const back = await stored({}, moved, literal(FIRST));
  expect(passwordsSent()).toEqual([FIRST, FIRST, FIRST]);
  expect(back.inputs.secretFingerprints).toBeUndefined();
  expect(back.outputs.secretFingerprints).toBeUndefined();
});

test.each([
  ["a line break", `${FIRST}\n`],
  ["CR LF", `${FIRST}\r\n`],
  ["nothing", FIRST],
])("a file that ends with %s holds the value", async (_, text) => {
  const file = join(temporaryFolder("secrets"), "kafka");
  writeFileSync(file, text);
  await stored({ KAFKA_FILE: file }, undefined, referring);
  expect(passwordsSent()).toEqual([FIRST]);
});

test("a file that cannot be used is named with its variable", async () => {
  const folder = temporaryFolder("secrets");
  const problemOf = async (file: string) =>
    (await machine({ KAFKA_FILE: file }).up(undefined, referring)).error?.message;
  const [missing, binary] = [join(folder, "missing"), join(folder, "binary")];
  writeFileSync(binary, Buffer.from([0xff, 0xfe]));
  expect(await problemOf(missing)).toContain(`the file "${missing}" that KAFKA_FILE names cannot be read (ENOENT)`);
  expect(await problemOf(binary)).toContain(`the file "${binary}" that KAFKA_FILE names is not UTF-8`);
  expect(writes).toEqual([]);
});

test("fingerprints that ignoreChanges puts back stay, and another change sends the current value", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  passwordsSent();
  const { secretFingerprints } = created.inputs;
  const ignoring = await machine({ KAFKA: SECOND }).up(created, { ...referring, secretFingerprints });
  expect(ignoring.action).toBe("same");
  const user = credentials({ username: "v", passwordFromEnvironment: "KAFKA" });
  await stored({ KAFKA: SECOND }, created, { ...user, secretFingerprints });
  expect(passwordsSent()).toEqual([SECOND]);
});

test("fingerprints of a program are refused", async () => {
  const { failures } = await machine({ KAFKA: FIRST }).check({ ...referring, secretFingerprints: { a: "b" } });
  expect(failures).toEqual([
    expect.objectContaining({ reason: expect.stringContaining("unknown argument secretFingerprints") }),
  ]);
});

test("a version replaces the fingerprint, and only its change sends the value", async () => {
  const versioned = (secretsVersion: string) => ({ ...referring, secretsVersion });
  const created = await stored({ KAFKA: FIRST }, undefined, versioned("1"));
  expect(JSON.stringify(created)).not.toContain("scrypt");
  expect((await machine({ KAFKA: SECOND }).up(created, versioned("1"))).action).toBe("same");
  await stored({ KAFKA: SECOND }, created, versioned("2"));
  expect(passwordsSent()).toEqual([FIRST, SECOND]);
  const { failures } = await machine().check({ ...AT, secretsVersion: "1" });
  expect(failures.map(({ reason }) => reason).join()).toContain("secretsVersion requires a secret by reference");
});

test("a new version sends the same value without a word about another one, and an unknown version needs no settings", async () => {
  const versioned = (secretsVersion: string) => ({ ...referring, secretsVersion });
  const created = await stored({ KAFKA: FIRST }, undefined, versioned("1"));
  const raising = machine({ KAFKA: FIRST });
  await raising.up(created, versioned("2"));
  expect(passwordsSent()).toEqual([FIRST, FIRST]);
  expect(raising.messages.join()).not.toContain("CDB5017");
  const unset = machine({});
  await unset.up(created, versioned("2"));
  expect(unset.messages.join()).toContain("CDB2012");
});

test("a value is not shown by a message about another argument that holds it", async () => {
  const args = { ...referring, name: "" };
  const { failures } = await machine({ KAFKA: "hunter2hunter2" }).check({
    ...args,
    settings: { engineMaxThreads: "hunter2hunter2" },
  });
  expect(failures.length).toBeGreaterThan(0);
  expect(JSON.stringify(failures)).not.toContain("hunter2hunter2");
});

test("one of several fingerprints can be ignored", async () => {
  const { inputs } = await stored({ KAFKA: FIRST }, undefined, referring);
  const { failures } = await createHandlers(pipe, { ...seeded.simulator, baseUrl }, { KAFKA: FIRST }).check(
    { ...inputs, secretFingerprints: { ...(inputs.secretFingerprints as object), "source.other": "x" } },
    { ...referring, secretFingerprints: inputs.secretFingerprints },
  );
  expect(failures).toEqual([]);
});

test("a secret instead of a name is refused and not shown", async () => {
  const { failures, inputs } = await machine().check(credentials({ passwordFromEnvironment: "hunter2-hunter2" }));
  expect(failures.map(({ reason }) => reason).join()).toContain("must be the name of an environment variable");
  expect(JSON.stringify([failures, inputs])).not.toContain("hunter2");
});

test("a secret and its reference are refused together", async () => {
  const both = credentials({ password: FIRST, passwordFromEnvironment: "KAFKA" });
  const neither = credentials({});
  for (const args of [both, neither]) {
    const { failures } = await machine({ KAFKA: FIRST }).check(args);
    expect(failures.map(({ reason }) => reason).join()).toContain(
      "must have either password or passwordFromEnvironment",
    );
  }
});

test("a value of an unanswered update is sent again, until a response confirms it", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  passwordsSent();
  lost = 1;
  const failed = await machine({ KAFKA: SECOND }).up(created, referring);
  expect(failed.error?.message).toContain("Not confirmed: source.kafka.credentials");
  const repaired = await stored({ KAFKA: FIRST }, failed.stored, referring);
  expect(passwordsSent()).toEqual([SECOND, FIRST]);
  expect((await machine({ KAFKA: FIRST }).up(repaired, referring)).action).toBe("same");
});

test("a refresh needs no variable, and keeps the fingerprint", async () => {
  const created = await stored({ KAFKA: FIRST }, undefined, referring);
  const { stored: refreshed, error } = await machine().refresh(created);
  expect(error).toBeUndefined();
  expect((await machine({ KAFKA: FIRST }).up(refreshed, referring)).action).toBe("same");
  passwordsSent();
  await stored({ KAFKA: SECOND }, refreshed, referring);
  expect(passwordsSent()).toEqual([SECOND]);
});

describe("an encryption key by reference", () => {
  const args = { name: "db", provider: "aws", region: "us-east-1", encryptionKeyFromEnvironment: "KEK" };

  test("is sent by the creation, and no other value replaces the service", async () => {
    const { stored: created } = await machine({ KEK: FIRST }, service).up(undefined, args);
    expect(JSON.parse(writes[0]?.[1] ?? "{}")).toMatchObject({ encryptionKey: FIRST });
    expect(JSON.stringify(created)).not.toContain("päss");
    writes.length = 0;
    const { encryptionKeyFromEnvironment: _, ...plain } = args;
    for (const [value, other] of [
      [SECOND, args],
      ["", args],
      [FIRST, { ...plain, encryptionKeyFromEnvironment: "OTHER" }],
      [FIRST, { ...plain, encryptionKey: "literal" }],
    ] as const) {
      const { action, error } = await machine({ KEK: value }, service).up(created, other);
      expect([action, error]).toEqual([expect.stringMatching(/same|update/), undefined]);
    }
    expect(writes).toEqual([]);
  });

  test("fails the creation before its request where it is missing", async () => {
    const creating = machine({}, service);
    const { error } = await creating.up(undefined, args);
    expect(error?.message).toMatch(/^Creating service "db" .*neither KEK nor KEK_FILE is set/);
    expect(writes).toEqual([]);
  });
});
