import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldPathsOf } from "../fields";
import { type Conversion, convert, type Omitted } from "./convert";
import { importsFile, programFile, report } from "./files";
import { attributeOf, COUNTERPARTS } from "./names";
import { readState } from "./state";

const uuid = (number: number) => `a1b2c3d4-0001-4a53-9c1e-00000000000${number}`;
const SERVICE = uuid(1);
const text = readFileSync(join(__dirname, "../../tests/support/terraform/terraform.tfstate"), "utf8");

interface Instance extends Record<string, unknown> {
  readonly attributes: Record<string, unknown>;
}

const resource = (type: string, name: string, instance: Instance, more: object = {}) => ({
  ...{ mode: "managed", type, name, provider: 'provider["registry.opentofu.org/clickhouse/clickhouse"]' },
  ...{ instances: [instance], ...more },
});
const service = (attributes: object = {}, instance: object = {}) =>
  resource("clickhouse_service", "db", { attributes: { id: SERVICE, ...attributes }, ...instance });
const sensitive = (...names: string[]) => ({
  sensitive_attributes: names.map((name) => [{ type: "get_attr", value: name }]),
});
const converted = (...resources: object[]): Conversion => convert(readState(JSON.stringify({ version: 4, resources })));

/** The arguments of the first resource. */
const propertiesOf = (...resources: object[]) => converted(...resources).resources[0]?.properties ?? {};
const resultsOf = (...resources: object[]) => converted(...resources).outcomes.map(({ result }) => result);
const omittedOf = (...resources: object[]): Partial<Omitted> => converted(...resources).outcomes[0]?.omitted ?? {};

test("each attribute is an argument of the table, or in the report", () => {
  expect(propertiesOf(service({ num_replicas: 3, cloud_provider: "aws", tags: { team: "data" } }))).toEqual({
    existingServiceId: SERVICE,
    numReplicas: 3,
  });
  expect(omittedOf(service({ num_replicas: 3, cloud_provider: "aws", tags: { team: "data" } }))).toEqual({
    secret: [],
    undeclared: ["cloud_provider"],
    refused: [],
    unmanaged: ["tags.team"],
  });
  // Unset attributes, and those that only the API sets.
  const quiet = { tags: null, backup_id: "", enable_core_dumps: false, query_api_endpoints: {}, iam_role: "arn" };
  expect(Object.values(omittedOf(service({ ...quiet, is_primary: true }))).flat()).toEqual([]);
});

test.each(Object.keys(COUNTERPARTS))("exceptions of %s are arguments of the table", (type) => {
  const { definition, attributes } = COUNTERPARTS[type] as (typeof COUNTERPARTS)[string];
  const names = fieldPathsOf(definition.fields).map(({ name }) => name);
  expect(Object.keys(attributes).filter((name) => !names.includes(name))).toEqual([]);
});

test("names are the arguments' in snake case, except for the listed ones", () => {
  const place = (type: string, name: string) =>
    attributeOf(COUNTERPARTS[type] as (typeof COUNTERPARTS)[string], { name, path: name.split(".") }).join(".");
  expect(place("clickhouse_service", "minReplicaMemoryGb")).toBe("min_replica_memory_gb");
  expect(place("clickhouse_service", "ipAccessList")).toBe("ip_access");
  expect(place("clickhouse_clickpipe", "source.objectStorage.azureContainerName")).toBe(
    "source.object_storage.azure_container_name",
  );
});

test("secrets get no further, whoever knows that they are secret", () => {
  const { resources, outcomes } = convert(readState(text));
  const conversion = { resources, outcomes };
  for (const written of [importsFile(conversion), programFile("x", conversion), report(conversion)]) {
    expect(written).not.toMatch(/canary|Y2FuYXJ5LWhhc2g=|com\.amazonaws/);
  }
  const marked = service(
    { name: "Orders", ip_access: [{ source: "203.0.113.7", description: null }], encryption_key: "key", password: "x" },
    {
      sensitive_attributes: [
        [{ type: "get_attr", value: "name" }],
        // Terraform also lists what is not set.
        [{ type: "get_attr", value: "password_hash" }],
        [
          { type: "get_attr", value: "ip_access" },
          { type: "index", value: { value: 0, type: "number" } },
          { type: "get_attr", value: "source" },
        ],
      ],
    },
  );
  expect(propertiesOf(marked)).toEqual({ existingServiceId: SERVICE });
  expect(omittedOf(marked).secret).toEqual(["encryption_key", "ip_access", "name", "password"]);
});

