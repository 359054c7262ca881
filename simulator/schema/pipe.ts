import { z } from "zod";
import { count, flag, id, partial, text, type ValueOf } from "./shapes";

/** Request bodies and responses for pipes, as in the specification. */

const credentials = z.strictObject({ username: text, password: text });
const accessKey = z.strictObject({ accessKeyId: text, secretKey: text });
const mappingKey = { sourceSchemaName: text, sourceTable: text, targetTable: text };
const column = { name: text, type: text };
const fieldMapping = { sourceField: text, destinationField: text };

const TableMapping = z.strictObject({
  ...mappingKey,
  excludedColumns: z.array(text).optional(),
  useCustomSortingKey: flag.optional(),
  sortingKeys: z.array(text).optional(),
});

export const PipeSettings = partial({
  streaming_max_insert_wait_ms: count,
  object_storage_concurrency: count,
  object_storage_polling_interval_ms: count,
  object_storage_max_insert_bytes: count,
  object_storage_max_file_count: count,
  engine_max_threads: count,
  engine_max_insert_threads: count,
  engine_min_insert_block_size_bytes: count,
  engine_max_download_threads: count,
  engine_parallel_distributed_insert_select: count,
  object_storage_use_cluster_function: flag,
  engine_parallel_view_processing: flag,
});

/** The source members that updates can change and responses show. */
const kafka = { iamRole: text, caCertificate: text, reversePrivateEndpointIds: z.array(text) };
const objectStorage = {
  iamRole: text,
  connectionString: text,
  path: text,
  azureContainerName: text,
};
const kinesis = { iamRole: text };
const postgres = { host: text, port: count, database: text };
const postgresSettings = { syncIntervalSeconds: count, pullBatchSize: count };

export const UpdatePipe = partial({
  name: text.nullable(),
  source: partial({
    kafka: partial({ ...kafka, credentials }),
    objectStorage: partial({ ...objectStorage, accessKey }),
    kinesis: partial({ ...kinesis, accessKey }),
    postgres: partial({
      ...postgres,
      credentials,
      settings: partial(postgresSettings),
      tableMappingsToAdd: z.array(TableMapping),
      tableMappingsToRemove: z.array(z.strictObject(mappingKey)),
    }),
    validateSamples: flag,
  }),
  destination: partial({ columns: z.array(z.strictObject(column)) }),
  fieldMappings: z.array(z.strictObject(fieldMapping)),
  settings: PipeSettings,
});

export const PipeResponse = partial({
  serviceId: id,
  name: text,
  state: text,
  scaling: partial({
    replicas: count,
    concurrency: count,
    replicaCpuMillicores: count,
    replicaMemoryGb: count,
  }),
  source: partial({
    kafka: partial({
      ...kafka,
      brokers: text,
      topics: text,
      consumerGroup: text,
      offset: partial({ timestamp: text }),
      schemaRegistry: partial({ url: text, caCertificate: text }),
    }),
    objectStorage: partial({
      ...objectStorage,
      url: text,
      delimiter: text,
      compression: text,
      isContinuous: flag,
      queueUrl: text,
    }),
    kinesis: partial({
      ...kinesis,
      streamName: text,
      region: text,
      useEnhancedFanOut: flag,
      timestamp: count,
    }),
    postgres: partial({
      ...postgres,
      settings: partial({
        ...postgresSettings,
        publicationName: text,
        replicationSlotName: text,
        allowNullableColumns: flag,
        initialLoadParallelism: count,
        snapshotNumRowsPerPartition: count,
        snapshotNumberOfParallelTables: count,
        enableFailoverSlots: flag,
      }),
      tableMappings: z.array(TableMapping),
    }),
  }),
  destination: partial({
    database: text,
    table: text,
    managedTable: flag,
    tableDefinition: partial({
      engine: partial({ versionColumnId: text, columnIds: z.array(text) }),
      sortingKey: z.array(text),
      partitionBy: text,
      primaryKey: text,
    }),
    columns: z.array(partial(column)),
  }),
  fieldMappings: z.array(partial(fieldMapping)),
  settings: PipeSettings,
  createdAt: text,
  updatedAt: text,
}).extend({ id });

export type TableMapping = ValueOf<typeof TableMapping>;
export type UpdatePipe = ValueOf<typeof UpdatePipe>;
export type PipeResponse = ValueOf<typeof PipeResponse>;
