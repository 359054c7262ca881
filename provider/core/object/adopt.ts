import { diff, type Properties, recordDeclared, stateAfterRead } from "../../fields";
import type { Earlier } from "../journal/creation-journal";
import { assertSecrets, updateBodies } from "../session/secret-values";
import type { Start } from "./create";
import { encryptPassword, type PasswordOutputs, passwordIn } from "./encrypted-password";
import { declaredId } from "./ids";
import { contradictionError, describeDifference, describeObject } from "./messages";
import { fetchObject, type Verb } from "./read-object";
import { type Context, type DeclaredTarget, declaredTarget, type Resource } from "./resource";
import type { UserError } from "./user-error";

/** Takes an existing object into the stack; an earlier command may have created it. */
export async function adopt(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<Start> {
  const target = declaredTarget(resource, context, declaredId(resource, inputs), inputs);
  const operation = `Adopting ${describeObject(target)}`;
  assertSecrets(context, operation, updateBodies(resource, {}, inputs));
  if (resource.read === undefined)
    return { target, updating: { verb: "Updating" }, next: recordDeclared(resource, {}, inputs) };
  const journal = resource.create && context.journal();
  const unanswered = await findUnanswered(resource, context);
  const known = (await journal?.passwordOf(target.id)) ?? passwordIn(unanswered);
  const password = encryptPassword(context, operation, inputs, known);
  const updating = { verb: "Adopting", reportsChanges: true } as const;
  const next = await findExisting(target, updating.verb, {}, password, (differences) =>
    contradictionError(
      operation,
      differences,
      ": declare the existing value, or omit the argument",
    ),
  );
  // Once stored, the object counts as the result of the creation whose response had no id.
  return { target, updating, next, onStored: async () => unanswered?.give(target.id) };
}

/** The record of a creation for this resource whose response had no id. */
async function findUnanswered(
  { create }: Resource,
  { journal, identity }: Context,
): Promise<Earlier | undefined> {
  if (create === undefined) return undefined;
  const earlier = await journal()
    .find(identity)
    .catch(() => undefined);
  return earlier?.record.id === undefined && earlier?.ambiguousBackend === undefined
    ? earlier
    : undefined;
}

/** The state of an existing object; `known` holds the values that no response shows. */
export async function findExisting(
  target: DeclaredTarget,
  verb: Verb,
  known: Properties,
  password: PasswordOutputs | undefined,
  refuse: (differences: string) => UserError,
): Promise<Properties> {
  const { resource, inputs } = target;
  const response = await fetchObject(target, verb, inputs);
  const { replacing } = diff(resource, stateAfterRead(resource, known, {}, response), inputs);
  const differences = replacing.map((field) =>
    describeDifference(field, { ...known, ...response }, inputs),
  );
  const contradiction = resource.findContradiction?.(response, inputs);
  if (contradiction !== undefined) differences.push(contradiction);
  if (differences.length > 0) throw refuse(differences.join("; "));
  return recordDeclared(
    resource,
    { ...stateAfterRead(resource, known, inputs, response), ...password },
    inputs,
  );
}