test("a value that is not allowed here is left out", () => {
  const odd = service({ name: "orders_eu", num_replicas: 40 });
  expect(propertiesOf(odd)).toEqual({ existingServiceId: SERVICE });
  expect(omittedOf(odd).refused).toEqual(["name", "num_replicas"]);
});

test("entries of lists have the members that they have here", () => {
  const mapping = { source_schema_name: "public", source_table: "a", target_table: "b", excluded_columns: null };
  const pipe = resource("clickhouse_clickpipe", "p", {
    attributes: {
      id: SERVICE,
      service_id: SERVICE,
      source: { kafka: null, postgres: { table_mappings: [{ ...mapping, table_engine: "MergeTree" }] } },
    },
  });
  expect(propertiesOf(pipe).source).toEqual({
    postgres: { tableMappings: [{ sourceSchemaName: "public", sourceTable: "a", targetTable: "b" }] },
  });
});

test("what is a resource in Terraform and an argument here is on its service", () => {
  const parts = [
    resource("clickhouse_service_private_endpoints_attachment", "a", {
      attributes: { service_id: SERVICE, private_endpoint_ids: ["vpce-1"] },
    }),
    resource("clickhouse_service_transparent_data_encryption_key_association", "k", {
      attributes: { service_id: SERVICE, key_id: "key-1" },
    }),
  ];
  expect(propertiesOf(service(), ...parts)).toEqual({
    existingServiceId: SERVICE,
    privateEndpointIds: ["vpce-1"],
    transparentDataEncryptionKeyId: "key-1",
  });
  expect(converted(service(), ...parts).outcomes[1]?.result).toBe("privateEndpointIds of Service db");
  expect(converted(...parts).outcomes[0]?.result).toBe("skipped: its service is not in this state");
});

test("names are unique, and made of module, name and index", () => {
  const pipes = [3, 4].map((number) =>
    resource("clickhouse_clickpipe", "db", { attributes: { id: uuid(number), service_id: SERVICE } }),
  );
  const inModule = resource(
    "clickhouse_service",
    "db",
    { index_key: "eu west", attributes: { id: uuid(2) } },
    { module: 'module.a["b"].module.c[0]' },
  );
  const { resources, outcomes } = converted(...pipes, service(), inModule);
  expect(resources.map(({ name }) => name)).toEqual(["db", "a-b-c-0-db-eu-west", "db-pipe", "db-pipe-2"]);
  expect(outcomes[1]?.address).toBe('module.a["b"].module.c[0].clickhouse_service.db["eu west"]');
});

test("names have all letters of Terraform's, and none that Pulumi reserves", () => {
  const named = (name: string, number: number) =>
    resource("clickhouse_service", name, { index_key: number, attributes: { id: uuid(number) } });
  const { resources } = converted(named("データ", 1), named("größe", 2));
  expect(resources.map(({ name }) => name)).toEqual(["データ-1", "größe-2"]);
  const reserved = resource("clickhouse_service", "pulumi", { attributes: { id: SERVICE } });
  expect(converted(reserved).resources[0]?.name).toBe("pulumi-service");
  const odd = { ...reserved, provider: 'provider["registry.terraform.io/clickhouse/clickhouse"].küche' };
  expect(resultsOf(odd)).toEqual(["Service pulumi-service, managed with the provider küche"]);
});

test.each(["null", "true", "No", "1", "データ"])("the name %s stays a text in the program", (name) => {
  const program = programFile("x", converted(resource("clickhouse_service", name, { attributes: { id: SERVICE } })));
  expect(program).toContain(`\nresources:\n  "${name}":\n    type: `);
});

test("parts are complete, or left out", () => {
  const attachment = (name: string, ids: string[], instance: object = {}) =>
    resource("clickhouse_service_private_endpoints_attachment", name, {
      attributes: { service_id: SERVICE, private_endpoint_ids: ids },
      ...instance,
    });
  const two = [attachment("a", ["vpce-1", "vpce-2"]), attachment("b", ["vpce-2", "vpce-3"])];
  expect(propertiesOf(service(), ...two).privateEndpointIds).toEqual(["vpce-1", "vpce-2", "vpce-3"]);
  const deposed = attachment("old", ["vpce-0"], { deposed: "00000001" });
  expect(propertiesOf(service(), ...two, deposed).privateEndpointIds).toEqual(["vpce-1", "vpce-2", "vpce-3"]);
  // Without the secret endpoints, the list would detach them.
  const secret = attachment("c", ["vpce-4"], sensitive("private_endpoint_ids"));
  expect(propertiesOf(service(), two[0] as object, secret)).toEqual({ existingServiceId: SERVICE });
  const reason =
    "skipped: private_endpoint_ids of clickhouse_service_private_endpoints_attachment.c is secret, not written";
  expect(resultsOf(service(), two[0] as object, secret)).toEqual(["Service db", reason, reason]);
});

