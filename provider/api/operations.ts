import { z } from "zod";

/** Each has an address and an authorization of its own. */
export type Api = "management" | "observability";

/** One operation of the API, as the specification's table lists it. */
export interface Operation<Result = unknown> {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly result: z.ZodType<Result>;
  readonly api: Api;
  /** The path parameter that the id in the result must repeat. */
  readonly idParameter?: string;
}

export const ORGANIZATION = "/v1/organizations/{organizationId}";
export const SERVICES = `${ORGANIZATION}/services`;
export const SERVICE = `${SERVICES}/{serviceId}`;

const LAST_PARAMETER = /\{(\w+)\}[^{}]*$/;

/** A result with an id is the object that the last parameter of the path names. */
export function operation<Result>(
  method: Operation["method"],
  path: string,
  result: z.ZodType<Result>,
  api: Api = "management",
): Operation<Result> {
  const [, parameter] = LAST_PARAMETER.exec(path) ?? [];
  const hasId = result instanceof z.ZodObject && "id" in result.shape;
  return { method, path, result, api, ...(hasId && parameter && { idParameter: parameter }) };
}
