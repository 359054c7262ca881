import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { valueAt } from "../../provider/fields";
import { type Server, startServer } from "../faults/model/server";
import { EXAMPLE, exampleSeed } from "../support/example";
import { temporaryFolder } from "../support/temporary-folder";
import {
  checkInputs,
  create,
  createHandlers,
  failedCreation,
  type Handlers,
  loseResponse,
  type Properties,
  type ResourceType,
  type StackResource,
} from "./support";

/** Secrets that environment variables hold: only requests carry them. */

const [FIRST, SECOND] = ['päss"word\nof ☂ one', "s3cret of two"];
const AT = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };
const credentials = (members: Properties) => ({
  ...AT,
  source: { kafka: { credentials: { username: "u", ...members } } },
});
const referring = credentials({ passwordFromEnvironment: "KAFKA" });
const versioned = (secretsVersion: string) => ({ ...referring, secretsVersion });
const literal = (password: string) => credentials({ password });

let server: Server;
beforeAll(async () => {
  server = await startServer(exampleSeed);
});
beforeEach(async () => {
  await server.reset();
  server.received();
});
afterAll(() => server.close());

/** The bodies of the writes since the last call, which the simulator's journal would redact. */
const writes = () =>
  server.received().flatMap(({ method, body }) => (method === "GET" ? [] : [body as Properties]));

/** One command of a machine with these variables. */
function machine(
  environment: Record<string, string> = {},
  type: ResourceType = "Pipe",
  envVarMappings?: Record<string, string>,
) {
  const variables = { CLOUDDB_MAX_RETRIES: "0", ...environment };
  const mappings = envVarMappings && { envVarMappings: JSON.stringify(envVarMappings) };
  return createHandlers(type, server, variables, { configuration: mappings });
}

async function checkOn(handlers: Handlers, args: Properties) {
  const { inputs, failures } = await handlers.check({}, args);
  return { inputs, reasons: failures.map(({ reason }) => reason).join() };
}

const passwordsSent = () =>
  writes().map((body) => valueAt(body, ["source", "kafka", "credentials", "password"]));

/** A pipe whose password is the first one. */
async function createPipe(args: Properties = referring): Promise<StackResource> {
  const created = await create(machine({ KAFKA: FIRST }), args);
  expect(passwordsSent()).toEqual([FIRST]);
  return created;
}

const textOfState = ({ inputs, outs }: StackResource) => JSON.stringify([inputs, outs]);

/** Expects that a machine with these variables has nothing to do. */
async function expectSame(
  variables: Record<string, string>,
  stored: StackResource,
  args: Properties = referring,
) {
  expect(await stored.in(machine(variables)).diff(args)).toMatchObject({ changes: false });
}

test("a referenced secret is sent, but stored in neither inputs nor state", async () => {
  const created = await createPipe();
  const texts = textOfState(created);
  expect(texts).not.toContain("päss");
  expect(texts).toContain('"passwordFromEnvironment":"KAFKA"');
  for (const properties of [created.inputs, created.outs]) {
    expect(JSON.stringify(properties.secretFingerprints)).toContain("$scrypt$ln=14,r=8,p=1$");
  }
});

test("an unchanged value sends nothing if its variable or machine changes", async () => {
  const created = await createPipe();
  await expectSame({ KAFKA: FIRST }, created);
  await created.in(machine({ OTHER: FIRST })).up(credentials({ passwordFromEnvironment: "OTHER" }));
  expect(passwordsSent()).toEqual([]);
});

test("a rotated value is sent once, and the preview names the machine of the value", async () => {
  const created = await createPipe();
  const rotating = machine({ KAFKA: SECOND });
  const rotated = await created.in(rotating).up(referring);
  expect(passwordsSent()).toEqual([SECOND]);
  expect(rotating.messages.join()).toMatch(
    /sends the value that KAFKA has on this machine as source\.kafka\.credentials/,
  );
  await expectSame({ KAFKA: SECOND }, rotated);
  expect(rotated.inputs.secretFingerprints).not.toEqual(created.inputs.secretFingerprints);
});

test("a preview without the variable reports it once and changes nothing", async () => {
  // As on the pull request of a fork.
  const fork = machine({ KAFKA: "" });
  const created = (await createPipe()).in(fork);
  for (const _ of ["one preview", "another"]) {
    expect(await created.diff(referring)).toMatchObject({ changes: false });
  }
  expect(fork.messages.filter((line) => line.includes("CDB2012"))).toEqual([
    expect.stringContaining("KAFKA has no value here: neither KAFKA nor KAFKA_FILE is set."),
  ]);
  expect(passwordsSent()).toEqual([]);
});

