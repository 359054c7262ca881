import { type CreateService, ReplicaScaling, type UpdateService } from "../schema/service";
import type { Organization, Service, State } from "../state/state";
import { badRequest } from "./api-error";

/** Limits that depend on other objects or the organization, so that schemas cannot express them. */

const PRODUCTION_ONLY: ReadonlySet<string> = new Set([
  ...Object.keys(ReplicaScaling.shape),
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
  "releaseChannel",
]);

export function assertCreationAllowed(
  body: CreateService,
  organization: Organization,
  { services }: State,
): void {
  const { tier, paid } = organization;
  if (body.tier === "development") assertNoProductionFields(body);
  if (body.tier === "development" && body.provider === "azure")
    throw badRequest("azure has no development tier");
  const isInWarehouse = ({ organizationId, dataWarehouseId }: Service) =>
    organizationId === organization.id && dataWarehouseId === body.dataWarehouseId;
  if (body.dataWarehouseId !== undefined && ![...services.values()].some(isInWarehouse)) {
    throw badRequest("dataWarehouseId does not exist in this organization");
  }
  if (body.backupId !== undefined) assertMatchesBackup(body, organization);
  if (body.hasTransparentDataEncryption === true && tier !== "ENTERPRISE") {
    throw badRequest("hasTransparentDataEncryption requires the ENTERPRISE tier");
  }
  if (body.profile !== undefined && tier !== "ENTERPRISE")
    throw badRequest("profile requires the ENTERPRISE tier");
  const { minTotalMemoryGb: min = 0, maxTotalMemoryGb: max = min } = body;
  if (!paid && max > 360)
    throw badRequest("maxTotalMemoryGb must be <= 360 in an unpaid organization");
  if (min > max) throw badRequest("minTotalMemoryGb must be <= maxTotalMemoryGb");
}

export function assertScalingAllowed(
  body: ReplicaScaling,
  { tier, paid }: Organization,
  isPrimary: boolean,
): void {
  const { minReplicaMemoryGb: min = 0, maxReplicaMemoryGb: max = min, numReplicas } = body;
  if (!paid && max > 120)
    throw badRequest("maxReplicaMemoryGb must be <= 120 in an unpaid organization");
  if (min > max) throw badRequest("minReplicaMemoryGb must be <= maxReplicaMemoryGb");
  if (isPrimary && tier !== "BASIC" && numReplicas === 1) {
    throw badRequest("numReplicas must be >= 2 for the first service of a warehouse");
  }
}

export function assertNoProductionFields(body: CreateService | UpdateService): void {
  const field = Object.keys(body).find((name) => PRODUCTION_ONLY.has(name));
  if (field !== undefined) throw badRequest(`${field} is available only for production services`);
}

function assertMatchesBackup(body: CreateService, { backups }: Organization): void {
  const backup = backups.find(({ id }) => id === body.backupId?.toLowerCase());
  if (backup === undefined) throw badRequest("backupId does not exist in this organization");
  for (const field of ["region", "tier"] as const) {
    if (backup[field] === body[field]) continue;
    throw badRequest(`${field} must equal that of the backup: ${backup[field] ?? "none"}`);
  }
}
