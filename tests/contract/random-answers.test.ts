import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../facts";
import { fieldPathsOf, valueAt } from "../../provider/fields";
import { inSnakeCase } from "../../provider/names";
import { resources } from "../../provider/resources";
import { type Server, startServer } from "../faults/model/server";
import { startProgram } from "../support/adapters/functions";
import { ADAPTER } from "../support/adapters/handlers";
import { startNativeEngine } from "../support/adapters/native";
import { plain } from "../support/adapters/values";
import { exampleSeed, pathsContaining } from "../support/example";
import { type Members, REQUESTS, RESPONSES } from "../support/variants/documents";
import {
  createAnswers,
  documented,
  pick,
  problemsIn,
  seededRandom,
} from "../support/variants/edits";
import { ADOPTED, PIPES, SCENARIOS, type Scenario, some } from "../support/variants/stack";
import { CANARY } from "../support/variants/variants";
import {
  create,
  environmentFor,
  fakeClock,
  type Handlers,
  type Properties,
  type ResourceType,
  type StackResource,
  startProcess,
} from "./support";

/**
 * Random answers that the services' own documents allow, and the table of these documents.
 * CLOUDDB_ANSWERS and CLOUDDB_ANSWERS_SEED replace the default number and the first seed;
 * CLOUDDB_UPSTREAM names the folder of the documents.
 */

type Nothing = null | undefined;

const BODIES: readonly (readonly [RegExp, string])[] = [
  [/POST .*\/services$/, "ServicePostRequest"],
  [/PATCH .*\/replicaScaling$/, "ServiceReplicaScalingPatchRequest"],
  [/PATCH .*\/pipes\/[^/]+$/, "PipePatchRequest"],
  [/PATCH .*\/services\/[^/]+$/, "ServicePatchRequest"],
  [/PATCH .*/, "OrganizationPatchRequest"],
];
const ANSWERED = {
  service: "Service",
  creation: "ServicePostResponse",
  organization: "Organization",
  pipe: "Pipe",
  settings: "PipeSettings",
  alert: "AlertResponse",
  dashboards: "DashboardResponse[]",
};

