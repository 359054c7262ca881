// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Pipe. */
export interface PipeArgs {
  /**
   * The ID of the organization that owns the service.
   * Must be a UUID.
   * Defaults to clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * Changing this requires replacement.
   * Part of the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The ID of the service that the pipe writes to.
   * Must be a UUID.
   * Changing this requires replacement.
   * Part of the request path.
   */
  serviceId: pulumi.Input<string>;
  /**
   * The ID of the pipe. It must exist, because the API cannot create pipes.
   * Must be a UUID.
   * Changing this requires replacement.
   * Part of the request path.
   */
  pipeId: pulumi.Input<string>;
  /**
   * The name of the pipe.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
   */
  name?: pulumi.Input<string>;
  /**
   * Where the pipe reads from. At most one kind of source may be declared: the one that the pipe has. Arguments that are not declared are left unchanged.
   */
  source?: pulumi.Input<{
    /**
     * A Kafka source.
     */
    kafka?: pulumi.Input<{
      /**
       * The IAM role that the pipe reads with.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      iamRole?: pulumi.Input<string>;
      /**
       * The CA certificate that the brokers' certificates are verified with.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      caCertificate?: pulumi.Input<string>;
      /**
       * The IDs of the reverse private endpoints that reach the brokers.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      reversePrivateEndpointIds?: pulumi.Input<Array<pulumi.Input<string>>>;
      /**
       * The username and password that the pipe reads with. The API never returns them.
       * Stored as a Pulumi secret.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      credentials?: pulumi.Input<{ username: pulumi.Input<string>; password: pulumi.Input<string> }>;
    }>;
    /**
     * An object storage source.
     */
    objectStorage?: pulumi.Input<{
      /**
       * The IAM role that the pipe reads with.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      iamRole?: pulumi.Input<string>;
      /**
       * The connection string of the Azure storage account.
       * Stored as a Pulumi secret.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      connectionString?: pulumi.Input<string>;
      /**
       * The path of the objects inside the container.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      path?: pulumi.Input<string>;
      /**
       * The name of the container in the Azure storage account.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      azureContainerName?: pulumi.Input<string>;
      /**
       * The access key that the pipe reads with. The API never returns it.
       * Stored as a Pulumi secret.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      accessKey?: pulumi.Input<{ accessKeyId: pulumi.Input<string>; secretKey: pulumi.Input<string> }>;
    }>;
    /**
     * A Kinesis source.
     */
    kinesis?: pulumi.Input<{
      /**
       * The IAM role that the pipe reads with.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      iamRole?: pulumi.Input<string>;
      /**
       * The access key that the pipe reads with. The API never returns it.
       * Stored as a Pulumi secret.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      accessKey?: pulumi.Input<{ accessKeyId: pulumi.Input<string>; secretKey: pulumi.Input<string> }>;
    }>;
    /**
     * A Postgres source.
     */
    postgres?: pulumi.Input<{
      /**
       * The hostname of the database server.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      host?: pulumi.Input<string>;
      /**
       * The port of the database server.
       * Must be an integer from 1 to 65535.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      port?: pulumi.Input<number>;
      /**
       * The name of the database to read from.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      database?: pulumi.Input<string>;
      /**
       * The username and password that the pipe reads with. The API never returns them.
       * Stored as a Pulumi secret.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      credentials?: pulumi.Input<{ username: pulumi.Input<string>; password: pulumi.Input<string> }>;
      /**
       * How the source is read.
       */
      settings?: pulumi.Input<{
        /**
         * How often changes are fetched.
         * In seconds.
         * Can be changed in place.
         * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
         */
        syncIntervalSeconds?: pulumi.Input<number>;
        /**
         * The maximum number of changes fetched at a time.
         * Can be changed in place.
         * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
         */
        pullBatchSize?: pulumi.Input<number>;
      }>;
      /**
       * Which table of the source is written to which table of the service. This is the complete list: mappings that the program does not declare are removed.
       * Can be changed in place.
       * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      tableMappings?: pulumi.Input<
        Array<
          pulumi.Input<{
            sourceSchemaName: pulumi.Input<string>;
            sourceTable: pulumi.Input<string>;
            targetTable: pulumi.Input<string>;
            excludedColumns?: pulumi.Input<Array<pulumi.Input<string>>>;
            useCustomSortingKey?: pulumi.Input<boolean>;
            sortingKeys?: pulumi.Input<Array<pulumi.Input<string>>>;
          }>
        >
      >;
    }>;
    /**
     * Whether the API validates a changed source by reading samples from it. It is sent together with a change of the source.
     * Changing this has no effect.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    validateSamples?: pulumi.Input<boolean>;
  }>;
  /**
   * Where the pipe writes to. Arguments that are not declared are left unchanged.
   */
  destination?: pulumi.Input<{
    /**
     * The columns of the destination and their types. This is the complete list.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    columns?: pulumi.Input<Array<pulumi.Input<{ name: pulumi.Input<string>; type: pulumi.Input<string> }>>>;
  }>;
  /**
   * Which field of the source is written to which field of the destination. This is the complete list. The schema of the destination table is not changed.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
   */
  fieldMappings?: pulumi.Input<
    Array<pulumi.Input<{ sourceField: pulumi.Input<string>; destinationField: pulumi.Input<string> }>>
  >;
  /**
   * Performance settings of the pipe. Settings that are not declared are left unchanged.
   */
  settings?: pulumi.Input<{
    /**
     * How long a streaming pipe waits at most before it inserts the rows it has collected.
     * In milliseconds.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    streamingMaxInsertWaitMs?: pulumi.Input<number>;
    /**
     * The number of objects read in parallel from object storage.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageConcurrency?: pulumi.Input<number>;
    /**
     * How often object storage is polled for new objects.
     * In milliseconds.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStoragePollingIntervalMs?: pulumi.Input<number>;
    /**
     * The maximum amount of object storage data in one insert.
     * In bytes.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageMaxInsertBytes?: pulumi.Input<number>;
    /**
     * The maximum number of object storage files in one insert.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageMaxFileCount?: pulumi.Input<number>;
    /**
     * The maximum number of threads of a query of the pipe.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMaxThreads?: pulumi.Input<number>;
    /**
     * The maximum number of threads of an insert.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMaxInsertThreads?: pulumi.Input<number>;
    /**
     * The minimum size of an inserted block.
     * In bytes.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMinInsertBlockSizeBytes?: pulumi.Input<number>;
    /**
     * The maximum number of threads of a download.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMaxDownloadThreads?: pulumi.Input<number>;
    /**
     * How `INSERT … SELECT` queries are distributed over replicas.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineParallelDistributedInsertSelect?: pulumi.Input<number>;
    /**
     * Whether the replicas share the work of reading object storage.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageUseClusterFunction?: pulumi.Input<boolean>;
    /**
     * Whether dependent views are updated in parallel.
     * Can be changed in place.
     * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineParallelViewProcessing?: pulumi.Input<boolean>;
  }>;
}

/** The outputs of a Pipe. */
export interface PipeOutputs {
  /**
   * The ID of the organization that owns the service.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The ID of the service that the pipe writes to.
   */
  readonly serviceId: pulumi.Output<string>;
  /**
   * The ID of the pipe. It must exist, because the API cannot create pipes.
   */
  readonly pipeId: pulumi.Output<string>;
  /**
   * The name of the pipe.
   */
  readonly name: pulumi.Output<string>;
  /**
   * Where the pipe reads from. At most one kind of source may be declared: the one that the pipe has. Arguments that are not declared are left unchanged. This is what the program declares; currentSource is what the API returns.
   */
  readonly source: pulumi.Output<
    | {
        kafka?: {
          iamRole?: string;
          caCertificate?: string;
          reversePrivateEndpointIds?: Array<string>;
          credentials?: { username: string; password: string };
        };
        objectStorage?: {
          iamRole?: string;
          connectionString?: string;
          path?: string;
          azureContainerName?: string;
          accessKey?: { accessKeyId: string; secretKey: string };
        };
        kinesis?: { iamRole?: string; accessKey?: { accessKeyId: string; secretKey: string } };
        postgres?: {
          host?: string;
          port?: number;
          database?: string;
          credentials?: { username: string; password: string };
          settings?: { syncIntervalSeconds?: number; pullBatchSize?: number };
          tableMappings?: Array<{
            sourceSchemaName: string;
            sourceTable: string;
            targetTable: string;
            excludedColumns?: Array<string>;
            useCustomSortingKey?: boolean;
            sortingKeys?: Array<string>;
          }>;
        };
        validateSamples?: boolean;
      }
    | undefined
  >;
  /**
   * Where the pipe writes to. Arguments that are not declared are left unchanged. This is what the program declares; currentDestination is what the API returns.
   */
  readonly destination: pulumi.Output<{ columns?: Array<{ name: string; type: string }> } | undefined>;
  /**
   * Which field of the source is written to which field of the destination. This is the complete list. The schema of the destination table is not changed.
   */
  readonly fieldMappings: pulumi.Output<Array<{ sourceField: string; destinationField: string }>>;
  /**
   * Performance settings of the pipe. Settings that are not declared are left unchanged. This is what the program declares; currentSettings is what the API returns.
   */
  readonly settings: pulumi.Output<PipeSettings | undefined>;
  /**
   * The state of the pipe. It changes without the program.
   */
  readonly state: pulumi.Output<string>;
  /**
   * The size of the pipe: the number of replicas, their concurrency, and the CPU (in millicores) and memory (in GB) of each.
   */
  readonly scaling: pulumi.Output<PipeScaling>;
  /**
   * The source as the API returns it, including what cannot be declared. Credentials, access keys and connection strings are omitted.
   */
  readonly currentSource: pulumi.Output<{
    kafka?: KafkaSource;
    objectStorage?: ObjectStorageSource;
    kinesis?: KinesisSource;
    postgres?: PostgresSource;
  }>;
  /**
   * The destination as the API returns it: database, table, table definition and columns.
   */
  readonly currentDestination: pulumi.Output<PipeDestination>;
  /**
   * All settings as the API returns them, under the names that `settings` uses.
   */
  readonly currentSettings: pulumi.Output<PipeSettings>;
  /**
   * When the pipe was created, in ISO 8601 format.
   */
  readonly createdAt: pulumi.Output<string>;
  /**
   * When the pipe was last changed, in ISO 8601 format.
   */
  readonly updatedAt: pulumi.Output<string>;
}

export type KafkaSource = {
  brokers?: string;
  topics?: string;
  consumerGroup?: string;
  iamRole?: string;
  offset?: { timestamp?: string };
  schemaRegistry?: { url?: string; caCertificate?: string };
  caCertificate?: string;
  reversePrivateEndpointIds?: Array<string>;
};

export type KinesisSource = {
  streamName?: string;
  region?: string;
  useEnhancedFanOut?: boolean;
  timestamp?: number;
  iamRole?: string;
};

export type ObjectStorageSource = {
  url?: string;
  delimiter?: string;
  compression?: string;
  isContinuous?: boolean;
  queueUrl?: string;
  iamRole?: string;
  path?: string;
  azureContainerName?: string;
};

export type PipeDestination = {
  database?: string;
  table?: string;
  managedTable?: boolean;
  tableDefinition?: {
    engine?: { versionColumnId?: string; columnIds?: Array<string> };
    sortingKey?: Array<string>;
    partitionBy?: string;
    primaryKey?: string;
  };
  columns?: Array<{ name?: string; type?: string }>;
};

export type PipeScaling = {
  replicas?: number;
  concurrency?: number;
  replicaCpuMillicores?: number;
  replicaMemoryGb?: number;
};

export type PipeSettings = {
  streamingMaxInsertWaitMs?: number;
  objectStorageConcurrency?: number;
  objectStoragePollingIntervalMs?: number;
  objectStorageMaxInsertBytes?: number;
  objectStorageMaxFileCount?: number;
  engineMaxThreads?: number;
  engineMaxInsertThreads?: number;
  engineMinInsertBlockSizeBytes?: number;
  engineMaxDownloadThreads?: number;
  engineParallelDistributedInsertSelect?: number;
  objectStorageUseClusterFunction?: boolean;
  engineParallelViewProcessing?: boolean;
};

export type PostgresSource = {
  host?: string;
  port?: number;
  database?: string;
  settings?: {
    syncIntervalSeconds?: number;
    pullBatchSize?: number;
    publicationName?: string;
    replicationSlotName?: string;
    allowNullableColumns?: boolean;
    initialLoadParallelism?: number;
    snapshotNumRowsPerPartition?: number;
    snapshotNumberOfParallelTables?: number;
    enableFailoverSlots?: boolean;
  };
  tableMappings?: Array<{
    sourceSchemaName?: string;
    sourceTable?: string;
    targetTable?: string;
    excludedColumns?: Array<string>;
    useCustomSortingKey?: boolean;
    sortingKeys?: Array<string>;
  }>;
};
