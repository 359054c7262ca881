import { DECLARED, declaredIn } from "./declared";
import { agrees } from "./diff";
import type { Definition, ListRules, Properties } from "./field";
import { common, entriesOf, inOrderOf, spelledAs, withKeysOf, without, withoutKeys } from "./list";
import { knownValue, type Leaf, leavesOf, valueAt, withValue } from "./paths";
import { pending } from "./request";

type Known = Readonly<Properties>;

/**
 * What is true before any request: the arguments that need none (spellings of what the server has, values that
 * only a creation could set, values that matter to nobody any more) are stored as declared.
 */
export function recorded(definition: Definition, outputs: Known, inputs: Known): Properties {
  const start: Properties = { ...outputs, [DECLARED]: declaredIn(definition, inputs) };
  return leavesOf(definition.fields).reduce((state, leaf) => {
    const wanted = valueAt(inputs, leaf.path);
    if (wanted === undefined) return isLeft(leaf) ? state : withValue(state, leaf.path, undefined);
    const settled = leaf.field.onChange !== "update" || agrees(leaf, state, inputs);
    return settled ? withValue(state, leaf.path, wanted) : state;
  }, start);
}

/**
 * What is true once the API has created the object: what was sent, and lists as the answer shows them. There are no
 * others yet who could have added entries, so those that were not declared came from the server itself.
 */
export function created(definition: Definition, operation: string, inputs: Known, result: Known): Properties {
  const state = leavesOf(definition.fields)
    .filter(({ field }) => field.via.includes(operation))
    .reduce<Properties>((known, leaf) => {
      const wanted = valueAt(inputs, leaf.path);
      const isWatched = wanted !== undefined && leaf.field.list?.others === "removed";
      return withValue(known, leaf.path, (isWatched && shownValue(leaf, wanted, result)) || wanted);
    }, {});
  return recorded(definition, filledIn(definition, state, inputs, result), inputs);
}

/** What is true once the API has accepted a request: what was sent, and list entries as the response shows them. */
export function accepted(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): Properties {
  // Entries among those of others are ours to watch with every answer, sent or not.
  const watched = leavesOf(definition.fields).filter(
    ({ field, path }) => field.list && staysAmongOthers(field.list) && valueAt(inputs, path) !== undefined,
  );
  const leaves = [...pending(definition, operation, outputs, inputs), ...watched];
  const state = leaves.reduce<Properties>((known, leaf) => {
    const wanted = valueAt(inputs, leaf.path);
    const landed = landedList(leaf, outputs, wanted, result) ?? wanted;
    const next = withValue(known, leaf.path, landed);
    // What was shown before is old now, also where this answer does not show it.
    return leaf.shownPath && !leaf.field.secret ? withValue(next, leaf.shownPath, landed) : next;
  }, outputs);
  return filledIn(definition, state, inputs, result);
}

/** Drift that the answer to a change tells of arguments which it did not carry: the only way where nothing can be read. */
export function driftIn(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): Properties {
  const sent = new Set(pending(definition, operation, outputs, inputs).map(({ name }) => name));
  return leavesOf(definition.fields)
    .filter(({ name, path, field }) => !sent.has(name) && !field.list && valueAt(inputs, path) !== undefined)
    .filter(({ field }) => field.onChange === "update")
    .reduce<Properties>((drift, leaf) => withValue(drift, leaf.path, responseValue(leaf, result)), {});
}

function staysAmongOthers(rules: ListRules): boolean {
  return rules.others === "kept" && rules.send === "addRemove";
}

/** What is true when a read follows a request that may or may not have been carried out. */
export function foundAfter(
  definition: Definition,
  operation: string,
  outputs: Known,
  inputs: Known,
  result: Known,
): Properties {
  const state = pending(definition, operation, outputs, inputs).reduce<Properties>((known, leaf) => {
    const wanted = valueAt(inputs, leaf.path);
    const found = landedList(leaf, outputs, wanted, result) ?? shownValue(leaf, wanted, result);
    return withValue(known, leaf.path, found ?? valueAt(outputs, leaf.path));
  }, outputs);
  return filledIn(definition, state, inputs, result);
}

