import { BOOLEAN, bodyOf, type JsonSchema, listOf, NUMBER, objectOf, schemaRef, TEXT, UUID } from "./json-schema";

/** A field of a pipe or of a part of it, in the body of an update and in responses. */
interface PipeField {
  readonly update?: JsonSchema;
  readonly response?: JsonSchema;
  /** Never shown, whatever a response may contain. */
  readonly secret?: true;
}

type PipeTable = Readonly<Record<string, PipeField>>;

const CREDENTIALS = objectOf({ username: TEXT, password: TEXT }, "username", "password");
const ACCESS_KEY = objectOf({ accessKeyId: TEXT, secretKey: TEXT }, "accessKeyId", "secretKey");
const MAPPING_KEY = { sourceSchemaName: TEXT, sourceTable: TEXT, targetTable: TEXT };

/** Fields that only responses contain. */
function readOnly(schema: JsonSchema, ...names: readonly string[]): PipeTable {
  return Object.fromEntries(names.map((name) => [name, { response: schema }]));
}

const kafkaFields: PipeTable = {
  ...readOnly(TEXT, "brokers", "topics", "consumerGroup"),
  iamRole: { update: TEXT, response: TEXT },
  offset: { response: objectOf({ timestamp: TEXT }) },
  schemaRegistry: { response: objectOf({ url: TEXT, caCertificate: TEXT }) },
  caCertificate: { update: TEXT, response: TEXT },
  reversePrivateEndpointIds: { update: listOf(TEXT), response: listOf(TEXT) },
  credentials: { update: CREDENTIALS, secret: true },
};

const objectStorageFields: PipeTable = {
  ...readOnly(TEXT, "url", "delimiter", "compression", "queueUrl"),
  isContinuous: { response: BOOLEAN },
  iamRole: { update: TEXT, response: TEXT },
  connectionString: { update: TEXT, response: TEXT, secret: true },
  path: { update: TEXT, response: TEXT },
  azureContainerName: { update: TEXT, response: TEXT },
  accessKey: { update: ACCESS_KEY, secret: true },
};

const kinesisFields: PipeTable = {
  streamName: { response: TEXT },
  region: { response: TEXT },
  useEnhancedFanOut: { response: BOOLEAN },
  timestamp: { response: NUMBER },
  iamRole: { update: TEXT, response: TEXT },
  accessKey: { update: ACCESS_KEY, secret: true },
};

const postgresSettings: PipeTable = {
  syncIntervalSeconds: { update: NUMBER, response: NUMBER },
  pullBatchSize: { update: NUMBER, response: NUMBER },
  publicationName: { response: TEXT },
  replicationSlotName: { response: TEXT },
  allowNullableColumns: { response: BOOLEAN },
  initialLoadParallelism: { response: NUMBER },
  snapshotNumRowsPerPartition: { response: NUMBER },
  snapshotNumberOfParallelTables: { response: NUMBER },
  enableFailoverSlots: { response: BOOLEAN },
};

const postgresFields: PipeTable = {
  host: { update: TEXT, response: TEXT },
  port: { update: NUMBER, response: NUMBER },
  database: { update: TEXT, response: TEXT },
  credentials: { update: CREDENTIALS, secret: true },
  settings: { update: bodyOf(postgresSettings, "update"), response: bodyOf(postgresSettings, "response") },
  tableMappings: { response: listOf(schemaRef("TableMapping")) },
  tableMappingsToAdd: { update: listOf(schemaRef("TableMapping")) },
  tableMappingsToRemove: { update: listOf(objectOf(MAPPING_KEY, ...Object.keys(MAPPING_KEY))) },
};

const sources = {
  kafka: kafkaFields,
  objectStorage: objectStorageFields,
  kinesis: kinesisFields,
  postgres: postgresFields,
};

function sourceTable(): PipeTable {
  const table: Record<string, PipeField> = {};
  for (const [kind, fields] of Object.entries(sources)) {
    table[kind] = { update: bodyOf(fields, "update"), response: bodyOf(fields, "response") };
  }
  return { ...table, validateSamples: { update: BOOLEAN } };
}

const COLUMN = { name: TEXT, type: TEXT };
const destinationFields: PipeTable = {
  database: { response: TEXT },
  table: { response: TEXT },
  managedTable: { response: BOOLEAN },
  tableDefinition: {
    response: objectOf({
      engine: objectOf({ versionColumnId: TEXT, columnIds: listOf(TEXT) }),
      sortingKey: listOf(TEXT),
      partitionBy: TEXT,
      primaryKey: TEXT,
    }),
  },
  columns: { update: listOf(objectOf(COLUMN, "name", "type")), response: listOf(objectOf(COLUMN)) },
};

const FIELD_MAPPING = { sourceField: TEXT, destinationField: TEXT };
const pipeFields: PipeTable = {
  id: { response: UUID },
  serviceId: { response: UUID },
  name: { update: { type: ["string", "null"] }, response: TEXT },
  state: { response: TEXT },
  scaling: {
    response: objectOf({
      replicas: NUMBER,
      concurrency: NUMBER,
      replicaCpuMillicores: NUMBER,
      replicaMemoryGb: NUMBER,
    }),
  },
  source: { update: bodyOf(sourceTable(), "update"), response: schemaRef("PipeSource") },
  destination: { update: bodyOf(destinationFields, "update"), response: bodyOf(destinationFields, "response") },
  fieldMappings: {
    update: listOf(objectOf(FIELD_MAPPING, "sourceField", "destinationField")),
    response: listOf(objectOf(FIELD_MAPPING)),
  },
  settings: { update: schemaRef("PipeSettings"), response: schemaRef("PipeSettings") },
  createdAt: { response: TEXT },
  updatedAt: { response: TEXT },
};

const pipeSettings = {
  streaming_max_insert_wait_ms: NUMBER,
  object_storage_concurrency: NUMBER,
  object_storage_polling_interval_ms: NUMBER,
  object_storage_max_insert_bytes: NUMBER,
  object_storage_max_file_count: NUMBER,
  engine_max_threads: NUMBER,
  engine_max_insert_threads: NUMBER,
  engine_min_insert_block_size_bytes: NUMBER,
  engine_max_download_threads: NUMBER,
  engine_parallel_distributed_insert_select: NUMBER,
  object_storage_use_cluster_function: BOOLEAN,
  engine_parallel_view_processing: BOOLEAN,
};

/** The fields of sources that no response shows. */
export const secretSourceFields: ReadonlySet<string> = new Set(
  Object.values(sources).flatMap((fields) => Object.keys(fields).filter((name) => fields[name]?.secret)),
);

export const pipeSchemas = {
  TableMapping: objectOf(
    { ...MAPPING_KEY, excludedColumns: listOf(TEXT), useCustomSortingKey: BOOLEAN, sortingKeys: listOf(TEXT) },
    ...Object.keys(MAPPING_KEY),
  ),
  PipeSettings: objectOf(pipeSettings),
  UpdatePipe: bodyOf(pipeFields, "update"),
  PipeSource: bodyOf(sourceTable(), "response"),
  Pipe: bodyOf(pipeFields, "response", "id"),
};
