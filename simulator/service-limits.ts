import { badRequest } from "./problem";
import type { Organization } from "./world";

/** The limits that no schema can state, because they look at several fields or at the organization. */

const BYOC_SIZES_GB = [48, 116, 172, 232];
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
  if (body.isReadonly === true && body.dataWarehouseId === undefined) {
    throw badRequest("isReadonly needs dataWarehouseId");
  }
  if (body.dataWarehouseId !== undefined && !hasWarehouse(organization, body.dataWarehouseId)) {
    throw badRequest("dataWarehouseId does not exist in this organization");
  }
  if (body.byocId !== undefined) refuseOtherSizes(body);
  if (body.hasTransparentDataEncryption === true && tier !== "ENTERPRISE") {
    throw badRequest("hasTransparentDataEncryption needs the ENTERPRISE tier");
  }
  if (body.profile !== undefined && tier !== "ENTERPRISE") throw badRequest("profile needs the ENTERPRISE tier");
  if (!paid && Number(body.maxTotalMemoryGb ?? 0) > 360) throw badRequest("maxTotalMemoryGb is at most 360 unpaid");
  refuseImpossibleScaling(body, organization, body.dataWarehouseId === undefined);
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

function refuseOtherSizes(body: Body): void {
  for (const field of ["minReplicaMemoryGb", "maxReplicaMemoryGb"]) {
    if (!BYOC_SIZES_GB.includes(Number(body[field]))) {
      throw badRequest(`with byocId, ${field} is one of ${BYOC_SIZES_GB.join(", ")}`);
    }
  }
}

function hasWarehouse({ services }: Organization, id: unknown): boolean {
  return [...services.values()].some((service) => service.dataWarehouseId === id);
}
