import {
  check as checkArguments,
  diff as diffArguments,
  displayValue,
  type FieldDifference,
  fieldPathsOf,
  inputsFromState,
  type Problem,
  type Properties,
  valueAt,
  withoutAbsent,
  withValue,
} from "../fields";
import { ruleContext, type SettingKey } from "../settings/settings";
import { REFUSED } from "./refused";
import { UNCERTAIN } from "./remote-object";
import type { Created, HandlerDependencies, ResourceType } from "./resource-type";

/*
 * Operations on resources of any type, as plain functions with plain results. An adapter passes arguments and states
 * without the members that its engine adds, and converts the results to its engine's form.
 */

export interface CheckRequest {
  /** The resource's name in the program. */
  readonly name: string;
  readonly oldInputs: Properties;
  readonly newInputs: Properties;
  /** Why the program cannot have this resource, if another one manages the same object. */
  readonly conflict?: string | undefined;
}

export interface Checked {
  /** As they are applied and stored. An argument with a problem is named under `REFUSED` and not shown: policies see these inputs. */
  readonly inputs: Properties;
  /** Adapters pass only the reasons to the engine, because it prints the value of an invalid argument. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Validates and completes what the program declares. Asks the API nothing. */
export function check(type: ResourceType, dependencies: HandlerDependencies, request: CheckRequest): Checked {
  const { name, oldInputs, newInputs, conflict } = request;
  const { settings, problems: settingProblems } = dependencies.settings();
  const given = applySettings(type, dependencies, withoutAbsent(newInputs));
  const completed = type.applyDefaults?.(oldInputs, given, name) ?? given;
  const checked = checkArguments(type.definition, oldInputs, completed, ruleContext(settings));
  const refused = new Set(checked.problems.flatMap(({ argument }) => argument ?? []));
  let inputs = checked.inputs;
  for (const argument of refused) inputs = withValue(inputs, [argument], undefined);
  if (refused.size > 0) inputs = { ...inputs, [REFUSED]: [...refused] };
  const outside = [...settingProblems, ...(conflict === undefined ? [] : [conflict])];
  return {
    inputs,
    problems: [...outside.map((reason) => ({ reason })), ...checked.problems],
    warnings: checked.warnings.map((line) => `${name}: ${line}`),
  };
}

/** The changes that the arguments require. */
export interface Difference extends FieldDifference {
  /** The outcome of the last request is unknown: an update has to find out. */
  readonly isUncertain: boolean;
  /** The effect of a replacement, if one is needed. */
  readonly replacementNotice?: string;
}

/** Compares what the program declares with the state. Asks the API nothing. */
export function diff(type: ResourceType, id: string, state: Properties, inputs: Properties): Difference {
  const known = type.withId?.(id, state) ?? state;
  const difference = diffArguments(type.definition, known, inputs);
  return {
    ...difference,
    isUncertain: state[UNCERTAIN] !== undefined,
    ...(difference.replacing.length > 0 && {
      replacementNotice: describeReplacement(type, id, difference, known, inputs),
    }),
  };
}

/** Creates or adopts the object. A `PartialFailure` says that it is there and not yet as declared. */
export async function create(
  type: ResourceType,
  dependencies: HandlerDependencies,
  inputs: Properties,
): Promise<Created> {
  const { id, state } = await type.create(dependencies, inputs);
  return { id, state: withoutAbsent(state) };
}

/** An object as the server has it, and the arguments that a program would have to declare to agree with it. */
export interface Found {
  readonly state: Properties;
  readonly inputs: Properties;
}

/** Reads the object; nothing where it is gone. */
export async function read(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  stored: Properties,
): Promise<Found | undefined> {
  const found = type.read === undefined ? stored : await type.read(dependencies, id, stored);
  if (found === undefined) return undefined;
  const state = withoutAbsent(found);
  return { state, inputs: inputsFromState(type.definition, state) };
}

/** Sends what differs. A `PartialFailure` holds what has been changed nevertheless. */
export async function update(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  inputs: Properties,
): Promise<Properties> {
  return withoutAbsent(await type.update(dependencies, id, state, inputs));
}

/** Ends the management of the object, or says why that cannot be. */
async function deleteObject(
  type: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
): Promise<void> {
  await type.delete(dependencies, id, state);
}

export { deleteObject as delete };

/** The arguments with the settings that stand in for those that are not declared. */
export function applySettings(
  { definition }: ResourceType,
  dependencies: HandlerDependencies,
  inputs: Properties,
): Properties {
  const { settings } = dependencies.settings();
  let given = inputs;
  for (const { path, field } of fieldPathsOf(definition.fields)) {
    const setting = field.setting === undefined ? undefined : settings[field.setting as SettingKey];
    if (setting !== undefined && valueAt(given, path) === undefined) given = withValue(given, path, setting);
  }
  return given;
}

function describeReplacement(
  { title, replacementEffect }: ResourceType,
  id: string,
  { replacing }: FieldDifference,
  state: Properties,
  inputs: Properties,
): string {
  const changes = replacing.map(({ name, path, field }) => {
    const [from, to] = [state, inputs].map((properties) => displayValue(field, valueAt(properties, path)));
    return from && to ? `${name} from ${from} to ${to}` : name;
  });
  return `Changing ${changes.join(" and ")} of ${title} ${id} ${replacementEffect}`;
}
