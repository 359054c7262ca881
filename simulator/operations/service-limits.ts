import { productionOnlyFields } from "../schema/service";
import type { Organization } from "../state/state";
import { badRequest } from "./api-error";

/** The limits that no schema can express, because they depend on several fields or on the organization. */

type Body = Readonly<Record<string, unknown>>;

export function assertCreationAllowed(body: Body, organization: Organization): void {
  const { tier, paid } = organization;
  if (body.tier === "development") assertNoProductionFields(body);
  if (body.tier === "development" && body.provider === "azure") throw badRequest("azure has no development tier");
  if (body.dataWarehouseId !== undefined && !organization.warehouses.has(String(body.dataWarehouseId))) {
    throw badRequest("dataWarehouseId does not exist in this organization");
  }
  if (body.backupId !== undefined) assertMatchesBackup(body, organization);
  if (body.hasTransparentDataEncryption === true && tier !== "ENTERPRISE") {
    throw badRequest("hasTransparentDataEncryption requires the ENTERPRISE tier");
  }
  if (body.profile !== undefined && tier !== "ENTERPRISE") throw badRequest("profile requires the ENTERPRISE tier");
  const { minTotalMemoryGb: min = 0, maxTotalMemoryGb: max = min } = body;
  if (!paid && Number(max) > 360) throw badRequest("maxTotalMemoryGb must be <= 360 in an unpaid organization");
  if (Number(min) > Number(max)) throw badRequest("minTotalMemoryGb must be <= maxTotalMemoryGb");
}

export function assertScalingAllowed(body: Body, { tier, paid }: Organization, isPrimary: boolean): void {
  const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max, numReplicas } = body;
  if (!paid && Number(max ?? 0) > 120) throw badRequest("maxReplicaMemoryGb must be <= 120 in an unpaid organization");
  if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
    throw badRequest("minReplicaMemoryGb must be <= maxReplicaMemoryGb");
  }
  if (isPrimary && tier !== "BASIC" && numReplicas === 1) {
    throw badRequest("numReplicas must be >= 2 for the first service of a warehouse");
  }
}

export function assertNoProductionFields(body: Body): void {
  const field = productionOnlyFields.find((name) => body[name] !== undefined);
  if (field !== undefined) throw badRequest(`${field} is available only for production services`);
}

function assertMatchesBackup(body: Body, { backups }: Organization): void {
  const backup = backups.find(({ id }) => id === String(body.backupId).toLowerCase());
  if (backup === undefined) throw badRequest("backupId does not exist in this organization");
  for (const field of ["region", "tier"] as const) {
    if (backup[field] === body[field]) continue;
    throw badRequest(`${field} must equal that of the backup: ${backup[field] ?? "none"}`);
  }
}