/** The rules for bodies that the documents and the services' own clients give in words. */
function brokenRules(body: Properties, sent: Properties): string[] {
  const { postgres, ...others } = (body.source ?? {}) as Record<string, Properties>;
  const { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [] } = (postgres ??
    {}) as Record<string, Properties[]>;
  const keys = (list: readonly Properties[]) =>
    list.map((entry) =>
      JSON.stringify([entry.sourceSchemaName, entry.sourceTable, entry.targetTable]),
    );
  const secrets = ["credentials", "accessKey", "connectionString"];
  const isAlone = Object.entries({ postgres, ...others }).some(([kind, change]) => {
    const declared = ((sent.source ?? {}) as Record<string, Properties>)[kind] ?? {};
    const isConnection = Object.keys(change ?? {}).some(
      (name) => !/^(settings|tableMappings.*)$/.test(name),
    );
    return isConnection && secrets.some((name) => declared[name] && !change?.[name]);
  });
  const rules: Record<string, boolean> = {
    "a table is removed and added at once": keys(add).some((key) => keys(remove).includes(key)),
    "a custom sorting key has no columns": add.some(
      ({ useCustomSortingKey, sortingKeys }) => useCustomSortingKey === true && !sortingKeys,
    ),
    "a changed connection comes without its secrets": isAlone,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

/**
 * Runs a resource through creation or adoption, updates, drift, refreshes and an import; returns
 * what a user sees.
 */
async function runScenario(server: Server, name: string, seed: number, nothing: Nothing) {
  const { type, args, kept, shown } = SCENARIOS[name] as Scenario;
  const { definition } = resources[type];
  const random = seededRandom(seed);
  const [first, second] = [some(random, args(random), kept), some(random, args(random), kept)];
  const declared = new Set<string>();
  const hidden = new Set<string>();
  for (const { path, apiPath, field } of fieldPathsOf(definition.fields)) {
    if ([first, second].every((program) => valueAt(program, path) === undefined)) continue;
    const place = apiPath.join(".");
    declared.add(place);
    const canHide = !field.inPath && (!field.list || field.list.send === "whole");
    if (canHide && random() < 0.3) hidden.add(place);
  }
  const answers: unknown[] = [];
  const change = createAnswers({ random, nothing, declared, hidden });
  let outside: Properties = {};
  const withPrefix = (places: ReadonlySet<string>) =>
    [...places].map((place) => `service.${place}`);
  const creation = createAnswers({
    random,
    nothing,
    declared: new Set(withPrefix(declared)),
    hidden: new Set(withPrefix(hidden)),
  });
  await server.reset();
  server.useVariant({
    rule: "absence",
    answer: (shape, result) => {
      const made = (shape === "creation" ? creation : change)(
        ANSWERED[shape as keyof typeof ANSWERED],
        result,
      );
      answers.push({ ...(made as object), ...outside });
      return answers.at(-1);
    },
  });
  const { handlersFor, messages } = startProcess(server);
  const handlers: Handlers = handlersFor(type);
  let program = first;
  let resource: StackResource | undefined;
  const states: unknown[] = [];
  const requests: string[] = [];

  function checkRequests(expected?: number): void {
    const received = server.received();
    if (expected !== undefined)
      expect({ name, seed, received }).toMatchObject({ received: { length: expected } });
    for (const { method, url, body } of received) {
      requests.push(`${method} ${url} ${JSON.stringify(body)}`);
      if (method === "GET") continue;
      const [, text = ""] = BODIES.find(([path]) => path.test(`${method} ${url}`)) ?? [];
      const problems = [
        ...problemsIn(text, body, text),
        ...brokenRules(body as Properties, program),
      ];
      expect({ name, seed, body, problems }).toEqual({ name, seed, body, problems: [] });
    }
  }

  function check(
    { inputs, outs }: Pick<StackResource, "inputs" | "outs">,
    expected?: number,
  ): void {
    checkRequests(expected);
    states.push(inputs, outs);
    expect([name, seed, pathsContaining([inputs, outs], [CANARY])]).toEqual([name, seed, []]);
  }

  /** A refresh shows what the answer shows, and keeps what none has shown. */
  async function refresh(from: StackResource): Promise<StackResource> {
    const next = await from.refresh();
    if (definition.read !== undefined)
      expectShown(type, next, program, answers.at(-1), shown, { name, seed });
    check(next);
    return next;
  }

  async function settle(from: StackResource): Promise<StackResource> {
    const next = await from.up(program);
    check(next, 0);
    return next;
  }

  /** An import declares what the answer shows, and leaves nothing to change. */
  async function importObject(kind: string, serviceId: string, id: string): Promise<void> {
    const host = { environment: process.env, clock: fakeClock(), random: () => 1 };
    const { engine } = startNativeEngine(host);
    const place = kind === "Pipe" ? `${serviceId}/${id}` : id;
    const { state, inputs } = await engine.read(kind, "imported", place);
    const about = { name, seed, isImport: true };
    expectShown(type, { inputs, outs: plain(state) }, {}, answers.at(-1), shown, about);
    check({ inputs: plain(inputs), outs: plain(state) });
    const known = documented(shown, answers.at(-1)) as Properties;
    for (const { path, apiPath, field } of fieldPathsOf(definition.fields)) {
      const value = valueAt(inputs, path);
      if (value === undefined || field.inPath || field.list) continue;
      expect({ ...about, path, value }).toEqual({ ...about, path, value: valueAt(known, apiPath) });
    }
    const { changes } = await engine.diff(kind, "imported", id, state, inputs);
    expect({ ...about, changes }).toEqual({ ...about, changes: "none" });
  }

  resource = await create(handlers, first);
  check(resource);
  resource = await settle(await refresh(await settle(resource)));
  program = second;
  resource = await resource.up(second);
  check(resource);
  resource = await settle(await refresh(await settle(resource)));
  if (second.numReplicas !== undefined && !hidden.has("numReplicas") && type !== "ServiceAccess") {
    outside = { numReplicas: 7 };
    const drifted = await refresh(resource);
    expect([name, seed, drifted.inputs.numReplicas]).toEqual([name, seed, 7]);
    outside = {};
    resource = await drifted.update(second);
    check(resource, 1);
    await settle(resource);
  }
  if (definition.read !== undefined && type !== "ServiceAccess") {
    const { organizationId, serviceId = null } = resource.outs;
    const read = await handlers.read(resource.id, { organizationId, serviceId });
    expectShown(type, { inputs: {}, outs: read.props ?? {} }, {}, answers.at(-1), shown, {
      name,
      seed,
    });
    check({ inputs: read.inputs ?? {}, outs: read.props ?? {} });
    if (ADAPTER === "native") await importObject(type, `${serviceId ?? ""}`, resource.id);
  }
  const texts = messages.join("\n");
  expect([name, seed, texts]).toEqual([
    name,
    seed,
    expect.not.stringMatching(/canary|CDB3011|CDB5015|CDB4005/),
  ]);
  return {
    answers: answers.length,
    seen: normalized([...states, ...requests, ...messages]),
  };
}

/**
 * One text for each thing that a user sees, without what differs between two runs: ids, hosts,
 * times, passwords.
 */
function normalized(seen: readonly unknown[]): string[] {
  return seen.map((part) =>
    JSON.stringify(part)
      .replace(/"password":"[^"]+"/g, "")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f-]{27}|\.db)|20\d\d-\d\d-[^"\\]*/g, "?"),
  );
}

