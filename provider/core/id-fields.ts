import { coded } from "../errors";
import type { Field, Problem, Properties } from "../fields";
import { describeMissing } from "../fields/check";
import { uuid } from "../fields/shapes";
import type { HandlerDependencies } from "./resource-type";
import { UserError } from "./user-error";

/** The organization in a request's path; every resource has one. */
export const organizationField = (doc: string) =>
  ({
    schema: uuid(),
    doc,
    required: true,
    setting: "organizationId",
    onChange: "replace",
    operations: ["path"],
  }) as const satisfies Field;

/** Another id in a request's path, which the program has to give. */
export const idField = (doc: string) =>
  ({ schema: uuid(), doc, required: true, onChange: "replace", operations: ["path"] }) as const satisfies Field;

/** An id on its way into a request's path, also where no check has seen it. What is none is neither sent nor repeated. */
export function idIn(name: string, value: unknown, setting?: string): string {
  if (value === undefined || value === null || value === "") throw new UserError(describeMissing(name, setting));
  const { success, data, error } = uuid().safeParse(value);
  if (success) return data;
  throw new UserError(coded("CDB1003", `${name} is invalid: ${error.issues[0]?.message}.`));
}

export function organizationIn(value: unknown): string {
  return idIn("organizationId", value, "organizationId");
}

/** The state with the organization that a read needs, also where no check has put it in. Null is as good as nothing. */
export function withOrganization({ settings }: HandlerDependencies, state: Properties): Properties {
  return { ...state, organizationId: state.organizationId ?? settings().settings.organizationId };
}

/** True for the problem that neither the program nor a setting has the organization. */
export function isMissingOrganization({ argument }: Problem, inputs: Properties): boolean {
  return argument === "organizationId" && inputs.organizationId === undefined;
}
