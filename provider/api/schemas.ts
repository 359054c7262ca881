import { isRecord } from "pulumi-clouddb-facts";
import { z } from "zod";

/*
 * Schemas of responses. Unknown enum values and absent members are accepted, null counts as absent,
 * and undocumented members are dropped.
 */

/** Replaces a result member of an undocumented type. Its value is unknown. */
const INVALID = Symbol("invalid");

/** A member that a response may lack. */
const member = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().catch(INVALID as never);

const text = member(z.string());
/** An integer in SDKs, although a server may show a fraction. */
const count = member(z.number().meta({ type: "integer" }));
/** A number that may be a fraction, or exceed the 32-bit integers of some SDKs. */
const amount = member(z.number());
const flag = member(z.boolean());
const list = <Entry extends z.ZodType>(entry: Entry) => member(z.array(entry));
const group = <Shape extends z.ZodRawShape>(shape: Shape) => member(z.object(shape));

/** Longer texts are not ids and would fill states and messages. */
const LONGEST_ID = 200;
const objectId = z.string().min(1).max(LONGEST_ID);

export const service = z.object({
  id: objectId,
  name: text,
  engineVersion: text,
  endpoints: list(z.object({ protocol: text, host: text, port: count, username: text })),
  minTotalMemoryGb: count,
  maxTotalMemoryGb: count,
  minReplicaMemoryGb: count,
  maxReplicaMemoryGb: count,
  numReplicas: count,
  idleScaling: flag,
  idleTimeoutMinutes: count,
  ipAccessList: list(z.object({ source: z.string(), description: text })),
  createdAt: text,
  encryptionKey: text,
  encryptionAssumedRoleIdentifier: text,
  iamRole: text,
  privateEndpointIds: list(z.string()),
  availablePrivateEndpointIds: list(z.string()),
  dataWarehouseId: text,
  isPrimary: flag,
  isReadonly: flag,
  byocId: text,
  hasTransparentDataEncryption: flag,
  transparentDataEncryptionKeyId: text,
  encryptionRoleId: text,
});

export const created = z.object({ service, password: text });

export const organization = z.object({
  id: objectId,
  createdAt: text,
  name: text,
  privateEndpoints: list(z.object({ id: z.string(), description: text })),
  byocConfig: list(z.object({ id: text, accountName: text })),
});

/** The suffixes of Kubernetes quantities. */
const UNITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((name, at) => [name, 1000 ** (at - 3)]),
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((name, at) => [name, 1024 ** (at + 1)]),
]);

const QUANTITY = /^(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/;

/** An amount, or a text with a unit such as `2000m`, `4Gi` or `4G`. */
function quantity(unit: "m" | "Gi") {
  const inUnit = (text: string) => {
    const [, number, suffix = ""] = QUANTITY.exec(text.trim()) ?? [];
    if (number === undefined) return text;
    const base = Number(number) * (UNITS[suffix] ?? 1);
    // Fewer bytes must be an amount in a unit that the text omits.
    if (unit === "Gi" && base !== 0 && base < 2 ** 20) return text;
    const value = base / (UNITS[unit] ?? 1);
    return unit === "m" ? Math.round(value) : value;
  };
  const schema = unit === "m" ? count : amount;
  return z.preprocess((value) => (typeof value === "string" ? inUnit(value) : value), schema);
}

export const pipeSettings = z.object({
  streaming_max_insert_wait_ms: count,
  object_storage_concurrency: count,
  object_storage_polling_interval_ms: count,
  object_storage_max_insert_bytes: amount,
  object_storage_max_file_count: count,
  engine_max_threads: count,
  engine_max_insert_threads: count,
  engine_min_insert_block_size_bytes: amount,
  engine_max_download_threads: count,
  engine_parallel_distributed_insert_select: count,
  object_storage_use_cluster_function: flag,
  engine_parallel_view_processing: flag,
});

const tableMapping = z.object({
  sourceSchemaName: text,
  sourceTable: text,
  targetTable: text,
  excludedColumns: list(z.string()),
  useCustomSortingKey: flag,
  sortingKeys: list(z.string()),
});

const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0;

/** A kind of source. Some servers send an empty object for each kind that the pipe lacks. */
function kind<Shape extends z.ZodRawShape>(shape: Shape) {
  // A kind is unknown, not empty, if all its members are invalid.
  const known = z
    .object(shape)
    .refine((kind) => isEmpty(kind) || Object.values(kind).some((value) => value !== INVALID));
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), member(known));
}

