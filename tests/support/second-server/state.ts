import { SECRETS } from "./variants";

/** The data of the second server. */

export type Data = Record<string, unknown>;

export interface ServerState {
  readonly organization: Data;
  readonly services: Map<string, Data>;
  readonly pipes: Map<string, Data>;
  /** The passwords from creations, by service id. */
  readonly passwords: Map<string, string>;
}

const AT = "2026-03-01T12:00:00.000Z";
export const ADOPTED = "a2b2c3d4-0001-4a53-9c1e-000000000001";
export const PIPES = {
  kafka: "b2b2c3d4-0001-4a53-9c1e-000000000001",
  objectStorage: "b2b2c3d4-0002-4a53-9c1e-000000000002",
  kinesis: "b2b2c3d4-0003-4a53-9c1e-000000000003",
  postgres: "b2b2c3d4-0004-4a53-9c1e-000000000004",
} as const;
const ENDPOINTS = ["vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002"];

export function initialState(): ServerState {
  const reporting = createServiceData(ADOPTED, { name: "reporting", encryptionKey: SECRETS.encryptionKey });
  return {
    organization: {
      id: "0e2d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d02",
      createdAt: AT,
      name: "one",
      privateEndpoints: ENDPOINTS.map((id) => ({ id, description: "of somebody else" })),
      byocConfig: [{ id: "byoc-1", accountName: "example" }],
    },
    services: new Map([[ADOPTED, reporting]]),
    pipes: new Map(Object.entries(PIPES).map(([sourceType, id]) => [id, createPipeData(id, sourceType)])),
    passwords: new Map(),
  };
}

/** A service as the specification shows it, with the server's defaults for omitted fields. */
export function createServiceData(id: string, body: Data): Data {
  const { releaseChannel: _, provider: __, region: ___, endpoints = [], ...args } = body;
  const protocols = (endpoints as { protocol: string; enabled: boolean }[]).filter(({ enabled }) => enabled);
  return {
    id,
    engineVersion: "24.8",
    endpoints: ["https", ...protocols.map(({ protocol }) => protocol)].map((protocol) => endpointFor({ id }, protocol)),
    minReplicaMemoryGb: 16,
    maxReplicaMemoryGb: 64,
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    ipAccessList: [],
    createdAt: AT,
    iamRole: "arn:aws:iam::123456789012:role/service",
    privateEndpointIds: [],
    availablePrivateEndpointIds: ENDPOINTS,
    dataWarehouseId: id.replace(/^../, "d1"),
    isPrimary: true,
    isReadonly: false,
    hasTransparentDataEncryption: false,
    ...args,
  };
}

export function endpointFor({ id }: Data, protocol: string): Data {
  return { protocol, host: `${id}.db.example.com`, port: protocol === "mysql" ? 3306 : 9440, username: "default" };
}

const SOURCES: Readonly<Record<string, Data>> = {
  kafka: {
    brokers: "one:9092,two:9092",
    topics: "orders",
    consumerGroup: "readers",
    offset: { timestamp: "2026-01-01T00:00:00Z" },
    schemaRegistry: { url: "https://registry.example.com", caCertificate: "none" },
    reversePrivateEndpointIds: ["rpe-1", "rpe-2"],
  },
  objectStorage: { url: "https://example.com/orders/*.json", delimiter: ",", compression: "auto", isContinuous: true },
  kinesis: { streamName: "orders", region: "us-east-1", useEnhancedFanOut: true, timestamp: 1_767_225_600 },
  postgres: {
    host: "db.example.com",
    port: 5432,
    database: "shop",
    settings: { syncIntervalSeconds: 60, pullBatchSize: 1000, publicationName: "readers" },
    tableMappings: [],
  },
};

function createPipeData(id: string, sourceType: string): Data {
  return {
    id,
    serviceId: ADOPTED,
    name: `orders from ${sourceType}`,
    state: "Running",
    scaling: { replicas: 1, concurrency: 2, replicaCpuMillicores: 500, replicaMemoryGb: 2 },
    source: { [sourceType]: structuredClone(SOURCES[sourceType]) },
    destination: {
      database: "shop",
      table: "orders",
      managedTable: true,
      tableDefinition: { engine: { versionColumnId: "v", columnIds: ["id"] }, sortingKey: ["id"], primaryKey: "id" },
      columns: [{ name: "id", type: "UInt64" }],
    },
    fieldMappings: [{ sourceField: "id", destinationField: "id" }],
    settings: {
      streaming_max_insert_wait_ms: 1000,
      object_storage_concurrency: 4,
      engine_max_threads: 0,
      engine_parallel_view_processing: false,
    },
    createdAt: AT,
    updatedAt: AT,
  };
}
