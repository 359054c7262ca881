/**
 * Facts from the services' own documents: OpenAPI document 1.0 of ClickHouse Cloud (August 2026)
 * and 2.0.0 of HyperDX (2026), under the names of the specification. They may show more, or
 * nothing, where the specification shows a member.
 *
 * `?` may be null, `[]` is a list, `(a b)` are listed values, `1..20 /4` are bounds and a step, and
 * a capital letter names another entry. Members other than `required` ones may be absent; those
 * under `new` are not in the specification.
 */

export type Members = Readonly<Record<string, string>>;

interface DocumentedObject {
  readonly members: Members;
  readonly new?: string;
  readonly required?: string;
}

const MEMORY = "number 8..356 /4";
const SCALING = {
  minReplicaMemoryGb: MEMORY,
  maxReplicaMemoryGb: MEMORY,
  numReplicas: "integer 1..20",
  idleScaling: "boolean",
  idleTimeoutMinutes: "number",
};
const SIZE = {
  minTotalMemoryGb: "number 24..1068 /12",
  maxTotalMemoryGb: "number 24..1068 /12",
  ...SCALING,
};
const ROLE = "string?";
const MAPPING = { sourceSchemaName: "string", sourceTable: "string", targetTable: "string" };

/** Objects in responses. */
export const RESPONSES: Readonly<Record<string, DocumentedObject>> = {
  Service: {
    members: {
      id: "uuid",
      name: "string 1..50",
      engineVersion: "string",
      endpoints: "ServiceEndpoint[]",
      ...SIZE,
      ipAccessList: "IpAccessListEntry[]",
      createdAt: "date-time",
      encryptionKey: "string",
      encryptionAssumedRoleIdentifier: "string",
      iamRole: "string",
      privateEndpointIds: "string[]",
      availablePrivateEndpointIds: "string[]",
      dataWarehouseId: "string",
      isPrimary: "boolean",
      isReadonly: "boolean",
      byocId: "string",
      hasTransparentDataEncryption: "boolean",
      transparentDataEncryptionKeyId: "string",
      encryptionRoleId: "string",
    },
    new: "autoscalingMode complianceType currentScaling enableCoreDumps maxReplicas minReplicas profile provider region releaseChannel replicaMemoryGb scalingSchedule state tags tier",
    required: "autoscalingMode currentScaling",
  },
  ServiceEndpoint: {
    members: {
      protocol: "(https nativesecure mysql)",
      host: "string",
      port: "number",
      username: "string?",
    },
  },
  IpAccessListEntry: { members: { source: "string", description: "string" } },
  ServicePostResponse: { members: { service: "Service", password: "string" } },
  Organization: {
    members: {
      id: "uuid",
      createdAt: "date-time",
      name: "string",
      privateEndpoints: "OrganizationPrivateEndpoint[]",
      byocConfig: "ByocConfig[]",
    },
    new: "enableCoreDumps",
  },
  OrganizationPrivateEndpoint: {
    members: { id: "string", description: "string" },
    new: "cloudProvider region",
  },
  ByocConfig: {
    members: { id: "string", accountName: "string" },
    new: "cloudProvider displayName regionId state",
  },
  Pipe: {
    members: {
      id: "uuid",
      serviceId: "uuid",
      name: "string 1..255",
      state:
        "(Unknown Provisioning Running Degraded Stopping Stopped Failed Completed InternalError Setup Snapshot Paused Pausing Modifying Resync)",
      scaling: "PipeScaling",
      source: "PipeSource",
      destination: "PipeDestination",
      fieldMappings: "PipeFieldMapping[]",
      settings: "PipeSettings",
      createdAt: "date-time",
      updatedAt: "date-time",
    },
  },
  PipeScaling: {
    members: {
      replicas: "integer 1..40",
      concurrency: "integer",
      replicaCpuMillicores: "integer 125..2000",
      replicaMemoryGb: "number 0.5..8",
    },
  },
  PipeSource: {
    members: {
      kafka: "PipeKafkaSource?",
      objectStorage: "PipeObjectStorageSource?",
      kinesis: "PipeKinesisSource?",
      postgres: "PipePostgresSource?",
    },
    new: "bigquery mongodb mysql pubsub",
  },
  PipeKafkaSource: {
    members: {
      brokers: "string",
      topics: "string",
      consumerGroup: "string?",
      iamRole: ROLE,
      offset: "PipeKafkaOffset?",
      schemaRegistry: "PipeKafkaSchemaRegistry?",
      caCertificate: "string?",
      reversePrivateEndpointIds: "string[]",
    },
    new: "authentication exactlyOnce format type",
  },
  PipeKafkaOffset: { members: { timestamp: "string?" }, new: "strategy" },
  PipeKafkaSchemaRegistry: {
    members: { url: "string", caCertificate: "string?" },
    new: "authentication",
  },
  PipeObjectStorageSource: {
    members: {
      url: "string",
      delimiter: "string?",
      compression: "(none gzip gz brotli br xz LZMA zstd auto)?",
      isContinuous: "boolean?",
      queueUrl: "string?",
      iamRole: ROLE,
      connectionString: "string?",
      path: "string?",
      azureContainerName: "string?",
    },
    new: "authentication format skipInitialLoad startAfter type",
  },
  PipeKinesisSource: {
    members: {
      streamName: "string",
      region: "string",
      useEnhancedFanOut: "boolean?",
      timestamp: "integer?",
      iamRole: ROLE,
    },
    new: "authentication format iteratorType",
  },
  PipePostgresSource: {
    members: {
      host: "string",
      port: "integer 1..65535",
      database: "string",
      settings: "PipePostgresPipeSettings",
      tableMappings: "PipePostgresPipeTableMapping[]",
    },
    new: "authentication caCertificate disableTls iamRole skipCertVerification tlsHost type",
  },
  PipePostgresPipeSettings: {
    members: {
      syncIntervalSeconds: "integer 1..",
      pullBatchSize: "integer 1..",
      publicationName: "string",
      replicationSlotName: "string",
      allowNullableColumns: "boolean",
      initialLoadParallelism: "integer 1..",
      snapshotNumRowsPerPartition: "integer 1000..",
      snapshotNumberOfParallelTables: "integer 1..",
      enableFailoverSlots: "boolean",
    },
    new: "deleteOnMerge replicationMode",
  },
  PipePostgresPipeTableMapping: {
    members: {
      ...MAPPING,
      excludedColumns: "string[]",
      useCustomSortingKey: "boolean",
      sortingKeys: "string[]",
    },
    new: "partitionByExpr partitionKey tableEngine",
  },
  PipeDestination: {
    members: {
      database: "string",
      table: "string",
      managedTable: "boolean",
      tableDefinition: "PipeDestinationTableDefinition",
      columns: "PipeDestinationColumn[]",
    },
  },
  PipeDestinationTableDefinition: {
    members: {
      engine: "PipeDestinationTableEngine",
      sortingKey: "string[]",
      partitionBy: "string",
      primaryKey: "string",
    },
  },
  PipeDestinationTableEngine: {
    members: { versionColumnId: "string?", columnIds: "string[]" },
    new: "type",
  },
  PipeDestinationColumn: { members: { name: "string", type: "string" } },
  PipeFieldMapping: { members: { sourceField: "string", destinationField: "string" } },
  PipeSettings: {
    members: {
      streaming_max_insert_wait_ms: "integer 500..60000?",
      object_storage_concurrency: "integer 1..35?",
      object_storage_polling_interval_ms: "integer 100..3600000?",
      object_storage_max_insert_bytes: "integer 10485760..53687091200?",
      object_storage_max_file_count: "integer 1..10000?",
      engine_max_threads: "integer 0..64?",
      engine_max_insert_threads: "integer 0..16?",
      engine_min_insert_block_size_bytes: "integer 0..10737418240?",
      engine_max_download_threads: "integer 0..32?",
      engine_parallel_distributed_insert_select: "integer 0..2?",
      object_storage_use_cluster_function: "boolean?",
      engine_parallel_view_processing: "boolean?",
    },
  },
  // `team` and `dashboard` of the specification are `teamId` and `dashboardId` here.
  AlertResponse: {
    members: {
      id: "string",
      name: "string?",
      message: "string?",
      threshold: "number",
      interval: "(1m 5m 15m 30m 1h 6h 12h 1d)",
      thresholdType:
        "(above below above_exclusive below_or_equal equal not_equal between not_between)",
      source: "(saved_search tile)",
      state: "(ALERT OK INSUFFICIENT_DATA DISABLED PENDING)",
      channel: "AlertChannelWebhook",
      tileId: "string?",
      createdAt: "date-time?",
      updatedAt: "date-time?",
    },
    new: "channels dashboardId executionErrors groupBy note numConsecutiveWindows savedSearchId scheduleOffsetMinutes scheduleStartAt silenced teamId thresholdMax",
  },
  AlertChannelWebhook: {
    members: { type: "(webhook)", webhookId: "string" },
    required: "type webhookId",
  },
  DashboardResponse: {
    members: {
      id: "string",
      name: "string 0..1024",
      tiles: "TileOutput[]",
      tags: "string 0..32[]",
    },
    new: "containers filters savedFilterValues savedQuery savedQueryLanguage",
  },
  // `config` stands for `asRatio` and `series` of the specification.
  TileOutput: {
    members: {
      id: "string 0..36",
      name: "string",
      x: "integer 0..23",
      y: "integer 0..",
      w: "integer 1..24",
      h: "integer 1..",
    },
    new: "config containerId tabId",
    required: "h id name w x y",
  },
};

