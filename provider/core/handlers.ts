import { coded, type Message } from "../errors";
import {
  type CheckResult,
  check as checkArguments,
  DECLARED,
  type Definition,
  diff as diffArguments,
  displayValue,
  type FieldDifference,
  fieldPathsOf,
  hasUnknown,
  inputsFromState,
  markedArguments,
  markState,
  newlyMarked,
  type Problem,
  type Properties,
  recordDeclared,
  UNKNOWN,
  valueAt,
  withoutAbsent,
  withValue,
} from "../fields";
import { OWNER_CONFLICT, REFUSED, SECRETS } from "../names";
import type { ResourceIdentity } from "./creation-journal";
import { idIn, isMissingOrganization } from "./id-fields";
import { UNCERTAIN } from "./remote-object";
import type { Created, HandlerDependencies, Naming, ResourceType } from "./resource-type";
import { ruleContext, type SettingKey } from "./settings";
import { PartialFailure } from "./user-error";

/*
 * Operations on resources of any type, as plain functions with plain results. An adapter passes arguments and states
 * without the members that its engine adds, and converts the results to its engine's form.
 */

export interface CheckRequest {
  /** The resource's name in the program. */
  readonly name: string;
  /** The stack's, if it has one of its own. */
  readonly naming?: Naming | undefined;
  readonly oldInputs: Properties;
  readonly newInputs: Properties;
  /** Why the program cannot have this resource, if another one manages the same object. */
  readonly conflict?: Message | undefined;
}

