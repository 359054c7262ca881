import type { Organization } from "../world/world";
import { badRequest } from "./problem";

/** The limits that no schema can state, because they look at several fields or at the organization. */

const PRODUCTION_FIELDS = [
  "releaseChannel",
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
  "minReplicaMemoryGb",
  "maxReplicaMemoryGb",
  "numReplicas",
  "idleScaling",
  "idleTimeoutMinutes",
];

type Body = Readonly<Record<string, unknown>>;

export function refuseImpossibleCreation(body: Body, organization: Organization): void {
  const { tier, paid } = organization;
  if (body.tier === "development") refuseProductionFields(body);
  if (body.tier === "development" && body.provider === "azure") throw badRequest("azure has no development tier");
  if (body.dataWarehouseId !== undefined && !organization.warehouses.has(String(body.dataWarehouseId))) {
    throw badRequest("dataWarehouseId does not exist in this organization");
  }
  if (body.backupId !== undefined) refuseOtherOrigin(body, organization);
  if (body.hasTransparentDataEncryption === true && tier !== "ENTERPRISE") {
    throw badRequest("hasTransparentDataEncryption needs the ENTERPRISE tier");
  }
  if (body.profile !== undefined && tier !== "ENTERPRISE") throw badRequest("profile needs the ENTERPRISE tier");
  const { minTotalMemoryGb: min = 0, maxTotalMemoryGb: max = min } = body;
  if (!paid && Number(max) > 360) throw badRequest("maxTotalMemoryGb is at most 360 unpaid");
  if (Number(min) > Number(max)) throw badRequest("minTotalMemoryGb is more than maxTotalMemoryGb");
}

export function refuseImpossibleScaling(body: Body, { tier, paid }: Organization, isPrimary: boolean): void {
  const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max, numReplicas } = body;
  if (!paid && Number(max ?? 0) > 120) throw badRequest("maxReplicaMemoryGb is at most 120 unpaid");
  if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
    throw badRequest("minReplicaMemoryGb is more than maxReplicaMemoryGb");
  }
  if (isPrimary && tier !== "BASIC" && numReplicas === 1) {
    throw badRequest("numReplicas is at least 2 for the first service of a warehouse");
  }
}

export function refuseProductionFields(body: Body): void {
  const field = PRODUCTION_FIELDS.find((name) => body[name] !== undefined);
  if (field !== undefined) throw badRequest(`${field} is for production services only`);
}

function refuseOtherOrigin(body: Body, { backups }: Organization): void {
  const backup = backups.find(({ id }) => id === String(body.backupId).toLowerCase());
  if (backup === undefined) throw badRequest("backupId does not exist in this organization");
  for (const field of ["region", "tier"] as const) {
    if (backup[field] !== body[field])
      throw badRequest(`${field} is not that of the backup: ${backup[field] ?? "none"}`);
  }
}