/** What a read shows, in the program's own spelling and order where that says the same. */
export function observed(definition: Definition, outputs: Known, inputs: Known, result: Known): Properties {
  const state = leavesOf(definition.fields).reduce<Properties>((known, leaf) => {
    const declared = valueAt(inputs, leaf.path);
    if (declared === undefined || leaf.field.onChange !== "update") return known;
    return withValue(known, leaf.path, shownValue(leaf, declared, result) ?? valueAt(outputs, leaf.path));
  }, outputs);
  return filledIn(definition, state, inputs, result);
}

/** What a response shows for a declared argument, in the program's own spelling and order where that says the same. */
function shownValue(leaf: Leaf, declared: unknown, result: Known): unknown {
  const rules = leaf.field.list;
  const seen = responseValue(leaf, result);
  return rules && seen !== undefined ? inTermsOf(rules, entriesOf(declared), entriesOf(seen)) : seen;
}

/** Takes over what the program leaves to the server, and the values that only the server gives. */
function filledIn(definition: Definition, state: Known, inputs: Known, result: Known): Properties {
  const filled = leavesOf(definition.fields).reduce<Properties>((known, leaf) => {
    const seen = responseValue(leaf, result);
    const fills = valueAt(inputs, leaf.path) === undefined && isLeft(leaf) && seen !== undefined;
    return fills ? withValue(known, leaf.path, seen) : known;
  }, state);
  const shown = withoutSecrets(definition, result);
  return Object.entries(definition.outputs).reduce((known, [name, output]) => {
    const seen = valueAt(shown, [output.wire ?? name]);
    return seen === undefined ? known : withValue(known, [name], seen);
  }, filled);
}

/**
 * Whether outputs hold this argument also while the program does not declare it. Entries of others are no argument
 * of ours, a group has an output of its own for what is not declared, and a value that no response shows is soon old.
 */
function isLeft({ field, path }: Leaf): boolean {
  const staysTrue = field.inResponse === true || field.onChange !== "update";
  return staysTrue && field.list?.others !== "kept" && path.length === 1;
}

/** A response without what arguments declare as secret: outputs that hold whole parts of it are no secrets. */
function withoutSecrets(definition: Definition, result: Known): Properties {
  return leavesOf(definition.fields)
    .filter(({ field }) => field.secret)
    .reduce<Properties>((shown, { wirePath }) => withValue(shown, wirePath, undefined), result);
}

/** The value that a response carries for an argument, if it carries one. */
function responseValue({ field, wirePath }: Leaf, result: Known): unknown {
  if (field.list?.observe) return field.list.observe(result);
  return field.inResponse ? valueAt(result, wirePath) : undefined;
}

/**
 * What became of a list change: the wanted entries without those that the response lacks, and with those that it
 * still has although they were to go. What others have added meanwhile is left for the next refresh to show.
 */
function landedList(leaf: Leaf, outputs: Known, wanted: unknown, result: Known): unknown {
  const rules = leaf.field.list;
  const seen = responseValue(leaf, result);
  if (rules?.send !== "addRemove" || seen === undefined) return undefined;
  const [before, after, now] = [entriesOf(knownValue(outputs, leaf)), entriesOf(wanted), entriesOf(seen)];
  const watched = staysAmongOthers(rules) ? after : without(rules, after, before);
  const missing = without(rules, watched, now);
  const gone = without(rules, before, after);
  // Among entries of others, ours are known by their key alone: somebody may have changed the rest of one.
  const lingering = staysAmongOthers(rules)
    ? withoutKeys(rules, withKeysOf(rules, now, gone), after)
    : common(rules, now, gone);
  return [...without(rules, after, missing), ...lingering];
}

/** The entries that a read shows and this list speaks about, as the program orders and spells them. */
function inTermsOf(rules: ListRules, declared: never[], seen: never[]): never[] {
  const ours = rules.others === "removed" ? seen : withKeysOf(rules, seen, declared);
  const absent = rules.absent as ((entry: never) => never) | undefined;
  const missing = absent ? withoutKeys(rules, declared, seen).map(absent) : [];
  return inOrderOf(rules, declared, spelledAs(rules, declared, [...ours, ...missing]));
}