const REGIONS =
  "(ap-northeast-1 ap-northeast-2 ap-south-1 ap-southeast-1 ap-southeast-2 ca-central-1 eu-central-1 eu-west-1 eu-west-2 il-central-1 us-east-1 us-east-2 us-west-2 us-east1 us-central1 europe-west2 europe-west4 asia-southeast1 asia-northeast1 eastus eastus2 westus3 germanywestcentral centralus)";
const CHANNEL = "(slow default fast)";
/** Objects that responses and requests share. */
const SHARED = [
  "IpAccessListEntry",
  "PipePostgresPipeTableMapping",
  "PipeDestinationColumn",
  "PipeFieldMapping",
  "PipeSettings",
];

/**
 * Bodies of requests, as far as the specification has them: all members are optional, and others
 * are refused.
 */
export const REQUESTS: Readonly<Record<string, Members>> = {
  ServicePostRequest: {
    name: "string 1..50",
    provider: "(aws gcp azure)",
    region: REGIONS,
    tier: "(development production dedicated_high_mem dedicated_high_cpu dedicated_standard dedicated_standard_n2d_standard_4 dedicated_standard_n2d_standard_8 dedicated_standard_n2d_standard_32 dedicated_standard_n2d_standard_128 dedicated_standard_n2d_standard_32_16SSD dedicated_standard_n2d_standard_64_24SSD)",
    ipAccessList: "IpAccessListEntry[]",
    ...SIZE,
    isReadonly: "boolean",
    dataWarehouseId: "string",
    backupId: "uuid",
    encryptionKey: "string",
    encryptionAssumedRoleIdentifier: "string",
    privateEndpointIds: "string[]",
    privatePreviewTermsChecked: "boolean",
    releaseChannel: CHANNEL,
    byocId: "string",
    hasTransparentDataEncryption: "boolean",
    endpoints: "ServiceEndpointChange[]",
    profile: "(v1-default v1-highmem-xs v1-highmem-s v1-highmem-m v1-highmem-l v1-highmem-xl)",
    complianceType: "(hipaa pci)",
  },
  ServiceEndpointChange: { protocol: "(mysql)", enabled: "boolean" },
  ServicePatchRequest: {
    name: "string 1..50",
    ipAccessList: "IpAccessListPatch",
    privateEndpointIds: "InstancePrivateEndpointsPatch",
    releaseChannel: CHANNEL,
    endpoints: "ServiceEndpointChange[]",
    transparentDataEncryptionKeyId: "string",
  },
  IpAccessListPatch: { add: "IpAccessListEntry[]", remove: "IpAccessListEntry[]" },
  InstancePrivateEndpointsPatch: { add: "string[]", remove: "string[]" },
  ServiceReplicaScalingPatchRequest: SCALING,
  OrganizationPatchRequest: {
    name: "string",
    privateEndpoints: "OrganizationPrivateEndpointsPatch",
  },
  OrganizationPrivateEndpointsPatch: {
    add: "OrganizationPatchPrivateEndpoint[]",
    remove: "OrganizationPatchPrivateEndpoint[]",
  },
  OrganizationPatchPrivateEndpoint: { id: "string", description: "string" },
  PipePatchRequest: {
    name: "string?",
    source: "PipePatchSource?",
    destination: "PipePatchDestination?",
    fieldMappings: "PipeFieldMapping[]",
    settings: "PipeSettings?",
  },
  PipePatchSource: {
    kafka: "PipePatchKafkaSource?",
    objectStorage: "PipePatchObjectStorageSource?",
    kinesis: "PipePatchKinesisSource?",
    postgres: "PipePatchPostgresSource",
    validateSamples: "boolean",
  },
  PipePatchKafkaSource: {
    iamRole: ROLE,
    caCertificate: "string?",
    reversePrivateEndpointIds: "string[]",
    credentials: "PLAIN",
  },
  PLAIN: { username: "string", password: "string" },
  MskIamUser: { accessKeyId: "string", secretKey: "string" },
  PipePatchObjectStorageSource: {
    iamRole: ROLE,
    connectionString: "string?",
    path: "string?",
    azureContainerName: "string?",
    accessKey: "MskIamUser?",
  },
  PipePatchKinesisSource: { iamRole: ROLE, accessKey: "MskIamUser?" },
  PipePatchPostgresSource: {
    host: "string?",
    port: "integer 1..65535?",
    database: "string?",
    credentials: "PLAIN",
    settings: "PipePatchPostgresPipeSettings",
    tableMappingsToAdd: "PipePostgresPipeTableMapping[]",
    tableMappingsToRemove: "PipePatchPostgresPipeRemoveTableMapping[]",
  },
  PipePatchPostgresPipeSettings: {
    syncIntervalSeconds: "integer 1..?",
    pullBatchSize: "integer 1..?",
  },
  PipePatchPostgresPipeRemoveTableMapping: {
    sourceSchemaName: "string?",
    sourceTable: "string?",
    targetTable: "string?",
  },
  PipePatchDestination: { columns: "PipeDestinationColumn[]" },
  ...Object.fromEntries(SHARED.map((name) => [name, RESPONSES[name]?.members ?? {}])),
};
