import { join } from "node:path";
import type { FaultRule } from "../../simulator/index";
import { configured, PACK } from "../programs/review/support/pack";
import { EXAMPLE, exampleSeed } from "../support/example";
import { textOf } from "../support/temporary-folder";
import { eventsIn, reportOn } from "./support/canaries";
import { expectFailure, newStack, simulated } from "./support/stack";

/*
 * Arguments that the program marks as secret, although the tables do not: each value is searched
 * for in every place where it could appear, also under the name of another output.
 */

const { service: SERVICE, pipes } = EXAMPLE;

const VALUES = {
  role: "arn:aws:iam::000000000000:role/hidden-role",
  container: "hidden-container",
  wait: 48_151_623,
  table: "hidden_table",
  column: "hidden_column",
  network: "203.0.113.77",
  name: "Hidden Analytics",
  privateEndpoint: "vpce-0a1b2c3d4e5f60001",
  organizationEndpoint: "vpce-hidden",
  host: "hidden.example.com",
};
const PUBLIC = { description: "new network", url: "https://schemas.example.com" };

/** Every type of resource; each value is made by a function. */
const program = (value: (name: keyof typeof VALUES) => string, threads = 9) => `
  const pipe = (name, pipeId, args) => new clouddb.Pipe(name, { serviceId: "${SERVICE}", pipeId, ...args });
  const kafka = pipe("kafka", "${pipes.kafka}", {
    source: { kafka: { iamRole: ${value("role")} } },
    destination: { columns: [{ name: "id", type: "UInt64" }, { name: ${value("column")}, type: "String" }] },
    settings: { streamingMaxInsertWaitMs: ${value("wait")}, engineMaxThreads: ${threads} },
  });
  const storage = pipe("storage", "${pipes.objectStorage}", {
    source: { objectStorage: { azureContainerName: ${value("container")} } },
  });
  const postgres = pipe("postgres", "${pipes.postgres}", {
    source: pulumi.output({ postgres: { host: ${value("host")}, tableMappings: [
      { sourceSchemaName: "public", sourceTable: "customers", targetTable: ${value("table")} },
    ] } }),
  });
  const service = new clouddb.Service("service", {
    name: ${value("name")}, ipAccessList: [{ source: ${value("network")}, description: "office" }],
    privateEndpointIds: [${value("privateEndpoint")}], endpoints: [{ protocol: "mysql", enabled: true }],
  });
  const organization = new clouddb.Organization("organization", {
    privateEndpoints: [{ id: ${value("organizationEndpoint")}, description: "${PUBLIC.description}" }],
  });
  module.exports = {
    kafkaSource: kafka.currentSource, destination: kafka.currentDestination, settings: kafka.currentSettings,
    storageSource: storage.currentSource,
    postgresSource: postgres.currentSource,
    endpoints: organization.allPrivateEndpoints, available: service.availablePrivateEndpointIds,
    serviceName: service.name, serviceId: service.id, state: kafka.state,
  };
`;
const asSecret = (name: keyof typeof VALUES) => `pulumi.secret(${JSON.stringify(VALUES[name])})`;
const asPlain = (name: keyof typeof VALUES) => JSON.stringify(VALUES[name]);
const later = (name: keyof typeof VALUES) =>
  `new Promise((resolve) => setTimeout(() => resolve(${asSecret(name)}), 20))`;

async function preparedStack() {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(api);
  // Required for the event log flag.
  stack.environment({ PULUMI_DEBUG_COMMANDS: "true" });
  return { api, stack, events: join(stack.folder, "events.ndjson") };
}

/** A response that shows secrets beside their own members. */
const visible = (account: string): FaultRule[] => [
  {
    method: "PATCH",
    path: pipes.objectStorage,
    effect: {
      kind: "answer",
      result: {
        source: { objectStorage: { url: `https://${account}/${VALUES.container}/*.json` } },
      },
    },
  },
];

/**
 * A rejection that repeats the name of the service, alone. A request of a pipe does not know that
 * secret.
 */
const echo = (serviceId: string): FaultRule => ({
  method: "PATCH",
  path: serviceId,
  effect: {
    kind: "status",
    status: 400,
    body: { requestId: "request-1", error: `BAD_REQUEST: you sent Other ${VALUES.name}` },
  },
});

function leaksIn(places: Readonly<Record<string, string>>): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    Object.entries(VALUES).flatMap(([name, value]) => {
      const line = text.split("\n").find((line) => line.includes(String(value)));
      return line === undefined ? [] : [`${name} in ${place}: ${line.slice(0, 300)}`];
    }),
  );
}