/** Outputs of a read are those of the answer, and declared values are the shown ones, if any. */
function expectShown(
  type: ResourceType,
  { inputs, outs }: { inputs: Properties; outs: Properties },
  program: Properties,
  response: unknown,
  text: string,
  about: object,
): void {
  const { definition } = resources[type];
  const known = documented(text, response) as Properties;
  delete (known as { source?: { objectStorage?: Properties } }).source?.objectStorage
    ?.connectionString;
  for (const [output, { apiName = output, fromCreation }] of Object.entries(definition.outputs)) {
    if (fromCreation || type === "ServiceAccess") continue;
    const shownNow = output === "currentSettings" ? inCamelCase(known.settings) : known[apiName];
    expect({ ...about, output, value: outs[output] ?? undefined }).toEqual({
      ...about,
      output,
      value: shownNow,
    });
  }
  for (const { path, apiPath, field } of fieldPathsOf(definition.fields)) {
    const declaredValue = valueAt(program, path);
    if (!field.inResponse || field.secret || field.list || type === "ServiceAccess") continue;
    const value = valueAt(known, apiPath) ?? declaredValue;
    const isOutput = declaredValue === undefined && path.length === 1;
    if (isOutput)
      expect({ ...about, path, value: outs[path[0] ?? ""] ?? undefined }).toEqual({
        ...about,
        path,
        value,
      });
    if (declaredValue === undefined) continue;
    expect({ ...about, path, value: valueAt(inputs, path) }).toEqual({ ...about, path, value });
  }
}

function inCamelCase(settings: unknown): Properties | undefined {
  const names = Object.keys(isRecord(settings) ? settings : {});
  const camel = (name: string) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(names.map((name) => inSnakeCase(camel(name)))).toEqual(names);
  return isRecord(settings)
    ? Object.fromEntries(names.map((name) => [camel(name), settings[name]]))
    : undefined;
}

describe("random answers that the documents allow", () => {
  const ANSWERS = Number(process.env.CLOUDDB_ANSWERS ?? 400);
  const SEED = Number(process.env.CLOUDDB_ANSWERS_SEED ?? 1);
  let server: Server;
  beforeAll(async () => {
    server = await startServer(exampleSeed);
    const { baseUrl, accessToken } = server;
    const address = { CLOUDDB_OBSERVABILITY_URL: baseUrl, CLOUDDB_ACCESS_TOKEN: accessToken };
    Object.assign(process.env, environmentFor(server), address);
  });
  afterAll(() => server.close());

  test(`${ANSWERS} random responses are read correctly and change no declared value`, async () => {
    const names = Object.keys(SCENARIOS);
    let answers = 0;
    for (let seed = SEED; answers < ANSWERS; seed += 1) {
      const name = names[seed % names.length] ?? "";
      const withNull = await runScenario(server, name, seed, null);
      const without = await runScenario(server, name, seed, undefined);
      const differing = withNull.seen.findIndex((text, index) => text !== without.seen[index]);
      expect([name, seed, withNull.seen[differing]]).toEqual([name, seed, without.seen[differing]]);
      answers += withNull.answers + without.answers;
    }
  });

  test("functions return only documented members of random responses", async () => {
    const calls: readonly (readonly [string, Properties, string])[] = [
      ["getService", { serviceId: ADOPTED }, "Service"],
      ["getPipe", { serviceId: ADOPTED, pipeId: PIPES.postgres }, "Pipe"],
      ["getPipeSettings", { serviceId: ADOPTED, pipeId: PIPES.kafka }, "PipeSettings"],
      ["getAlert", { id: "alert-errors" }, "AlertResponse"],
      ["getDashboards", {}, "DashboardResponse[]"],
    ];
    for (let seed = SEED; seed < SEED + ANSWERS / 20; seed += 1) {
      const random = seededRandom(seed);
      const nothing = pick<Nothing>(random, [null, undefined]);
      const none: ReadonlySet<string> = new Set();
      const change = createAnswers({ random, nothing, declared: none, hidden: none });
      const [name, args, text] = calls[seed % calls.length] ?? (["", {}, ""] as const);
      let shown: unknown;
      server.useVariant({
        rule: "absence",
        answer: (shape, result) => {
          shown = Array.isArray(result)
            ? result.map((entry) => change("DashboardResponse", entry))
            : change(ANSWERED[shape as keyof typeof ANSWERED], result);
          return shown;
        },
      });
      const { call, messages } = startProgram();
      const result = await call(name, args);
      const known = documented(text, shown) as Properties;
      const isSettings = name === "getPipeSettings";
      const expected = isSettings
        ? inCamelCase(known)
        : Array.isArray(known)
          ? { dashboards: known }
          : {
              ...known,
              ...(isRecord(known.settings) && { settings: inCamelCase(known.settings) }),
            };
      expect({ name, seed, result }).toEqual({ name, seed, result: expected });
      expect([name, seed, messages]).toEqual([name, seed, []]);
    }
  });
});

interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: ApiSchema;
  readonly oneOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

type Schemas = Readonly<Record<string, ApiSchema>>;

/** The specification's names of schemas and members. */
const ourName = (name: string) => name.replace(/^ClickPipe/, "Pipe");
const ourMember = (name: string) => name.replace(/^clickhouse(?=_|V)/, "engine");

/** A type of a document, in the notation of the table. */
function notationOf(schema: ApiSchema, schemas: Schemas): string {
  const target = schema.$ref?.split("/").at(-1) ?? "";
  const referred = schemas[target];
  if (referred) {
    const isObjectType = referred.properties ?? referred.allOf;
    return isObjectType ? ourName(target) : notationOf(referred, schemas);
  }
  const types = [schema.type ?? []].flat();
  const choices = schema.oneOf?.filter(({ type }) => type !== "null") ?? [];
  const isNullable =
    schema.nullable || types.includes("null") || choices.length < (schema.oneOf?.length ?? 0);
  const [base = ""] = types.filter((type) => type !== "null");
  const text = () => {
    const { format = "", minLength, maxLength, minimum, maximum, multipleOf } = schema;
    if (choices[0]) return notationOf(choices[0], schemas);
    if (schema.enum) return `(${schema.enum.join(" ")})`;
    if (base === "array") return `${notationOf(schema.items ?? {}, schemas)}[]`;
    if (["uuid", "date-time"].includes(format)) return format;
    const step = multipleOf === undefined ? "" : ` /${multipleOf}`;
    if (base === "string" && (minLength ?? maxLength) !== undefined)
      return `string ${minLength ?? 0}..${maxLength ?? ""}`;
    if ((minimum ?? maximum) !== undefined)
      return `${base} ${minimum ?? ""}..${maximum ?? ""}${step}`;
    return base;
  };
  return isNullable ? `${text()}?` : text();
}

function membersOf(schema: ApiSchema, schemas: Schemas): { members: Members; required: string[] } {
  const own = Object.entries(schema.properties ?? {}).map(([name, type]) => [
    ourMember(name),
    notationOf(type, schemas),
  ]);
  const parts = (schema.allOf ?? []).map((part) =>
    membersOf(schemas[part.$ref?.split("/").at(-1) ?? ""] ?? part, schemas),
  );
  return {
    members: Object.assign({}, ...parts.map(({ members }) => members), Object.fromEntries(own)),
    required: [...parts.flatMap(({ required }) => required), ...(schema.required ?? [])].sort(),
  };
}

const FOLDER = process.env.CLOUDDB_UPSTREAM;
const withFolder = FOLDER ? test : test.skip;
withFolder("the table equals the documents in the folder CLOUDDB_UPSTREAM", () => {
  const schemas: Record<string, ApiSchema> = {};
  for (const name of ["clickhouse-cloud.json", "hyperdx.json"]) {
    const { components } = JSON.parse(readFileSync(join(FOLDER ?? "", name), "utf8"));
    Object.assign(schemas, components.schemas);
  }
  const found = Object.entries(schemas).map(
    ([name, schema]) => [ourName(name), membersOf(schema, schemas)] as const,
  );
  const ofDocument = (name: string) => new Map(found).get(name) ?? { members: {}, required: [] };
  const within = (members: Members, table: Members) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => name in table));
  for (const [name, table] of Object.entries(RESPONSES)) {
    const { members, required } = ofDocument(name);
    const others = Object.keys(members).filter((member) => !(member in table.members));
    expect([name, within(members, table.members), others.sort(), required]).toEqual([
      name,
      table.members,
      table.new?.split(" ") ?? [],
      table.required?.split(" ") ?? [],
    ]);
  }
  for (const [name, table] of Object.entries(REQUESTS))
    expect([name, within(ofDocument(name).members, table)]).toEqual([name, table]);
});
