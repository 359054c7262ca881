import { join } from "node:path";
import type { FaultRule } from "../../simulator/index";
import { EXAMPLE, exampleSeed } from "../support/example";
import { textOf } from "../support/temporary-folder";
import { eventsIn } from "./support/canaries";
import { expectFailure, newStack, simulated } from "./support/stack";

/* Secrets that transformations and transforms put into arguments after the class has marked its own. */

const { service: SERVICE, pipes } = EXAMPLE;

const CANARY = /canary-[a-z]+/g;

const helpers = `
  const change = (props) => ({ transforms: [async (t) => ({ props: { ...t.props, ...props(t.props) }, opts: t.opts })] });
  const changeEarly = (props) => ({ transformations: [({ props: p, opts }) => ({ props: { ...p, ...props }, opts })] });
  const pipe = (name, pipeId, args, opts) =>
    new clouddb.Pipe(name, { serviceId: "${SERVICE}", pipeId, ...args }, opts);
  const credentials = (password) => ({ username: "reader", password });
`;

const program = `${helpers}
  const db = new clouddb.Service("db", { encryptionKey: pulumi.secret("declared") }, {
    protect: false,
    transformations: [({ props }) => ({ props: { ...props, encryptionKey: "canary-early" }, opts: { protect: false } })],
  });
  new clouddb.Service("added", {}, { protect: false, ...change(() => ({ encryptionKey: "canary-late" })) });
  const whole = pipe("whole", "${pipes.postgres}",
    { source: pulumi.output({ postgres: { host: "db.example.com", credentials: credentials("canary-whole") } }) });
  pipe("required", "${pipes.objectStorage}", {},
    changeEarly({ source: { objectStorage: { connectionString: pulumi.secret("canary-required") } } }));
  const found = clouddb.Service.get("found", "${SERVICE}", {}, change(() => ({})));
  module.exports = { host: whole.source.apply((source) => source.postgres.host), state: found.state };
`;

const refused: FaultRule = {
  method: "PATCH",
  path: pipes.postgres,
  effect: { kind: "status", status: 403 },
};

test("a secret that a transform writes in plain text is marked in preview, events and state", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(api);
  // Required for the event log flag.
  stack.environment({ PULUMI_DEBUG_COMMANDS: "true" });
  stack.program(program);
  const events = (name: string) => join(stack.folder, `${name}.ndjson`);
  const places: Record<string, string> = {};
  const note = (name: string, output: string) => {
    places[name] = output;
    places[`events of ${name}`] = eventsIn(events(name));
    places[`state after ${name}`] = textOf(join(stack.folder, "state"));
  };

  note("preview", await stack.preview("--event-log", events("preview")));
  await api.faults(refused);
  note(
    "failure",
    await expectFailure(stack.up("--continue-on-error", "--event-log", events("failure"))),
  );
  await api.faults();
  note("up", await stack.up("--diff", "--event-log", events("up")));
  note("refresh", await stack.refresh("--event-log", events("refresh")));
  const next = await stack.preview("--expect-no-changes");

  expect(next).not.toMatch(CANARY);
  for (const [place, text] of Object.entries(places))
    expect([place, text.match(CANARY)]).toEqual([place, null]);
  // The program sees plain values of a secret.
  for (const place of ["preview", "up"]) expect(places[place]).toMatch(/host\s*: \[secret\]/);
  const outputs = await stack.pulumi("stack", "output", "--show-secrets", "--json");
  expect(JSON.parse(outputs)).toMatchObject({ host: "db.example.com" });
  const state = await stack.pulumi("stack", "export", "--show-secrets");
  expect(new Set(state.match(CANARY))).toEqual(
    new Set(["canary-early", "canary-late", "canary-required", "canary-whole"]),
  );
  const [db] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::db"));
  expect(db?.outputs?.password).toHaveProperty("ciphertext");
});

const group = `${helpers}
  pipe("replaced", "${pipes.kafka}", { source: { kafka: { credentials: credentials("declared") } } },
    change(() => ({ source: { kafka: { credentials: credentials("canary-nested"), iamRole: "a role" } } })));
  pipe("later", "${pipes.postgres}",
    { source: pulumi.output({ postgres: { credentials: credentials("declared") } }) },
    change(() => ({ source: { postgres: { credentials: credentials("canary-later") } } })));
`;

// CLI 3.276.0 drops a dynamic provider's mark around an object that is plain in the program;
// 3.220.0 keeps it.
test("credentials that a transform writes in plain text are marked, whatever the class marks", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(api);
  stack.program(group);
  expect(await stack.preview("--diff")).not.toMatch(CANARY);
  expect(await stack.up()).not.toMatch(CANARY);
  expect(textOf(join(stack.folder, "state"))).not.toMatch(CANARY);
  await stack.preview("--expect-no-changes");
});
