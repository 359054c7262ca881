import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import { version } from "../../../package.json";
import { pulumi } from "../../../versions.json";
import type { Properties } from "../../support/adapters/handlers";
import { EXAMPLE } from "../../support/example";
import { root } from "../../support/root";
import { up, useEngine } from "./support";

interface ObjectType {
  readonly description?: string;
  readonly properties?: Record<string, Record<string, unknown>>;
  readonly required?: string[];
  readonly enum?: { readonly name: string; readonly value: string }[];
}
interface ResourceSchema extends ObjectType {
  readonly description: string;
  readonly inputProperties: Record<string, Record<string, unknown>>;
  readonly requiredInputs: string[];
  readonly aliases: { type: string }[];
  readonly stateInputs?: ObjectType;
}
const schema = JSON.parse(readFileSync(join(root, "provider/schema.json"), "utf8")) as {
  resources: Record<string, ResourceSchema>;
  functions: Record<string, { description: string; inputs?: ObjectType; outputs: ObjectType }>;
  types: Record<string, ObjectType>;
};

function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(inner, key),
  ]);
}

test("the schema has the fields that Pulumi's registry requires of a package", () => {
  const texts = [
    "displayName",
    "description",
    "license",
    "homepage",
    "repository",
    "publisher",
    "logoUrl",
  ];
  const demanded = [...texts, "pluginDownloadURL"].map((key) => [key, expect.stringMatching(/\S/)]);
  expect(schema).toMatchObject(Object.fromEntries(demanded));
  expect(schema).toMatchObject({
    name: "clouddb",
    version,
    keywords: expect.arrayContaining(["category/database"]),
  });
});

test("the schema describes every type and every member of a result", () => {
  for (const [name, { description }] of Object.entries(schema.types))
    expect([name, description]).toEqual([name, expect.stringMatching(/\w\.$/)]);
  const { properties = {} } = schema.functions["clouddb:index:getService"]?.outputs ?? {};
  const undescribed = Object.keys(properties).filter(
    (name) => properties[name]?.description === undefined,
  );
  expect(undescribed).toEqual(["id"]);
  expect(properties.numReplicas).toMatchObject({
    type: "integer",
    description: "The number of replicas.",
  });
});

// Python and Java would print a port as 3306.0.
test("whole numbers are integers in the schema unless 32 bits may be too few", () => {
  const amounts = ["engineMinInsertBlockSizeBytes", "objectStorageMaxInsertBytes"];
  expect(Object.keys(membersOfType("number")).sort()).toEqual([
    ...amounts,
    "replicaMemoryGb",
    "threshold",
    "timestamp",
  ]);
  expect(Object.keys(membersOfType("integer"))).toEqual(
    expect.arrayContaining([
      "port",
      "idleTimeoutMinutes",
      "replicaCpuMillicores",
      "engineMaxThreads",
      "x",
      "w",
    ]),
  );
  // Integers of these languages have more than 32 bits.
  const language = { go: { type: "integer" }, python: { type: "integer" } };
  const mostBytes = valuesOf(schema, "objectStorageMaxInsertBytes");
  expect(mostBytes.length).toBeGreaterThan(3);
  for (const bytes of mostBytes) expect(bytes).toMatchObject({ type: "number", language });
});

// Without a name of its own, us-east-1 would be a member of the same name as us-east1.
test("listed values have names in the schema, and other values stay possible", () => {
  const { region } = schema.resources["clouddb:index:Service"]?.inputProperties ?? {};
  expect(region).toMatchObject({
    type: "string",
    oneOf: [{ type: "string" }, { $ref: "#/types/clouddb:index:ServiceRegion" }],
  });
  expect(schema.types["clouddb:index:ServiceRegion"]?.enum).toEqual(
    expect.arrayContaining([
      { name: "UsEast_1", value: "us-east-1" },
      { name: "UsEast1", value: "us-east1" },
    ]),
  );
  for (const { enum: members = [] } of Object.values(schema.types)) {
    expect(new Set(members.map(({ name }) => name.toLowerCase())).size).toBe(members.length);
  }
});

/** All properties of a type, wherever they stand. */
function membersOfType(type: string): Record<string, unknown> {
  const properties = valuesOf(schema, "properties").concat(valuesOf(schema, "inputProperties"));
  const members = properties.flatMap((property) =>
    Object.entries(property as Record<string, { type?: string }>),
  );
  return Object.fromEntries(members.filter(([, member]) => member.type === type));
}

