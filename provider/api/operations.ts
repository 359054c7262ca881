import type { z } from "zod";
import { created, service } from "./schemas";

/** One operation of the API, as the specification's table lists it. */
export interface Operation<Result = unknown> {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly result: z.ZodType<Result>;
  /** The path parameter that the id in the result must repeat. */
  readonly answersFor?: string;
}

const SERVICES = "/v1/organizations/{organizationId}/services";
const SERVICE = `${SERVICES}/{serviceId}`;

export const operations = {
  createService: { method: "POST", path: SERVICES, result: created },
  getService: { method: "GET", path: SERVICE, result: service, answersFor: "serviceId" },
  updateService: { method: "PATCH", path: SERVICE, result: service, answersFor: "serviceId" },
  scaleService: { method: "PATCH", path: `${SERVICE}/replicaScaling`, result: service, answersFor: "serviceId" },
} as const satisfies Record<string, Operation>;