test("a marked argument appears in no output and in no message", async () => {
  const { api, stack, events } = await preparedStack();
  stack.program(program((name) => (name === "wait" ? later(name) : asSecret(name))));
  await api.faults(...visible("storage"));
  const places: Record<string, string> = {};
  places.preview = await stack.preview("--event-log", events, ...PACK);
  places["events of the preview"] = eventsIn(events);
  places["report of the preview"] = reportOn(events);
  places.up = await stack.up("--diff", "--event-log", events);
  places.events = eventsIn(events);

  // The server has other values now, and shows ours beside them.
  await api.change("PATCH", `/${SERVICE}/pipes/${pipes.kafka}`, {
    source: { kafka: { iamRole: `${VALUES.role}-drifted` } },
  });
  await api.faults(...visible("storage"));
  places.refresh = await stack.refresh();

  // A failed update: the message names the service, the server repeats what it was sent.
  stack.program(
    program(
      (name) => (name === "name" ? `pulumi.secret("Other ${VALUES.name}")` : asSecret(name)),
      10,
    ),
  );
  const created = (await api.services()).find(({ name }) => name === VALUES.name);
  await api.faults(echo(String(created?.id)));
  places["a failed update"] = await expectFailure(stack.up("--diff", "--continue-on-error"));
  await api.faults(...visible("storage"));
  places.update = await stack.up("--diff", "--event-log", events);
  places["events of the update"] = eventsIn(events);
  places["report of the update"] = reportOn(events);
  places.outputs = await stack.pulumi("stack", "output", "--json");
  places.destroy = await expectFailure(stack.destroy("--diff"));
  places["state, its backups and its history"] = textOf(join(stack.folder, "state"));

  expect(leaksIn(places)).toEqual([]);
  // Each place contains something, and unmarked values are shown.
  expect(places.up).toMatch(/state\s*: "Running"/);
  expect(places["state, its backups and its history"]).toContain(PUBLIC.url);
  expect(places["a failed update"]).toContain('("[secret]"): the API returned 400');
  expect(places["a failed update"]).toContain("you sent [secret]");
});

test("policies judge secret values of new services, and reports show [secret]", async () => {
  const { stack, events } = await preparedStack();
  const size =
    "minReplicaMemoryGb: pulumi.secret(68), maxReplicaMemoryGb: pulumi.secret(236), numReplicas: pulumi.secret(19)";
  const args = `name: ${asSecret("name")}, ipAccessList: [{ source: pulumi.secret("77.0.0.0/7") }], ${size}`;
  stack.program(`new clouddb.Service("hidden", { ${args} });`);
  const settings = {
    "names-follow-convention": { enforcementLevel: "mandatory", pattern: "data .+" },
    "memory-within-bounds": { maxGb: 64 },
    "replicas-within-bounds": { max: 5 },
    "capacity-budget": { maxTotalGb: 100 },
  };
  const preview = await expectFailure(
    stack.preview("--event-log", events, ...configured(stack, settings)),
  );
  const text = preview.replace(/\s+/g, " ");
  for (const violation of [
    "the name [secret] does not match data .+",
    "[secret] (entry 0) in ipAccessList allows a network wider than /8",
    "minReplicaMemoryGb [secret] is more than 64 GB",
    "maxReplicaMemoryGb [secret] is more than 64 GB",
    "numReplicas [secret] is more than 5",
    "can scale up to [secret] GB (hidden [secret]), more than 100 GB",
  ])
    expect(text).toContain(violation);
  const report = reportOn(events);
  expect(report).toContain("the name &#91;secret&#93; does not match");
  expect(report).toContain("capacity of hidden: size is secret");
  expect(leaksIn({ preview, report, events: eventsIn(events) })).toEqual([]);
  for (const place of [text, report])
    for (const value of [/7[67]\.0\.0\.0/, /\b68\b/, /\b236\b/, /\b19\b/, /\b4484\b/])
      expect(place).not.toMatch(value);
});

test("marking an existing argument marks it in the state, without a request", async () => {
  const { api, stack } = await preparedStack();
  // Backups and history hold what earlier commands have stored.
  const leaks = async () => leaksIn({ state: JSON.stringify(await stack.resources()) });
  stack.program(program(asPlain));
  await stack.up();
  expect(await leaks()).toHaveLength(Object.keys(VALUES).length);
  await api.requests();
  stack.program(program(asSecret));
  const preview = await stack.preview();
  expect(preview).toContain("~ 5 to update");
  expect(preview).toContain("as secret: the update marks it in the state");
  await stack.up();
  expect(await api.requests()).toEqual([]);
  expect(await leaks()).toEqual([]);
});

test("an error of a function does not show a secret id", async () => {
  const { api, stack } = await preparedStack();
  const id = SERVICE.replace(/0001$/, "9999");
  stack.program(`exports.found = clouddb.getServiceOutput({ serviceId: pulumi.secret("${id}") });`);
  const text = await expectFailure(stack.preview());
  expect(text).toContain("Reading service [secret]: the API returned 404");
  expect(text).not.toContain(id);
  expect(await api.requests()).toHaveLength(1);
});
