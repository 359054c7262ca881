import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldPathsOf } from "../fields";
import { type Conversion, convert, type Omitted } from "./convert";
import { importsFile, programFile, report } from "./files";
import { attributeOf, COUNTERPARTS } from "./names";
import { readState } from "./state";

const SERVICE = "a1b2c3d4-0001-4a53-9c1e-000000000001";
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
const converted = (...resources: object[]): Conversion => convert(readState(JSON.stringify({ version: 4, resources })));

/** The arguments of the first resource. */
const propertiesOf = (...resources: object[]) => converted(...resources).resources[0]?.properties ?? {};
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
  // What nobody has set, and what only the API sets.
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
  const pipes = ["x", "y"].map((id) => resource("clickhouse_clickpipe", "db", { attributes: { id, service_id: "s" } }));
  const inModule = resource(
    "clickhouse_service",
    "db",
    { index_key: "eu west", attributes: { id: "s2" } },
    { module: 'module.a["b"].module.c[0]' },
  );
  const { resources, outcomes } = converted(...pipes, service(), inModule);
  expect(resources.map(({ name }) => name)).toEqual(["db", "a-b-c-0-db-eu-west", "db-pipe", "db-pipe-2"]);
  expect(outcomes[1]?.address).toBe('module.a["b"].module.c[0].clickhouse_service.db["eu west"]');
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
