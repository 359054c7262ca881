import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE, exampleSeed } from "../support/example";
import { textOf } from "../support/temporary-folder";
import {
  ACCESS_TOKEN,
  canariesIn,
  canary,
  END,
  eventsIn,
  invalidArgumentsBesideSecrets,
  JOURNAL,
  KEY_SECRET,
  leakingResponses,
  ONE_TIME_PASSWORD,
  pipeIdOf,
  pipesWithSecrets,
  rejectedLookups,
  rejections,
  reportOn,
  SHOWN_KEY,
  secretSettings,
  serviceSecrets,
} from "./support/canaries";
import {
  expectFailure,
  expectOk,
  newStack,
  type Stack,
  simulated,
  testHome,
} from "./support/stack";

/* A canary for every secret, searched for in every place where a secret could appear. */

const { service: ID, otherService: OTHER_ID } = EXAMPLE;

/** The most that a run may print: less than the list of 2,000 entries in the program. */
const MOST_CHARACTERS = 10_000;

/** A list of 2,000 networks, with the given one among them. */
const accessList = (one: string) => `Array.from({ length: 2000 }, (_, place) => ({
  source: place === 1000 ? ${JSON.stringify(one)} : "10." + (place >> 8) + "." + (place & 255) + ".0/24",
  description: "site " + place,
}))`;

/**
 * Every secret argument, passed in every way that programs can, and functions that return secrets.
 */
function program(round: string, network: string): string {
  return `
    const db = new clouddb.Service("db", {
      ...${JSON.stringify(serviceSecrets("first"))}, region: "us-east-1", ipAccessList: ${accessList(network)},
    });
    const each = (values, change) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
    const ways = [
      (source) => source,
      (source) => pulumi.output(source),
      (source) => each(source, (value) => Promise.resolve(value)),
      (source) => each(source, (value) => each(value, pulumi.secret)),
    ];
    ${JSON.stringify(pipesWithSecrets(round))}.forEach(({ pipeId, source }, index) => {
      new clouddb.Pipe(pipeId, { serviceId: "${ID}", pipeId, source: ways[index % ways.length](source) });
    });
    const stored = clouddb.getPipeOutput({ serviceId: "${ID}", pipeId: "${pipeIdOf("objectStorage")}" });
    const errorOf = (lookup) => lookup.then(() => "nothing", (error) => error.message);
    module.exports = {
      password: db.password,
      found: clouddb.getServiceOutput({ serviceId: "${ID}" }),
      stored,
      connectionString: stored.apply(({ source }) => source.objectStorage.connectionString),
      refused: [
        errorOf(clouddb.getAlert({ id: "alert-errors" })),
        errorOf(clouddb.getService({ serviceId: "${OTHER_ID}" })),
      ],
    };
  `;
}

async function preparedStack() {
  const api = await simulated({
    seed: exampleSeed,
    keySecret: KEY_SECRET,
    accessToken: ACCESS_TOKEN,
  });
  const stack = await newStack(api);
  stack.environment({
    CLOUDDB_KEY_SECRET: undefined,
    CLOUDDB_ACCESS_TOKEN: undefined,
    // Required for the event log flag.
    PULUMI_DEBUG_COMMANDS: "true",
  });
  const settings = secretSettings().flatMap(([name, value]) => [
    "--secret",
    `clouddb:${name}=${value}`,
  ]);
  // Processes that share a limit need one.
  await stack.pulumi(
    "config",
    "set-all",
    ...settings,
    "--plaintext",
    "clouddb:rateLimit=10 per 1 s",
  );
  return { api, stack, events: join(stack.folder, "events.ndjson") };
}

afterAll(() => rmSync(JOURNAL, { recursive: true, force: true }));

/** The files in a stack's folders. */
function filesOf({ folder }: Stack): Record<string, string> {
  return {
    "state, its backups and its history": textOf(join(folder, "state")),
    "the stack's settings": readFileSync(join(folder, "Pulumi.dev.yaml"), "utf8"),
    home: textOf(join(folder, "home")),
    "the creation journal": textOf(JOURNAL),
  };
}

function leaksIn(places: Readonly<Record<string, string>>): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    canariesIn(text).map((match) => `${match} in ${place}`),
  );
}

/** The server's rejection was printed for every resource, with everything that it echoes. */
function expectRejections(output = ""): void {
  for (const { pipeId } of pipesWithSecrets("first"))
    expect(output).toMatch(new RegExp(`pipe ${pipeId}: .*${END}`));
  expect(output).toMatch(new RegExp(`service .*"db".*${END}`));
}

/** The canaries by name. */
const namesIn = (text: string) => canariesIn(text).filter((match) => /^canary-\D/.test(match));

