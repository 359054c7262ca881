// Made by `npm run build` from the tables of fields. Do not edit.
/** The arguments of getService. */
export interface GetServiceArgs {
  /**
   * The organization. Default: the one of the provider's settings.
   */
  readonly organizationId?: string;
  /**
   * The service.
   */
  readonly serviceId: string;
}

/** What getService gives. Reads a service. What the API does not say is absent. */
export type GetServiceResult = {
  id: string;
  name?: string;
  engineVersion?: string;
  endpoints?: Array<{ protocol?: string; host?: string; port?: number; username?: string }>;
  minTotalMemoryGb?: number;
  maxTotalMemoryGb?: number;
  minReplicaMemoryGb?: number;
  maxReplicaMemoryGb?: number;
  numReplicas?: number;
  idleScaling?: boolean;
  idleTimeoutMinutes?: number;
  ipAccessList?: Array<{ source: string; description?: string }>;
  createdAt?: string;
  encryptionKey?: string;
  encryptionAssumedRoleIdentifier?: string;
  iamRole?: string;
  privateEndpointIds?: Array<string>;
  availablePrivateEndpointIds?: Array<string>;
  dataWarehouseId?: string;
  isPrimary?: boolean;
  isReadonly?: boolean;
  byocId?: string;
  hasTransparentDataEncryption?: boolean;
  transparentDataEncryptionKeyId?: string;
  encryptionRoleId?: string;
};

/** The arguments of getPipe. */
export interface GetPipeArgs {
  /**
   * The organization. Default: the one of the provider's settings.
   */
  readonly organizationId?: string;
  /**
   * The service that the pipe writes to.
   */
  readonly serviceId: string;
  /**
   * The pipe.
   */
  readonly pipeId: string;
}

/** What getPipe gives. Reads a pipe. What the API does not say is absent. */
export type GetPipeResult = {
  id: string;
  serviceId?: string;
  name?: string;
  state?: string;
  scaling?: { replicas?: number; concurrency?: number; replicaCpuMillicores?: number; replicaMemoryGb?: number };
  source?: {
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
      connectionString?: string;
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
  };
  destination?: {
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
  fieldMappings?: Array<{ sourceField?: string; destinationField?: string }>;
  settings?: {
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
  createdAt?: string;
  updatedAt?: string;
};

/** What getPipeSettings gives. Reads all settings of a pipe. What the API does not say is absent. */
export type GetPipeSettingsResult = {
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

/** The arguments of getAlert. */
export interface GetAlertArgs {
  /**
   * The alert.
   */
  readonly id: string;
}

/** What getAlert gives. Reads an alert of the observability interface. What the API does not say is absent. */
export type GetAlertResult = {
  id: string;
  name?: string;
  message?: string;
  threshold?: number;
  interval?: string;
  thresholdType?: string;
  source?: string;
  state?: string;
  channel?: { type?: string; webhookId?: string };
  team?: string;
  tileId?: string;
  dashboard?: string;
  createdAt?: string;
  updatedAt?: string;
};

/** What getDashboards gives. Lists the dashboards of the observability interface, with their tiles. What the API does not say is absent. */
export type GetDashboardsResult = {
  dashboards: Array<{
    id: string;
    name?: string;
    tiles?: Array<{
      id?: string;
      name?: string;
      x?: number;
      y?: number;
      w?: number;
      h?: number;
      asRatio?: boolean;
      series?: Array<{
        sourceId?: string;
        aggFn?: string;
        where?: string;
        groupBy?: Array<string>;
        field?: string;
        whereLanguage?: string;
        metricName?: string;
        metricDataType?: string;
        type?: string;
        dataSource?: string;
      }>;
    }>;
    tags?: Array<string>;
  }>;
};
