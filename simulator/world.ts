/** Everything that exists on the simulated side. */
export interface World {
  readonly organizations: Map<string, Organization>;
}

export interface Organization {
  readonly id: string;
  readonly tier: "BASIC" | "SCALE" | "ENTERPRISE";
  readonly paid: boolean;
  readonly createdAt: string;
  name: string;
  privateEndpoints: { id: string; description: string }[];
  readonly services: Map<string, Service>;
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
    services: new Map(),
  };
}
