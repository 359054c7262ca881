/** Everything that exists on the simulated side. */
export interface World {
  organizations: Map<string, Organization>;
  alerts: readonly { readonly id: string }[];
  dashboards: readonly { readonly id: string }[];
}

export interface Organization {
  readonly id: string;
  readonly tier: "BASIC" | "SCALE" | "ENTERPRISE";
  readonly paid: boolean;
  readonly createdAt: string;
  name: string;
  privateEndpoints: PrivateEndpoint[];
  readonly byocConfig: readonly { readonly id: string; readonly accountName: string }[];
  readonly services: Map<string, Service>;
}

export interface PrivateEndpoint {
  readonly id: string;
  readonly description?: string;
}

export interface TableMapping {
  readonly sourceSchemaName: string;
  readonly sourceTable: string;
  readonly targetTable: string;
}

/** A pipe as responses show it. */
export interface Pipe {
  readonly id: string;
  readonly name: string;
  readonly source: Readonly<Record<string, Record<string, unknown>>>;
  readonly destination: Readonly<Record<string, unknown>>;
  readonly fieldMappings: readonly unknown[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly updatedAt: string;
}

export interface AccessEntry {
  readonly source: string;
  readonly description?: string;
}

/** A service as it is kept: with what its responses never show. */
export interface Service {
  readonly id: string;
  readonly createdAt: string;
  readonly dataWarehouseId: string;
  readonly isPrimary: boolean;
  readonly tier: string | undefined;
  name: string;
  releaseChannel: string | undefined;
  minReplicaMemoryGb: number;
  maxReplicaMemoryGb: number;
  numReplicas: number;
  idleScaling: boolean;
  idleTimeoutMinutes: number;
  ipAccessList: AccessEntry[];
  privateEndpointIds: string[];
  protocols: string[];
  transparentDataEncryptionKeyId: string | undefined;
  readonly pipes: Map<string, Pipe>;
  /** What only a creation sets and responses repeat. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** The organization that a simulator starts with, unless it is told another. */
export function standardOrganization(given: Partial<Pick<Organization, "id" | "tier" | "paid">> = {}): Organization {
  return {
    id: given.id ?? "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    tier: given.tier ?? "SCALE",
    paid: given.paid ?? true,
    createdAt: "2026-01-05T09:00:00.000Z",
    name: "Example organization",
    privateEndpoints: [
      { id: "vpce-0a1b2c3d4e5f60001", description: "production network" },
      { id: "vpce-0a1b2c3d4e5f60002", description: "office network" },
    ],
    byocConfig: [],
    services: new Map(),
  };
}