test("a service has one key, and not a deposed one", () => {
  const key = (id: string, instance: object = {}) =>
    resource("clickhouse_service_transparent_data_encryption_key_association", "k", {
      attributes: { service_id: SERVICE, key_id: id },
      ...instance,
    });
  const old = key("old", { deposed: "00000001" });
  expect(propertiesOf(service(), key("new"), old).transparentDataEncryptionKeyId).toBe("new");
  const [first, second] = [key("first"), { ...key("second"), name: "again" }];
  expect(propertiesOf(service(), first, second).transparentDataEncryptionKeyId).toBe("first");
  expect(resultsOf(service(), first, second)).toEqual([
    "Service db",
    "transparentDataEncryptionKeyId of Service db",
    "skipped: the service has the key_id of clickhouse_service_transparent_data_encryption_key_association.k",
  ]);
});

test("an object is imported once", () => {
  const pipe = resource("clickhouse_clickpipe", "p", { attributes: { id: uuid(3), service_id: SERVICE } });
  const again = { ...service({ id: SERVICE.toUpperCase() }), name: "again" };
  const { resources } = converted(service(), again, pipe, { ...pipe, name: "q" });
  expect(resources.map(({ importId }) => importId)).toEqual([SERVICE, `${SERVICE}/${uuid(3)}`]);
  expect(resultsOf(service(), again, pipe, { ...pipe, name: "q" })).toEqual([
    "Service db",
    "skipped: the same object as clickhouse_service.db",
    "Pipe p",
    "skipped: the same object as clickhouse_clickpipe.p",
  ]);
});

const legacy = { attributes: undefined, attributes_flat: { id: SERVICE } };
const LEGACY =
  "skipped: its attributes have the format of Terraform 0.11. Run `terraform apply -refresh-only`, and convert again";
test.each([
  ["an invalid ID", service({ id: "abc" }), /^skipped: its id must be a UUID such as /],
  [
    "an invalid ID of its service",
    resource("clickhouse_clickpipe", "p", { attributes: { id: SERVICE, service_id: "abc" } }),
    /^skipped: its service_id must be a UUID such as /,
  ],
  ["a secret ID", service({}, sensitive("id")), "skipped: its id is secret, not written"],
  ["only secrets", service({}, { sensitive_attributes: [[]] }), "skipped: its id is secret, not written"],
  [
    "a secret ID of its service",
    resource("clickhouse_service_private_endpoints_attachment", "a", {
      ...{ attributes: { service_id: SERVICE }, ...sensitive("service_id") },
    }),
    "skipped: its service_id is secret, not written",
  ],
  ["attributes of Terraform 0.11", service({}, legacy), LEGACY],
])("%s says so, and nothing is created", (_, object, reason) => {
  const { resources, outcomes } = converted(object);
  expect(resources).toEqual([]);
  expect(outcomes[0]?.result).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
});

test.each(['{"version":4}', '{"version":"1.2.3","resources":[]}'])("%s is not a state", (other) => {
  expect(() => readState(other)).toThrow("the file is not a state of Terraform.");
});

test("what cannot be converted says why, and which provider managed the rest", () => {
  const results = converted(
    service({}, { deposed: "00000001" }),
    service({ id: null }),
    resource("clickhouse_role", "reader", { attributes: { id: "x" } }),
    { ...service(), provider: 'provider["registry.terraform.io/clickhouse/clickhouse"].eu' },
  ).outcomes.map(({ result }) => result);
  expect(results).toEqual([
    "skipped: Terraform has replaced this object, and has not deleted it yet",
    "skipped: it has no ID, so Terraform has not finished creating it",
    "Service db, managed with the provider eu",
    "skipped: no resource of this provider manages it. It stays as it is",
  ]);
});

test("a text stays a text in the program", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a state may have it
  const description = 'it\'s "$5": ${here} #1\n- x';
  const program = programFile("x", converted(service({ ip_access: [{ source: "203.0.113.7", description }] })));
  expect(program).toContain(`description: "it's \\"$$5\\": $\${here} #1\\n- x"\n`);
});