test("an update without a required variable fails before its first request", async () => {
  const created = await createPipe({ ...literal(FIRST), name: "orders" });
  server.received();
  const { message } = await created.in(machine()).failedUpdate({ ...referring, name: "other" });
  expect(message).toMatch(
    /^Updating pipe .*: a secret has to be sent, but neither KAFKA nor KAFKA_FILE is set\. Nothing was sent\..*\[CDB2011\]$/,
  );
  expect((await failedCreation(machine(), referring)).message).toContain("CDB2011");
  expect(server.received()).toEqual([]);
});

test("a change between literal and reference is one update in each direction", async () => {
  const created = await createPipe(literal(FIRST));
  const moved = await created.in(machine({ KAFKA: FIRST })).up(referring);
  expect(textOfState(moved)).not.toContain("päss");
  const back = await moved.in(machine()).up(literal(FIRST));
  expect(passwordsSent()).toEqual([FIRST, FIRST]);
  expect([back.inputs.secretFingerprints, back.outs.secretFingerprints]).toEqual([
    undefined,
    undefined,
  ]);
});

test.each([
  ["a line break", `${FIRST}\n`],
  ["CR LF", `${FIRST}\r\n`],
  ["nothing", FIRST],
])("a secret is read from a file that ends with %s", async (_, text) => {
  const file = join(temporaryFolder("secrets"), "kafka");
  writeFileSync(file, text);
  await create(machine({ KAFKA_FILE: file }), referring);
  expect(passwordsSent()).toEqual([FIRST]);
});

test("an unusable file is named with its variable", async () => {
  const folder = temporaryFolder("secrets");
  const [missing, empty, binary] = ["missing", "empty", "binary"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(empty, "\n");
  writeFileSync(binary, Buffer.from([0xff, 0xfe]));
  const problemOf = async (file: string) =>
    (await failedCreation(machine({ KAFKA_FILE: file }), referring)).message;
  expect(await problemOf(missing)).toContain(
    `the file "${missing}" that KAFKA_FILE names cannot be read (ENOENT)`,
  );
  expect(await problemOf(empty)).toContain(`the file "${empty}" that KAFKA_FILE names is empty`);
  expect(await problemOf(binary)).toContain(
    `the file "${binary}" that KAFKA_FILE names is not UTF-8`,
  );
  expect(writes()).toEqual([]);
});

describe("with envVarMappings of the provider", () => {
  const mapping = { EU_KAFKA: "KAFKA" };
  /** The first account's secret, in both places of its name. */
  const folder = () => temporaryFolder("secrets");
  function secretFile(text: string): string {
    const file = join(folder(), "secret");
    writeFileSync(file, text);
    return file;
  }
  const others = () => ({ KAFKA: FIRST, KAFKA_FILE: secretFile(FIRST) });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["a mapped variable", mapping, { EU_KAFKA: SECOND }],
    ["the file of a mapped variable", { EU_FILE: "KAFKA_FILE" }, {}],
    ["both", { ...mapping, EU_FILE: "KAFKA_FILE" }, {}],
  ])(
    "the secret comes from %s, whatever the unmapped variables hold",
    async (_, mappings, variables) => {
      const environment = { ...others(), EU_FILE: secretFile(SECOND), ...variables };
      await create(machine(environment, "Pipe", mappings), referring);
      expect(passwordsSent()).toEqual([SECOND]);
    },
  );

  test.each<[string, Record<string, string>]>([
    ["EU_KAFKA is not set", mapping],
    ["EU_FILE is not set", { EU_FILE: "KAFKA_FILE" }],
    ["neither EU_KAFKA nor EU_FILE is set", { ...mapping, EU_FILE: "KAFKA_FILE" }],
  ])("nothing is sent and no unmapped variable is read: %s", async (problem, mappings) => {
    const account = machine(others(), "Pipe", mappings);
    const { message } = await failedCreation(account, referring);
    expect(message).toContain(
      `a secret has to be sent, but ${problem}, from which envVarMappings of the provider takes KAFKA. Nothing was sent.`,
    );
    expect(account.messages.join()).toContain(`KAFKA has no value here: ${problem}, from`);
    expect(writes()).toEqual([]);
  });

  test("a rotated secret is found in the mapped variable, which the preview names", async () => {
    const account = (value: string) => machine({ ...others(), EU_KAFKA: value }, "Pipe", mapping);
    const created = await create(account(FIRST), referring);
    const rotating = account(SECOND);
    await created.in(rotating).up(referring);
    expect(passwordsSent()).toEqual([FIRST, SECOND]);
    expect(rotating.messages.join()).toContain("sends the value that EU_KAFKA has on this machine");
  });
});

test("fingerprints restored by ignoreChanges stay, and another change sends the current value", async () => {
  const created = await createPipe();
  const { secretFingerprints } = created.inputs;
  await expectSame({ KAFKA: SECOND }, created, { ...referring, secretFingerprints });
  const user = credentials({ username: "v", passwordFromEnvironment: "KAFKA" });
  await created.in(machine({ KAFKA: SECOND })).up({ ...user, secretFingerprints });
  expect(passwordsSent()).toEqual([SECOND]);
  // One of several fingerprints can be ignored.
  const several = { ...(secretFingerprints as object), "source.other": "x" };
  const olds = { ...created.inputs, secretFingerprints: several };
  await checkInputs(machine({ KAFKA: FIRST }), { ...referring, secretFingerprints }, olds);
});