const kafka = {
  brokers: text,
  topics: text,
  consumerGroup: text,
  iamRole: text,
  offset: group({ timestamp: text }),
  schemaRegistry: group({ url: text, caCertificate: text }),
  caCertificate: text,
  reversePrivateEndpointIds: list(z.string()),
};
const objectStorage = {
  url: text,
  delimiter: text,
  compression: text,
  isContinuous: flag,
  queueUrl: text,
  iamRole: text,
  path: text,
  azureContainerName: text,
};
const kinesis = {
  streamName: text,
  region: text,
  useEnhancedFanOut: flag,
  timestamp: amount,
  iamRole: text,
};
const postgres = {
  host: text,
  port: count,
  database: text,
  settings: group({
    syncIntervalSeconds: count,
    pullBatchSize: count,
    publicationName: text,
    replicationSlotName: text,
    allowNullableColumns: flag,
    initialLoadParallelism: count,
    snapshotNumRowsPerPartition: count,
    snapshotNumberOfParallelTables: count,
    enableFailoverSlots: flag,
  }),
  tableMappings: list(tableMapping),
};

/** A source without its secret. */
export const source = z.object({
  kafka: kind(kafka),
  objectStorage: kind(objectStorage),
  kinesis: kind(kinesis),
  postgres: kind(postgres),
});

export const destination = z.object({
  database: text,
  table: text,
  managedTable: flag,
  tableDefinition: group({
    engine: group({ versionColumnId: text, columnIds: list(z.string()) }),
    sortingKey: list(z.string()),
    partitionBy: text,
    primaryKey: text,
  }),
  columns: list(z.object({ name: text, type: text })),
});

export const pipe = z.object({
  id: objectId,
  serviceId: text,
  name: text,
  state: text,
  scaling: group({
    replicas: count,
    concurrency: count,
    replicaCpuMillicores: quantity("m"),
    replicaMemoryGb: quantity("Gi"),
  }),
  // A source without a kind is absent. An empty source has a kind outside the specification.
  source: z.preprocess(
    (value) =>
      isRecord(value) && Object.values(value).every((kind) => !isRecord(kind) || isEmpty(kind))
        ? undefined
        : value,
    member(source.extend({ objectStorage: kind({ ...objectStorage, connectionString: text }) })),
  ),
  destination: member(destination),
  fieldMappings: list(z.object({ sourceField: text, destinationField: text })),
  settings: member(pipeSettings),
  createdAt: text,
  updatedAt: text,
});

export const alert = z.object({
  id: objectId,
  name: text,
  message: text,
  threshold: amount,
  interval: text,
  thresholdType: text,
  source: text,
  state: text,
  channel: group({ type: text, webhookId: text }),
  team: text,
  tileId: text,
  dashboard: text,
  createdAt: text,
  updatedAt: text,
});

const series = z.object({
  sourceId: text,
  aggFn: text,
  where: text,
  groupBy: list(z.string()),
  field: text,
  whereLanguage: text,
  metricName: text,
  metricDataType: text,
  type: text,
  dataSource: text,
});

const tile = z.object({
  id: text,
  name: text,
  x: count,
  y: count,
  w: count,
  h: count,
  asRatio: flag,
  series: list(series),
});

export const dashboards = z.array(
  z.object({ id: objectId, name: text, tiles: list(tile), tags: list(z.string()) }),
);
