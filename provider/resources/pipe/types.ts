// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Pipe. */
export interface PipeArgs {
  /**
   * The organization that owns the service.
   * A UUID.
   * Default: clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * A change needs another object.
   * Carried by: the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The service that the pipe writes to.
   * A UUID.
   * A change needs another object.
   * Carried by: the request path.
   */
  serviceId: pulumi.Input<string>;
  /**
   * The pipe. It has to exist: the API cannot create pipes.
   * A UUID.
   * A change needs another object.
   * Carried by: the request path.
   */
  pipeId: pulumi.Input<string>;
  /**
   * The name of the pipe.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
   */
  name?: pulumi.Input<string>;
  /**
   * Where the pipe reads from: at most one kind, the one that it has. What is not declared is left alone.
   */
  source?: pulumi.Input<{
    /**
     * A Kafka source.
     */
    kafka?: pulumi.Input<{
      /**
       * The role that the pipe reads with.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      iamRole?: pulumi.Input<string>;
      /**
       * The certificate that the brokers are trusted by.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      caCertificate?: pulumi.Input<string>;
      /**
       * The reverse private endpoints that lead to the brokers.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      reversePrivateEndpointIds?: pulumi.Input<Array<pulumi.Input<string>>>;
      /**
       * The user and password that the pipe reads with.
       * Kept secret.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      credentials?: pulumi.Input<{ username: pulumi.Input<string>; password: pulumi.Input<string> }>;
    }>;
    /**
     * An object storage source.
     */
    objectStorage?: pulumi.Input<{
      /**
       * The role that the pipe reads with.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      iamRole?: pulumi.Input<string>;
      /**
       * The connection string of an Azure storage account.
       * Kept secret.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      connectionString?: pulumi.Input<string>;
      /**
       * The path inside the container.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      path?: pulumi.Input<string>;
      /**
       * The container of an Azure storage account.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      azureContainerName?: pulumi.Input<string>;
      /**
       * The access key that the pipe reads with.
       * Kept secret.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      accessKey?: pulumi.Input<{ accessKeyId: pulumi.Input<string>; secretKey: pulumi.Input<string> }>;
    }>;
    /**
     * A Kinesis source.
     */
    kinesis?: pulumi.Input<{
      /**
       * The role that the pipe reads with.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      iamRole?: pulumi.Input<string>;
      /**
       * The access key that the pipe reads with.
       * Kept secret.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      accessKey?: pulumi.Input<{ accessKeyId: pulumi.Input<string>; secretKey: pulumi.Input<string> }>;
    }>;
    /**
     * A Postgres source.
     */
    postgres?: pulumi.Input<{
      /**
       * The host of the database server.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      host?: pulumi.Input<string>;
      /**
       * Its port.
       * From 1 to 65535.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      port?: pulumi.Input<number>;
      /**
       * The database that is read.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      database?: pulumi.Input<string>;
      /**
       * The user and password that the pipe reads with.
       * Kept secret.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
       */
      credentials?: pulumi.Input<{ username: pulumi.Input<string>; password: pulumi.Input<string> }>;
      /**
       * How the source is read.
       */
      settings?: pulumi.Input<{
        /**
         * How often changes are fetched.
         * Unit: seconds.
         * A change is made in place.
         * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
         */
        syncIntervalSeconds?: pulumi.Input<number>;
        /**
         * How many changes are fetched at a time.
         * A change is made in place.
         * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
         */
        pullBatchSize?: pulumi.Input<number>;
      }>;
      /**
       * Which tables are read into which. The whole list: mappings that the program does not declare are removed.
       * A change is made in place.
       * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
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
     * Whether the API tries the source with samples when it changes. Goes with a change of the source, and is none by itself.
     * A change does nothing.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    validateSamples?: pulumi.Input<boolean>;
  }>;
  /**
   * Where the pipe writes to. What is not declared is left alone.
   */
  destination?: pulumi.Input<{
    /**
     * The columns of the destination and their types. The whole list.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    columns?: pulumi.Input<Array<pulumi.Input<{ name: pulumi.Input<string>; type: pulumi.Input<string> }>>>;
  }>;
  /**
   * Which field of the source goes into which of the destination. The whole list. The table's own schema stays as it is.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
   */
  fieldMappings?: pulumi.Input<
    Array<pulumi.Input<{ sourceField: pulumi.Input<string>; destinationField: pulumi.Input<string> }>>
  >;
  /**
   * How the pipe is tuned. Those that are not declared are left alone.
   */
  settings?: pulumi.Input<{
    /**
     * How long a streaming pipe gathers rows before it inserts them.
     * Unit: milliseconds.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    streamingMaxInsertWaitMs?: pulumi.Input<number>;
    /**
     * How many objects are read at a time.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageConcurrency?: pulumi.Input<number>;
    /**
     * How often the object storage is looked at for new objects.
     * Unit: milliseconds.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStoragePollingIntervalMs?: pulumi.Input<number>;
    /**
     * How much of the object storage's data goes into one insert.
     * Unit: bytes.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageMaxInsertBytes?: pulumi.Input<number>;
    /**
     * How many files go into one insert.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageMaxFileCount?: pulumi.Input<number>;
    /**
     * How many threads a query of the pipe may use.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMaxThreads?: pulumi.Input<number>;
    /**
     * How many threads an insert may use.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMaxInsertThreads?: pulumi.Input<number>;
    /**
     * The least size of a block that is inserted.
     * Unit: bytes.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMinInsertBlockSizeBytes?: pulumi.Input<number>;
    /**
     * How many threads a download may use.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineMaxDownloadThreads?: pulumi.Input<number>;
    /**
     * How inserts from selects are spread over replicas.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineParallelDistributedInsertSelect?: pulumi.Input<number>;
    /**
     * Whether all replicas share the reading of the object storage.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    objectStorageUseClusterFunction?: pulumi.Input<boolean>;
    /**
     * Whether dependent views are filled at the same time.
     * A change is made in place.
     * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}.
     */
    engineParallelViewProcessing?: pulumi.Input<boolean>;
  }>;
}

/** What is known of a Pipe once it is in a stack. */
export interface PipeOutputs {
  /**
   * The organization that owns the service.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The service that the pipe writes to.
   */
  readonly serviceId: pulumi.Output<string>;
  /**
   * The pipe. It has to exist: the API cannot create pipes.
   */
  readonly pipeId: pulumi.Output<string>;
  /**
   * The name of the pipe.
   */
  readonly name: pulumi.Output<string>;
  /**
   * As it is declared. currentSource has all of it.
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
   * As it is declared. currentDestination has all of it.
   */
  readonly destination: pulumi.Output<{ columns?: Array<{ name: string; type: string }> } | undefined>;
  /**
   * Which field of the source goes into which of the destination. The whole list. The table's own schema stays as it is.
   */
  readonly fieldMappings: pulumi.Output<Array<{ sourceField: string; destinationField: string }>>;
  /**
   * As it is declared. currentSettings has all of it.
   */
  readonly settings: pulumi.Output<
    | {
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
      }
    | undefined
  >;
  /**
   * What the pipe is doing. It changes by itself.
   */
  readonly state: pulumi.Output<string>;
  /**
   * How the pipe is scaled: replicas, concurrency, CPU in thousandths and memory in GB of each replica.
   */
  readonly scaling: pulumi.Output<{
    replicas?: number;
    concurrency?: number;
    replicaCpuMillicores?: number;
    replicaMemoryGb?: number;
  }>;
  /**
   * The source as the API shows it, with the parts that cannot be declared. Credentials, access keys and connection strings are left out.
   */
  readonly currentSource: pulumi.Output<{
    kafka?: {
      brokers?: string;
      topics?: string;
      consumerGroup?: string;
      iamRole?: string;
      offset?: { timestamp?: string };
      schemaRegistry?: { url?: string; caCertificate?: string };
      caCertificate?: string;
      reversePrivateEndpointIds?: Array<string>;
    };
    objectStorage?: {
      url?: string;
      delimiter?: string;
      compression?: string;
      isContinuous?: boolean;
      queueUrl?: string;
      iamRole?: string;
      path?: string;
      azureContainerName?: string;
    };
    kinesis?: {
      streamName?: string;
      region?: string;
      useEnhancedFanOut?: boolean;
      timestamp?: number;
      iamRole?: string;
    };
    postgres?: {
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
  }>;
  /**
   * The destination as the API shows it: database, table, its definition, and columns.
   */
  readonly currentDestination: pulumi.Output<{
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
  }>;
  /**
   * All settings as the API shows them, under the names that `settings` uses.
   */
  readonly currentSettings: pulumi.Output<{
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
  }>;
  /**
   * When the pipe was created.
   */
  readonly createdAt: pulumi.Output<string>;
  /**
   * When the pipe was last changed.
   */
  readonly updatedAt: pulumi.Output<string>;
}