test("no secret appears in plain text anywhere", async () => {
  const { api, stack, events } = await preparedStack();
  const places: Record<string, string> = {};
  const lookups = rejectedLookups(OTHER_ID, api.keyId);

  // The server rejects every change, and echoes what it was sent.
  stack.program(program("first", "203.0.113.7"));
  await api.faults(...lookups, ...rejections("PATCH", "first", "first", api.keyId));
  places["a failed creation"] = await expectFailure(stack.up("--diff", "--continue-on-error"));
  await api.faults(...lookups, ...leakingResponses("first"));
  places.up = await stack.up();

  const policies = `--policy-pack ${join(testHome(), "node_modules/pulumi-clouddb-policies")}`;
  // At a higher level, the engine's own log on standard error contains secrets in plain text.
  const loud = "-v=9 --logtostderr --logflow --non-interactive --color never 2>/dev/null";
  stack.program(program("second", "203.0.113.8"));
  places.preview = await expectOk(
    stack.command("sh", "-c", `pulumi preview --diff ${policies} --event-log ${events} ${loud}`),
  );
  places.events = eventsIn(events);
  places.report = reportOn(events);

  await api.faults(...lookups, ...rejections("PATCH", "second", "first", api.keyId));
  places["a failed update"] = await expectFailure(stack.up("--continue-on-error"));
  await api.faults(...lookups, ...leakingResponses("second"));
  places["an update"] = await stack.up("--diff");
  await api.faults(...leakingResponses("second"));
  places.refresh = await stack.refresh();
  for (const path of ["/__admin/requests", "/__admin/state", "/__admin/faults"]) {
    places[path] = await (await fetch(`${api.baseUrl}${path}`)).text();
  }
  await api.faults(...rejections("GET", "second", "second", api.keyId));
  places["a failed refresh"] = await expectFailure(stack.refresh());
  places.outputs = await stack.pulumi("stack", "output");
  Object.assign(places, filesOf(stack));

  expect(leaksIn(places)).toEqual([]);
  // Each place contains something.
  const words = {
    preview: "[1000]",
    events: "resourcePreEvent",
    report: "db",
    "an update": "[secret] => [secret]",
    "/__admin/requests": "PATCH",
    "/__admin/faults": "saslPassword",
  };
  for (const [place, word] of Object.entries(words)) expect(places[place]).toContain(word);
  for (const place of ["a failed creation", "a failed update", "a failed refresh"])
    expectRejections(places[place]);
  for (const place of ["up", "preview", "report", "an update", "refresh"]) {
    expect(places[place]?.length).toBeLessThan(MOST_CHARACTERS);
  }

  // The search finds secrets where there are some; undocumented properties are not even stored.
  const pipes = pipesWithSecrets("second");
  const stored = [
    serviceSecrets("first"),
    ...pipes,
    ONE_TIME_PASSWORD,
    SHOWN_KEY,
    ...secretSettings(),
  ];
  const output = await stack.pulumi("stack", "export", "--show-secrets");
  expect(namesIn(output).sort()).toEqual(namesIn(JSON.stringify(stored)).sort());
  const pipe = (await stack.resources()).find(({ id }) => id === pipeIdOf("kafka"));
  expect(pipe?.outputs?.currentSource).toEqual({
    kafka: { iamRole: "a role", schemaRegistry: { url: "an address" } },
  });
});

test("an invalid value next to each secret is reported without the secret", async () => {
  const { api, stack, events } = await preparedStack();
  const { source, sentences } = invalidArgumentsBesideSecrets();
  const programs = {
    Pipe: `new clouddb.Pipe("all", ${JSON.stringify({ serviceId: ID, pipeId: pipeIdOf("kafka"), source })});`,
    Service: `new clouddb.Service("db", {
      ...${JSON.stringify(serviceSecrets("refused"))}, ipAccessList: ${accessList(canary("network"))},
      backupId: pulumi.secret(${JSON.stringify(canary("backup"))}), name: pulumi.secret(${JSON.stringify(canary("name"))}),
    });`,
  };
  const expected = {
    Pipe: [
      ...sentences,
      "must contain only username, password, passwordFromEnvironment; got more.",
      "must contain only accessKeyId, secretKey, secretKeyFromEnvironment; got more.",
    ],
    Service: [
      "ipAccessList[1000].source is invalid: ",
      "backupId is invalid: ",
      "name is invalid: ",
    ],
  };
  for (const type of ["Pipe", "Service"] as const) {
    stack.program(programs[type]);
    const output = await expectFailure(stack.preview("--event-log", events));
    for (const sentence of expected[type]) expect(output).toContain(sentence);
    const places = {
      output,
      events: eventsIn(events),
      report: reportOn(events),
      ...filesOf(stack),
    };
    expect(leaksIn(places)).toEqual([]);
    expect(places.events).toContain(expected[type][0]);
    for (const text of [output, places.report]) expect(text.length).toBeLessThan(MOST_CHARACTERS);
  }
  expect(await api.requests()).toEqual([]);
});
