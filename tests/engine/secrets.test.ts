import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { leavesOf, resources } from "../../provider/definitions";
import type { FaultRule, Seed } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import { expectFailure, expectOk, newStack, simulated, testHome } from "./support/stack";

/*
 * A canary for every secret, in every place that a secret could reach. Which fields are secret is read from the
 * tables: a new one is tested by being there.
 */

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const KEY_SECRET = "canary-key-secret";
const ACCESS_TOKEN = "canary-access-token";

/** A value of the shape that the field's schema wants, every text of it a canary. */
function canaryFor(name: string, { schema }: { schema: { safeParse(value: unknown): { success: boolean } } }): unknown {
  const text = (part: string) => `canary-${name}-${part}`;
  const shapes = [
    text("text"),
    { username: text("username"), password: text("password") },
    { accessKeyId: text("accessKeyId"), secretKey: text("secretKey") },
  ];
  const fitting = shapes.find((shape) => schema.safeParse(shape).success);
  if (fitting === undefined) throw new Error(`there is no canary for ${name} yet`);
  return fitting;
}

const secrets = Object.entries(resources).flatMap(([kind, { definition }]) =>
  leavesOf(definition.fields)
    .filter(({ field }) => field.secret)
    .map(({ path, name, field }) => ({ kind, path, value: (round: string) => canaryFor(`${round}-${name}`, field) })),
);

/** The arguments that hold secrets: of a Service together, of a Pipe each kind of source by itself. */
function argumentsOf(kind: string, round: string): Record<string, unknown>[] {
  const nested = (path: readonly string[], value: unknown): Record<string, unknown> =>
    path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
  const mine = secrets.filter((each) => each.kind === kind);
  const groups = new Map<string, Record<string, unknown>>();
  for (const { path, value } of mine) {
    const source = path.slice(0, 2).join(".");
    const before = groups.get(source) as Record<string, Record<string, object>> | undefined;
    const [first = "", second = "", third = ""] = path;
    groups.set(
      source,
      before
        ? nested([first, second], { ...before[first]?.[second], [third]: value(round) })
        : nested(path, value(round)),
    );
  }
  return [...groups.values()];
}

const PIPES = { kafka: 1, objectStorage: 2, kinesis: 3, postgres: 4 };

/** The example's pipe with the kind of source that these arguments are about. */
function pipeIdOf({ source }: Record<string, unknown>): string {
  const [kind = ""] = Object.keys(source as object);
  const number = PIPES[kind as keyof typeof PIPES];
  return `b1b2c3d4-000${number}-4a53-9c1e-00000000000${number}`;
}

function program(round: string, more = ""): string {
  const pipes = argumentsOf("Pipe", round).map((args) => {
    const pipeId = pipeIdOf(args);
    return `new clouddb.Pipe("${pipeId}", ${JSON.stringify({ serviceId: ID, pipeId, ...args })});`;
  });
  const [service] = argumentsOf("Service", "first");
  return `
    const db = new clouddb.Service("db", { ...${JSON.stringify(service)}, region: "us-east-1", ${more} });
    ${pipes.join("\n")}
    exports.password = db.password;
  `;
}

/** Every text file under a folder, as one text. */
function textOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

/** A log without what the engine and the SDK write there themselves, in which secrets are plain from level 3 on. */
const withoutEnginesOwn = (log: string) =>
  log
    .split("\n")
    .filter((line) => !/^[IWEF]\d{4} [\d:.]+ +\d+ \w+\.go:\d+\]|debug: /.test(line))
    .join("\n");

/** The events without the SDK's own debug messages, which hold whatever a program declares. */
const withoutDebug = (events: string) =>
  events
    .split("\n")
    .filter((line) => !line.includes('"severity":"debug"'))
    .join("\n");