test("with a version, only a changed version sends the value", async () => {
  const created = await createPipe(versioned("1"));
  expect(textOfState(created)).not.toContain("scrypt");
  await expectSame({ KAFKA: SECOND }, created, versioned("1"));
  await created.in(machine({ KAFKA: SECOND })).up(versioned("2"));
  expect(passwordsSent()).toEqual([SECOND]);
});

test("a new version resends an unchanged value silently, and reports a missing value", async () => {
  const created = await createPipe(versioned("1"));
  const raising = machine({ KAFKA: FIRST });
  await created.in(raising).up(versioned("2"));
  expect(passwordsSent()).toEqual([FIRST]);
  expect(raising.messages.join()).not.toContain("CDB5017");
  const unset = machine();
  await created.in(unset).diff(versioned("2"));
  expect(unset.messages.join()).toContain("CDB2012");
});

const SECRET = "hunter2-hunter2";
test.each<[string, Properties, string]>([
  [
    "fingerprints of a program",
    { ...referring, secretFingerprints: { a: "b" } },
    "unknown argument secretFingerprints",
  ],
  [
    "a version alone",
    { ...AT, secretsVersion: "1" },
    "secretsVersion requires a secret by reference",
  ],
  [
    "a secret beside its reference",
    credentials({ password: SECRET, passwordFromEnvironment: "KAFKA" }),
    "must have either password or passwordFromEnvironment",
  ],
  [
    "neither a secret nor its reference",
    credentials({}),
    "must have either password or passwordFromEnvironment",
  ],
  [
    "a secret in another argument",
    { ...referring, settings: { engineMaxThreads: SECRET } },
    "engineMaxThreads",
  ],
])("%s is refused without showing a secret", async (_, args, reason) => {
  const { reasons } = await checkOn(machine({ KAFKA: SECRET }), args);
  expect(reasons).toContain(reason);
  expect(reasons).not.toContain(SECRET);
});

test("a secret in place of a variable's name is refused, and neither shown nor stored", async () => {
  const { inputs, reasons } = await checkOn(
    machine(),
    credentials({ passwordFromEnvironment: SECRET }),
  );
  expect(reasons).toContain("must be the name of an environment variable");
  expect(JSON.stringify([inputs, reasons])).not.toContain(SECRET);
});

test("a value of an update without a response is resent until a response confirms it", async () => {
  const created = await createPipe();
  server.faults(loseResponse("PATCH"));
  const { message, stored } = await created.in(machine({ KAFKA: SECOND })).failedUpdate(referring);
  expect(message).toContain("Not confirmed: source.kafka.credentials");
  server.faults();
  const repaired = await stored.in(machine({ KAFKA: FIRST })).update(referring);
  expect(passwordsSent()).toEqual([SECOND, FIRST]);
  await expectSame({ KAFKA: FIRST }, repaired);
});

test("a refresh keeps the fingerprint, even if the secret's variable is missing", async () => {
  const created = await createPipe();
  const refreshed = await created.in(machine()).refresh();
  await expectSame({ KAFKA: FIRST }, refreshed);
  await refreshed.in(machine({ KAFKA: SECOND })).up(referring);
  expect(passwordsSent()).toEqual([SECOND]);
});

describe("an encryption key by reference", () => {
  const args = {
    name: "db",
    provider: "aws",
    region: "us-east-1",
    encryptionKeyFromEnvironment: "KEK",
  };

  test("an encryption key by reference is sent at creation, and a new value replaces no service", async () => {
    const created = await create(machine({ KEK: FIRST }, "Service"), args);
    expect(writes()[0]).toMatchObject({ encryptionKey: FIRST });
    expect(textOfState(created)).not.toContain("päss");
    const { encryptionKeyFromEnvironment: _, ...plain } = args;
    for (const [value, other] of [
      [SECOND, args],
      ["", args],
      [FIRST, { ...plain, encryptionKeyFromEnvironment: "OTHER" }],
      [FIRST, { ...plain, encryptionKey: "literal" }],
    ] as const) {
      const next = created.in(machine({ KEK: value }, "Service"));
      expect(await next.diff(other)).toMatchObject({ replaces: [] });
      await next.up(other);
    }
    expect(writes()).toEqual([]);
  });

  test("a missing encryption key fails the creation before its request", async () => {
    const { message } = await failedCreation(machine({}, "Service"), args);
    expect(message).toMatch(/^Creating service "db" .*neither KEK nor KEK_FILE is set/);
    expect(writes()).toEqual([]);
  });
});
