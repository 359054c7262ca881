import { z } from "zod";

/*
 * What responses look like. They stay open: fields that are not listed and new enum values pass, absent ones (null is
 * absent, too) are fine. A field of another type than the specification's is not: the answer cannot be trusted then.
 */

const text = z.string().optional();
const amount = z.number().optional();
const flag = z.boolean().optional();
const list = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).optional();

/** What is longer is no id: it would only fill states and messages. */
const LONGEST_ID = 200;
export const objectId = z.string().min(1).max(LONGEST_ID);

export const service = z.looseObject({
  id: objectId,
  name: text,
  engineVersion: text,
  endpoints: list(z.looseObject({ protocol: text, host: text, port: amount, username: text })),
  minTotalMemoryGb: amount,
  maxTotalMemoryGb: amount,
  minReplicaMemoryGb: amount,
  maxReplicaMemoryGb: amount,
  numReplicas: amount,
  idleScaling: flag,
  idleTimeoutMinutes: amount,
  ipAccessList: list(z.looseObject({ source: z.string(), description: text })),
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

export const created = z.looseObject({ service, password: text });

export const organization = z.looseObject({
  id: objectId,
  createdAt: text,
  name: text,
  privateEndpoints: list(z.looseObject({ id: z.string(), description: text })),
  byocConfig: list(z.looseObject({ id: text, accountName: text })),
});

const UNITS: Readonly<Record<string, number>> = { "": 1, m: 0.001, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** An amount that may also come as a text with a unit of its own, as `2000m` or `4Gi`. */
function quantity(unit: "m" | "Gi") {
  const inUnit = (given: string) => {
    const [, number, suffix = ""] = /^(\d+(?:\.\d+)?)(m|Ki|Mi|Gi|Ti)?$/.exec(given.trim()) ?? [];
    return number === undefined ? given : (Number(number) * (UNITS[suffix] ?? 1)) / (UNITS[unit] ?? 1);
  };
  return z.preprocess((value) => (typeof value === "string" ? inUnit(value) : value), amount);
}

export const pipeSettings = z.looseObject({
  streaming_max_insert_wait_ms: amount,
  object_storage_concurrency: amount,
  object_storage_polling_interval_ms: amount,
  object_storage_max_insert_bytes: amount,
  object_storage_max_file_count: amount,
  engine_max_threads: amount,
  engine_max_insert_threads: amount,
  engine_min_insert_block_size_bytes: amount,
  engine_max_download_threads: amount,
  engine_parallel_distributed_insert_select: amount,
  object_storage_use_cluster_function: flag,
  engine_parallel_view_processing: flag,
});

const tableMapping = z.looseObject({
  sourceSchemaName: text,
  sourceTable: text,
  targetTable: text,
  excludedColumns: list(z.string()),
  useCustomSortingKey: flag,
  sortingKeys: list(z.string()),
});

const source = z.looseObject({
  kafka: z
    .looseObject({
      brokers: text,
      topics: text,
      consumerGroup: text,
      iamRole: text,
      offset: z.looseObject({ timestamp: text }).optional(),
      schemaRegistry: z.looseObject({ url: text, caCertificate: text }).optional(),
      caCertificate: text,
      reversePrivateEndpointIds: list(z.string()),
    })
    .optional(),
  objectStorage: z
    .looseObject({
      url: text,
      delimiter: text,
      compression: text,
      isContinuous: flag,
      queueUrl: text,
      iamRole: text,
      connectionString: text,
      path: text,
      azureContainerName: text,
    })
    .optional(),
  kinesis: z
    .looseObject({ streamName: text, region: text, useEnhancedFanOut: flag, timestamp: amount, iamRole: text })
    .optional(),
  postgres: z
    .looseObject({
      host: text,
      port: amount,
      database: text,
      settings: z
        .looseObject({
          syncIntervalSeconds: amount,
          pullBatchSize: amount,
          publicationName: text,
          replicationSlotName: text,
          allowNullableColumns: flag,
          initialLoadParallelism: amount,
          snapshotNumRowsPerPartition: amount,
          snapshotNumberOfParallelTables: amount,
          enableFailoverSlots: flag,
        })
        .optional(),
      tableMappings: list(tableMapping),
    })
    .optional(),
});

const destination = z.looseObject({
  database: text,
  table: text,
  managedTable: flag,
  tableDefinition: z
    .looseObject({
      engine: z.looseObject({ versionColumnId: text, columnIds: list(z.string()) }).optional(),
      sortingKey: list(z.string()),
      partitionBy: text,
      primaryKey: text,
    })
    .optional(),
  columns: list(z.looseObject({ name: text, type: text })),
});

export const pipe = z.looseObject({
  id: objectId,
  serviceId: text,
  name: text,
  state: text,
  scaling: z
    .looseObject({
      replicas: amount,
      concurrency: amount,
      replicaCpuMillicores: quantity("m"),
      replicaMemoryGb: quantity("Gi"),
    })
    .optional(),
  source: source.optional(),
  destination: destination.optional(),
  fieldMappings: list(z.looseObject({ sourceField: text, destinationField: text })),
  settings: pipeSettings.optional(),
  createdAt: text,
  updatedAt: text,
});

export const alert = z.looseObject({
  id: objectId,
  name: text,
  message: text,
  threshold: amount,
  interval: text,
  thresholdType: text,
  source: text,
  state: text,
  channel: z.looseObject({ type: text, webhookId: text }).optional(),
  team: text,
  tileId: text,
  dashboard: text,
  createdAt: text,
  updatedAt: text,
});

const series = z.looseObject({
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

const tile = z.looseObject({
  id: text,
  name: text,
  x: amount,
  y: amount,
  w: amount,
  h: amount,
  asRatio: flag,
  series: list(series),
});

export const dashboards = z.array(
  z.looseObject({ id: objectId, name: text, tiles: list(tile), tags: list(z.string()) }),
);