test("no secret reaches a place where it can be read", async () => {
  const api = await simulated({
    seed: exampleSeed as unknown as Seed,
    keySecret: KEY_SECRET,
    accessToken: ACCESS_TOKEN,
  });
  const stack = await newStack(api, program("first"));
  stack.environment({ CLOUDDB_KEY_SECRET: undefined, CLOUDDB_ACCESS_TOKEN: undefined });
  await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", KEY_SECRET));
  await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:accessToken", ACCESS_TOKEN));
  const places: Record<string, string> = {};

  // A server that repeats what it was sent, body and key.
  const echo = (method: string, path: string, sent: unknown): FaultRule => ({
    method,
    path,
    effect: {
      kind: "status",
      status: 400,
      body: { requestId: "r-1", error: `BAD_REQUEST: you sent ${JSON.stringify(sent)} with ${KEY_SECRET}` },
    },
  });
  await api.faults(
    echo("POST", "/services", argumentsOf("Service", "first")),
    ...argumentsOf("Pipe", "first").map((args) => echo("PATCH", pipeIdOf(args), args)),
  );
  places["a failure"] = await expectFailure(stack.up("--diff"));
  expect(places["a failure"]).toContain("[secret]");
  await api.faults();
  await api.requests();

  places.up = await expectOk(stack.up("--diff"));
  // The flag for events counts only with this.
  stack.environment({ PULUMI_DEBUG_COMMANDS: "true" });
  const events = join(stack.folder, "events.ndjson");
  const policies = ["--policy-pack", join(testHome(), "node_modules/pulumi-clouddb-policies")];
  stack.program(program("second", `ipAccessList: [{ source: "203.0.113.7" }], encryptionKey: "canary-second-key",`));
  places.preview = (await stack.preview(...policies, "--event-log", events)).output;
  expect(places.preview).toContain("[secret]");
  places["a loud preview"] = withoutEnginesOwn((await stack.preview("-v=9", "--logtostderr", "--logflow")).output);
  stack.program(program("third", `encryptionKey: { text: "canary-third-key" }, name: "x".repeat(99),`));
  places["a refused preview"] = await expectFailure(stack.preview());
  stack.program(program("second"));
  places["an update of secrets"] = await expectOk(stack.up("--diff"));
  places.refresh = await expectOk(stack.refresh());
  places.outputs = await expectOk(stack.pulumi("stack", "output"));
  places.export = await expectOk(stack.pulumi("stack", "export"));

  const password = (await expectOk(stack.pulumi("stack", "output", "password", "--show-secrets"))).trim();
  expect(password.length).toBeGreaterThan(15);

  places["state, its backups and its history"] = textOf(join(stack.folder, "state"));
  places["the stack's settings"] = readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8");
  places.home = textOf(join(stack.folder, "home"));
  places.events = withoutDebug(readFileSync(events, "utf8"));
  const report = spawnSync(join(testHome(), "node_modules/.bin/clouddb-report"), [events], { encoding: "utf8" });
  places.report = report.stdout + report.stderr;
  for (const path of ["/__admin/requests", "/__admin/state", "/__admin/faults"]) {
    places[path] = await (await fetch(`${api.baseUrl}${path}`)).text();
  }

  // Each of them is what it says, and no empty page.
  const words = { "a loud preview": "update", events: "resourcePreEvent", report: "db", "/__admin/requests": "PATCH" };
  for (const [place, word] of Object.entries(words)) expect(places[place]).toContain(word);
  const key = Buffer.from(`${api.keyId}:${KEY_SECRET}`).toString("base64");

  const leaks = Object.entries(places).flatMap(([place, text]) =>
    [...(text.match(/canary-[\w.-]+/g) ?? []), ...[password, key].filter((secret) => text.includes(secret))].map(
      (secret) => `${secret} in ${place}`,
    ),
  );
  expect([...new Set(leaks)]).toEqual([]);
  // What the search finds, where there is something to find.
  expect(await expectOk(stack.pulumi("stack", "export", "--show-secrets"))).toMatch(/canary-second-source/);
});
