import { DECLARED, declaredNames } from "./declared";
import { isUpToDate } from "./diff";
import type { Definition, ListRules, Properties } from "./field";
import { alignWithDeclared, common, entriesOf, withKeysOf, without, withoutKeys } from "./list";
import { isObservable, observe, readOutputs } from "./observation";
import { type FieldPath, fieldPathsOf, knownValue, valueAt, withValue } from "./paths";
import { pendingFields } from "./request";

type Known = Readonly<Properties>;

/**
 * What is true before any request: the arguments that need none (spellings of what the server has, values that
 * only a creation could set, values that matter to nobody any more) are stored as declared.
 */
export function recordDeclared(definition: Definition, outputs: Known, inputs: Known): Properties {
  let state: Properties = { ...outputs, [DECLARED]: declaredNames(definition, inputs) };
  for (const leaf of fieldPathsOf(definition.fields)) {
    const wanted = valueAt(inputs, leaf.path);
    if (wanted === undefined) {
      if (!isKeptUndeclared(leaf)) state = withValue(state, leaf.path, undefined);
    } else if (leaf.field.onChange !== "update" || isUpToDate(leaf, state, inputs)) {
      state = withValue(state, leaf.path, wanted);
    }
  }
  return state;
}

/**
 * What is true once the API has created the object: what was sent, and lists as the answer shows them. There are no
 * others yet who could have added entries, so those that were not declared came from the server itself.
 */
export function stateAfterCreate(definition: Definition, operation: string, inputs: Known, result: Known): Properties {
  let state: Properties = {};
  for (const leaf of fieldPathsOf(definition.fields)) {
    if (!leaf.field.operations.includes(operation)) continue;
    const wanted = valueAt(inputs, leaf.path);
    const rules = leaf.field.list;
    const shown = wanted !== undefined && rules?.unmanaged === "remove" ? observe(leaf, result)?.value : undefined;
    const has = rules && shown ? alignWithDeclared(rules, entriesOf(wanted), entriesOf(shown)) : wanted;
    state = withValue(state, leaf.path, has);
  }
  for (const [name, { secret, apiName = name }] of Object.entries(definition.outputs)) {
    if (secret) state = withValue(state, [name], valueAt(result, [apiName]));
  }
  return recordDeclared(definition, fillComputed(definition, state, inputs, result), inputs);
}

/** What is true once the API has accepted a request: what was sent, and list entries as the response shows them. */
export function stateAfterUpdate(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): Properties {
  const carried = pendingFields(definition, operation, outputs, inputs);
  let state: Properties = { ...outputs };
  for (const leaf of fieldPathsOf(definition.fields)) {
    const wanted = valueAt(inputs, leaf.path);
    const isCarried = carried.includes(leaf);
    // Entries among those of others are ours to watch with every answer, sent or not.
    const isWatched = leaf.field.list && sharesList(leaf.field.list) && wanted !== undefined;
    if (!isCarried && !isWatched) continue;
    const shown = observe(leaf, result);
    const seen = shown && (shown.value ?? []);
    const has = reconcileList(leaf, outputs, wanted, seen) ?? wanted;
    state = withValue(state, leaf.path, has);
    // What was shown before is old now, also where this answer does not show it.
    if (leaf.observedPath && !leaf.field.secret && !leaf.field.list?.fromApi)
      state = withValue(state, leaf.observedPath, has);
  }
  return fillComputed(definition, state, inputs, result);
}

/** Whether the answer to a request lacks a list that the request has changed: it may be empty, or not shown by this answer. */
export function omitsChangedList(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): boolean {
  return pendingFields(definition, operation, outputs, inputs).some((leaf) => {
    const isChange = leaf.field.list?.send === "addRemove" && entriesOf(valueAt(inputs, leaf.path)).length > 0;
    const shown = isChange ? observe(leaf, result) : undefined;
    return shown !== undefined && shown.value === undefined;
  });
}

/** The same where nothing can be read: what the answer tells of arguments that were not sent is the only sign of drift. */
export function stateAfterUnreadableUpdate(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): Properties {
  const carried = pendingFields(definition, operation, outputs, inputs);
  let state = stateAfterUpdate(definition, operation, outputs, inputs, result);
  for (const leaf of fieldPathsOf(definition.fields)) {
    const isDeclared = valueAt(inputs, leaf.path) !== undefined && leaf.field.onChange === "update";
    if (!isDeclared || leaf.field.list || carried.includes(leaf)) continue;
    const shown = observe(leaf, result);
    if (shown) state = withValue(state, leaf.path, shown.value);
  }
  return state;
}

function sharesList(rules: ListRules): boolean {
  return rules.unmanaged === "keep" && rules.send === "addRemove";
}

/** What is true when a read follows a request that may or may not have been carried out. */
export function stateAfterReread(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): Properties {
  let state: Properties = { ...outputs };
  for (const leaf of pendingFields(definition, operation, outputs, inputs)) {
    const shown = observe(leaf, result);
    // What no answer shows stays as it was, and is sent again.
    if (!shown) continue;
    const wanted = valueAt(inputs, leaf.path);
    const landed = reconcileList(leaf, outputs, wanted, shown.value ?? []);
    state = withValue(state, leaf.path, landed ?? alignWithProgram(leaf, wanted, shown.value));
  }
  return fillComputed(definition, state, inputs, result);
}