export interface Checked {
  /** As they are applied and stored. An argument with a problem is named under `REFUSED` and not shown: policies see these inputs. */
  readonly inputs: Properties;
  /** Adapters pass only the reasons to the engine, because it prints the value of an invalid argument. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Message[];
}

/** Validates and completes what the program declares. Asks the API nothing. */
export function check(type: ResourceType, dependencies: HandlerDependencies, request: CheckRequest): Checked {
  const { name, naming = { name }, conflict } = request;
  const [{ [SECRETS]: _, ...oldInputs }, { [SECRETS]: places, ...newInputs }] = [request.oldInputs, request.newInputs];
  const { settings, problems: settingProblems } = dependencies.settings();
  const args = applySettings(type, dependencies, withoutAbsent(newInputs));
  const { inputs: completed, warning, refusal } = type.applyDefaults?.(oldInputs, args, naming) ?? { inputs: args };
  const marked = markedArguments(type.definition, completed, places);
  dependencies.addSecretsOf(type.definition, withValue(completed, [SECRETS], marked));
  const checked = checkArguments(type.definition, oldInputs, completed, ruleContext(settings));
  const warnings = [...checked.warnings, ...(warning === undefined ? [] : [warning])];
  const refused = new Set(checked.problems.flatMap(({ argument }) => argument ?? []));
  let inputs = checked.inputs;
  for (const argument of refused) inputs = withValue(inputs, [argument], undefined);
  if (refused.size > 0) inputs = { ...inputs, [REFUSED]: [...refused] };
  const unset = dependencies.missingSettings();
  const missing = unset.length > 0 && needsRequest(type, oldInputs, checked) ? unset : [];
  const outside = [...settingProblems, ...missing, ...[conflict, refusal].filter((reason) => reason !== undefined)];
  return {
    inputs: withValue(inputs, [SECRETS], marked),
    problems: [...outside.map((reason) => ({ reason })), ...checked.problems].map((problem) => ({
      ...problem,
      reason: dependencies.redactMessage(problem.reason),
    })),
    warnings: warnings.map(({ code, text }) => coded(code, `${name}: ${text}`)),
  };
}

/** True where an `up` would certainly send a request. An unknown value may turn out to be the old one. */
function needsRequest({ definition }: ResourceType, oldInputs: Properties, { inputs, problems }: CheckResult): boolean {
  if (Object.keys(oldInputs).length === 0) return true;
  if (!problems.every((problem) => isMissingOrganization(problem, inputs))) return false;
  const { changed } = diffArguments(definition, recordDeclared(definition, oldInputs, oldInputs), inputs);
  return changed.some(({ path }) => !hasUnknown(valueAt(inputs, path)));
}

/** The changes that the arguments ask for. */
export interface Difference extends FieldDifference {
  /**
   * Nobody knows what became of the last request, or outputs show what the program marks as secret now: an update has
   * to bring the state up to date, even if no argument differs.
   */
  readonly isStale: boolean;
  /** The effect of a replacement, where one is needed. */
  readonly replacementNotice?: Message;
}

/** Compares what the program declares with the state. Asks the API nothing. */
export function diff(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  inputs: Properties,
  /** True if an earlier command may have changed what the state does not have. */
  isUnstored: boolean,
): Difference {
  dependencies.addSecretsOf(type.definition, state, inputs);
  const known = type.withId(id, state);
  const difference = diffArguments(type.definition, known, inputs);
  const marked = newlyMarked(state, inputs);
  if (marked.length > 0 && difference.changed.length === 0) {
    dependencies.log(
      coded(
        "CDB5007",
        `The program marks ${marked.join(", ")} of ${type.title} ${id} as secret: the update marks it in the state, and sends no request for that.`,
      ),
    );
  }
  return {
    ...difference,
    isStale: isUnstored || state[UNCERTAIN] !== undefined || marked.length > 0,
    ...(difference.replacing.length > 0 && {
      replacementNotice: dependencies.redactMessage(
        type.describeReplacement(id, describeChanges(difference, known, inputs)),
      ),
    }),
  };
}

/** Creates or adopts the object. A `PartialFailure` says that it is there and not yet as declared. */
export async function create(
  type: ResourceType,
  dependencies: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity,
): Promise<Created> {
  return reaching(type, inputs, async (asStored) => {
    const { id, state } = await type.create(dependencies, inputs, identity);
    return { id, state: asStored(state) };
  });
}

export { confirmStored, describeEarlierCreation } from "./unresolved-creations";

/** An object as the server has it, and the arguments that a program would have to declare to agree with it. */
export interface Found {
  readonly state: Properties;
  readonly inputs: Properties;
}

/** Reads the object; nothing where it is gone. An id of the program's own may be anything. */
export async function read(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  stored: Properties,
  identity?: ResourceIdentity,
): Promise<Found | undefined> {
  if (stored[DECLARED] === undefined) idIn(`The id of the ${type.title}`, id);
  const current = type.read === undefined ? stored : await type.read(dependencies, id, stored, identity);
  if (current === undefined) return undefined;
  // An imported service may be one whose creation the stack did not get. What a program only reads gets no password.
  const isManaged = stored[DECLARED] !== undefined && type.definition.outputs.password !== undefined;
  const password = current.password ?? (isManaged ? await dependencies.journal()?.passwordOf(id) : undefined);
  if (typeof password === "string") dependencies.addSecret(password);
  const state = withEachSecret(type.definition, withoutAbsent({ ...current, password }));
  return {
    state: markState(type.definition, state, stored),
    inputs: withValue(inputsFromState(type.definition, state), [SECRETS], state[SECRETS]),
  };
}

/** Sends what differs. A `PartialFailure` holds what has been changed nevertheless. */
export async function update(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  inputs: Properties,
  identity?: ResourceIdentity,
): Promise<Properties> {
  return reaching(type, inputs, async (asStored) =>
    asStored(await type.update(dependencies, id, state, inputs, identity)),
  );
}

/** Runs an operation that reaches a state, also if it fails halfway: what the program marks as secret is a secret there. */
async function reaching<Result>(
  { definition }: ResourceType,
  inputs: Properties,
  operation: (asStored: (state: Properties) => Properties) => Promise<Result>,
): Promise<Result> {
  const asStored = (state: Properties) =>
    markState(definition, withEachSecret(definition, withoutAbsent(state)), inputs);
  return operation(asStored).catch((error: unknown) => {
    throw error instanceof PartialFailure ? new PartialFailure(error.id, asStored(error.state), error.coded) : error;
  });
}

/** The state with null for each secret output that it lacks: SDKs take one that is not stored for unknown, in every preview. */
function withEachSecret({ outputs }: Definition, state: Properties): Properties {
  const secrets = Object.keys(outputs).filter((name) => outputs[name]?.secret);
  return { ...Object.fromEntries(secrets.map((name) => [name, null])), ...state };
}

/** Ends the management of the object, or says why that cannot be. */
async function deleteObject(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  identity?: ResourceIdentity,
): Promise<void> {
  await type.delete(dependencies, id, state, identity);
}

export { deleteObject as delete };

/** The arguments with the settings that stand in for those that are not declared. */
export function applySettings(
  { definition }: ResourceType,
  dependencies: HandlerDependencies,
  inputs: Properties,
): Properties {
  const { settings } = dependencies.settings();
  let args = inputs;
  for (const { path, field } of fieldPathsOf(definition.fields)) {
    const setting = field.setting === undefined ? undefined : settings[field.setting as SettingKey];
    if (setting !== undefined && valueAt(args, path) === undefined) args = withValue(args, path, setting);
  }
  return args;
}

/** The changes that require a replacement: `region from "a" to "b"`. */
function describeChanges({ replacing }: FieldDifference, state: Properties, inputs: Properties): string {
  const changes = replacing.map(({ name, path, field }) => {
    const [from, to] = [state, inputs].map((properties) => displayValue(field, valueAt(properties, path)));
    return from && to ? `${name} from ${from} to ${to}` : name;
  });
  return changes.join(" and ");
}

/** The arguments, with the names of those that are marked as secret, without what else stands beside them. */
export function userArguments(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name === SECRETS || !name.startsWith("__")));
}

/** The conflict with another owner of the object, once its class knows of one. */
export function ownerConflictIn({ [OWNER_CONFLICT]: conflict }: Properties): Message | undefined {
  return typeof conflict === "string" && conflict !== UNKNOWN ? coded("CDB4009", conflict) : undefined;
}