test("the schema agrees with the field tables", () => {
  const [Service, Pipe] = ["Service", "Pipe"].map(
    (name) => schema.resources[`clouddb:index:${name}`],
  );
  expect(Service?.description).toContain("set `protect` yourself");
  expect(Service?.inputProperties.encryptionKey).toMatchObject({ secret: true });
  expect(Service?.properties?.password).toMatchObject({ secret: true });
  expect(Service?.inputProperties.tier?.deprecationMessage).toContain("minReplicaMemoryGb");
  expect(Service?.inputProperties.region).toMatchObject({ willReplaceOnChanges: true });
  expect(Service?.aliases).toEqual([{ type: "pulumi-nodejs:dynamic/clouddb:Service" }]);
  expect(Pipe?.requiredInputs).toEqual(["pipeId", "serviceId"]);
  expect(Object.keys(Pipe?.stateInputs?.properties ?? {})).toEqual(["organizationId", "serviceId"]);
});

// The engine would replace a service whenever a program declares such an argument; a filled-in
// default would be managed.
test("the schema leaves replacements and defaults to the provider", () => {
  expect(valuesOf(schema, "replaceOnChanges")).toEqual([]);
  expect(valuesOf(schema, "default")).toEqual([]);
});

const modules =
  process.env.GOMODCACHE ?? join(process.env.GOPATH ?? join(homedir(), "go"), "pkg/mod");
const metaschema = join(
  modules,
  `github.com/pulumi/pulumi/pkg/v3@v${pulumi.cli}/codegen/schema/pulumi.json`,
);
const needsMetaschema = existsSync(metaschema) ? test : test.skip;

needsMetaschema(
  "the schema is valid for Pulumi's metaschema, which `npm run engine` downloads",
  () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(JSON.parse(readFileSync(metaschema, "utf8")));
    validate(schema);
    expect(validate.errors ?? []).toEqual([]);
  },
);

/**
 * SDKs promise each required output to programs: one that is missing fails them after the creation.
 */

const engine = useEngine();
const { service, pipes } = EXAMPLE;

const requiredOf = (type: string) => schema.resources[`clouddb:index:${type}`]?.required ?? [];
function expectAll(type: string, state: Properties): void {
  expect(requiredOf(type).filter((name) => state[name] === undefined)).toEqual([]);
}

test.each<[string, string, Properties]>([
  ["a new Service", "Service", {}],
  ["a development Service", "Service", { tier: "development" }],
  ["an adopted Service", "Service", { existingServiceId: service }],
  ["a ServiceScaling", "ServiceScaling", { serviceId: service, numReplicas: 4 }],
  ["an Organization with a name", "Organization", { name: "one" }],
  ["an Organization with private endpoints", "Organization", { privateEndpoints: [] }],
  ["a Pipe from Kafka", "Pipe", { serviceId: service, pipeId: pipes.kafka }],
  ["a Pipe from object storage", "Pipe", { serviceId: service, pipeId: pipes.objectStorage }],
  ["a Pipe from Kinesis", "Pipe", { serviceId: service, pipeId: pipes.kinesis }],
  ["a Pipe from Postgres", "Pipe", { serviceId: service, pipeId: pipes.postgres }],
])("a %s has each required output", async (_, type, args) => {
  expectAll(type, (await up(engine, type, "one", args)).state);
});

test.each([
  ["Service", () => service],
  ["ServiceScaling", () => service],
  ["Pipe", () => `${service}/${pipes.kafka}`],
  ["Organization", () => engine.api.organizationId],
])("an imported %s has each required output", async (type, id) => {
  expectAll(type, (await engine.read(type, "one", id())).state);
});

test.each<[string, Properties]>([
  ["Service", {}],
  ["ServiceScaling", { serviceId: service }],
  ["Pipe", { serviceId: service, pipeId: pipes.kafka }],
])(
  "a %s without optional arguments has only the required outputs, and a new service its password",
  async (type, args) => {
    const { state } = await up(engine, type, "one", args);
    const isPresent = (name: string) =>
      !name.startsWith("__") && name !== "password" && state[name] !== null;
    const present = Object.keys(state).filter(isPresent);
    expect(present.sort()).toEqual(requiredOf(type));
  },
);