/** What stays known of an object that was read after an uncertain request: of arguments that no answer shows, nothing. */
export function forgetUnobservable(
  definition: Definition,
  outputs: Known,
  isUncertain: (name: string) => boolean,
): Properties {
  let state: Properties = { ...outputs };
  for (const leaf of fieldPathsOf(definition.fields)) {
    if (leaf.field.onChange !== "update" || isObservable(leaf) || !isUncertain(leaf.name)) continue;
    state = withValue(state, leaf.path, undefined);
  }
  return state;
}

/** The same where nothing can be read: of lists all that may be there is kept, so that what is not wanted is removed. */
export function forgetUncertain(
  definition: Definition,
  outputs: Known,
  inputs: Known,
  isUncertain: (name: string) => boolean,
): Properties {
  let state: Properties = { ...outputs };
  for (const { name, path, field } of fieldPathsOf(definition.fields)) {
    if (field.onChange !== "update" || !isUncertain(name)) continue;
    const [known, wanted] = [valueAt(outputs, path), valueAt(inputs, path)];
    state = withValue(state, path, field.list && without(field.list, entriesOf(known), entriesOf(wanted)));
  }
  return state;
}

/** What may be there after an uncertain change of something that nobody can read: of lists, what was there and what was sent. */
export function assumeListsAccepted(definition: Definition, outputs: Known, inputs: Known): Properties {
  let state: Properties = { ...outputs };
  for (const { path, field } of fieldPathsOf(definition.fields)) {
    if (!field.list) continue;
    const [known, wanted] = [entriesOf(valueAt(outputs, path)), entriesOf(valueAt(inputs, path))];
    state = withValue(state, path, [...known, ...without(field.list, wanted, known)]);
  }
  return state;
}

/** What a read shows, in the program's own spelling and order where that says the same. */
export function stateAfterRead(definition: Definition, outputs: Known, inputs: Known, result: Known): Properties {
  let state: Properties = { ...outputs };
  for (const leaf of fieldPathsOf(definition.fields)) {
    const declared = valueAt(inputs, leaf.path);
    const isCompared = declared === undefined ? isKeptUndeclared(leaf) : leaf.field.onChange === "update";
    const shown = isCompared ? observe(leaf, result) : undefined;
    if (shown) state = withValue(state, leaf.path, alignWithProgram(leaf, declared, shown.value));
  }
  // A read shows all that there is: an output that it lacks is gone, but for what only the creation has answered.
  for (const [name, { secret, apiName = name }] of Object.entries(definition.outputs)) {
    if (!secret && valueAt(result, [apiName]) === undefined) state = withValue(state, [name], undefined);
  }
  return { ...state, ...readOutputs(definition, result) };
}

/** A shown value in the program's own spelling and order where that says the same. A list that is absent is empty. */
function alignWithProgram({ field: { list } }: FieldPath, declared: unknown, seen: unknown): unknown {
  return list ? alignWithDeclared(list, entriesOf(declared), entriesOf(seen)) : seen;
}

/** Fills in what the program leaves to the server, and the values that only the server gives. */
function fillComputed(definition: Definition, known: Known, inputs: Known, result: Known): Properties {
  let state: Properties = { ...known };
  for (const leaf of fieldPathsOf(definition.fields)) {
    if (valueAt(inputs, leaf.path) !== undefined || !isKeptUndeclared(leaf)) continue;
    const seen = observe(leaf, result)?.value;
    if (seen !== undefined) state = withValue(state, leaf.path, seen);
  }
  return { ...state, ...readOutputs(definition, result) };
}

/**
 * Whether outputs hold this argument also while the program does not declare it. Entries of others are no argument
 * of ours, a group has an output of its own for what is not declared, and a value that no response shows is soon old.
 */
function isKeptUndeclared({ field, path }: FieldPath): boolean {
  const staysTrue = field.inResponse === true || field.onChange !== "update";
  return staysTrue && field.list?.unmanaged !== "keep" && path.length === 1;
}

/**
 * What became of a list change: the wanted entries without those that the response lacks, and with those that it
 * still has although they were to go. What others have added meanwhile is left for the next refresh to show.
 */
function reconcileList(leaf: FieldPath, outputs: Known, wanted: unknown, seen: unknown): unknown {
  const rules = leaf.field.list;
  if (rules?.send !== "addRemove" || seen === undefined) return undefined;
  const [before, after, now] = [entriesOf(knownValue(outputs, leaf, wanted)), entriesOf(wanted), entriesOf(seen)];
  const watched = sharesList(rules) ? after : without(rules, after, before);
  const missing = without(rules, watched, now);
  const gone = without(rules, before, after);
  // Among entries of others, ours are known by their key alone: somebody may have changed the rest of one.
  const lingering = sharesList(rules)
    ? withoutKeys(rules, withKeysOf(rules, now, gone), after)
    : common(rules, now, gone);
  return [...without(rules, after, missing), ...lingering];
}
