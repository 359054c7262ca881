import { coded, withSentence } from "../../errors";
import {
  assumeListsAccepted,
  entriesAt,
  entriesOf,
  inputsFromState,
  type Properties,
  withKeysOf,
  withoutKeys,
  withValue,
} from "../../fields";
import { parseUrn, SECRETS, UNCERTAIN } from "../../names";
import { declaredId, declaredTarget, withId, withOrganization } from "../object/ids";
import { describeGone, describeObject } from "../object/messages";
import { fetchObject, isNotFound, unlessGone } from "../object/read-object";
import type {
  DeclaredTarget,
  Imported,
  ManagedObject,
  PartLifecycle,
  Target,
} from "../object/resource";
import { PartialFailure, UserError } from "../object/user-error";
import {
  changeEntries,
  type EntryChange,
  type Failure,
  listsIn,
  type Part,
  partsOf,
  readLists,
  sharedLists,
  stateOfParts,
} from "./entry-changes";

/**
 * The lifecycle of entries in lists that several stacks share. Each operation reads the object,
 * plans one change of its lists, and sends it unless it is empty. A resource owns an entry if its
 * state has exactly the shown entry, or if the entry's description names the stack: any machine
 * recognizes that entry after a crash, a rename or a move. Foreign entries are never changed.
 */
export const entries: PartLifecycle = {
  create: (resource, context, inputs) =>
    change({
      target: declaredTarget(resource, context, declaredId(resource, inputs), inputs),
      verb: "Adding",
      isCreation: true,
      state: {},
      wanted: inputs,
    }),
  update: (target, state) => change({ target, verb: "Updating", state, wanted: target.inputs }),
  read: readEntries,
  release: removeEntries,
  adoption: "adds the declared entries that it lacks and leaves those of others",
  replacement:
    "removes the entries that this resource has added there, and adds the declared ones to the other.",
  importing: {
    form: "ENTRIES",
    meaning:
      "ENTRIES the networks and private endpoint IDs that this stack has added, separated by commas",
    read: importEntries,
  },
};

/** Changes the entries, and leaves passed entries to other resources of this command. */
async function change(
  entryChange: EntryChange,
): Promise<ManagedObject & { readonly parts: readonly Part[] }> {
  const { target } = entryChange;
  const { resource, context, id, inputs } = target;
  const { parts, lists, failure } = await changeEntries(entryChange);
  if (failure !== undefined) throw errorOf(entryChange, parts, lists, failure);
  for (const part of parts) context.ledger.of(id, part).pass(part.plan.passing);
  const state = stateOfParts(resource, inputs, parts, lists, true);
  warnOfOpening(target, state);
  return { id, state, parts };
}

/** The error of one resource, with the resource's state after the failure. */
function errorOf(
  { target, isCreation, wanted }: EntryChange,
  parts: readonly Part[],
  lists: Properties,
  { message, cause, uncertain, isUnchanged }: Failure,
): UserError {
  const { resource, id, inputs } = target;
  if (isUnchanged && !isCreation) return new UserError(message, { cause });
  const state = stateOfParts(resource, inputs, parts, lists);
  const reached =
    uncertain === undefined
      ? state
      : { ...assumeListsAccepted(resource, state, wanted), [UNCERTAIN]: uncertain };
  const text = isCreation
    ? withSentence(message, "It is in the stack; the next `pulumi up` completes it.")
    : message;
  return new PartialFailure(id, reached, text, { cause });
}

/** Warns once per command that other owners have opened the object to everyone. */
function warnOfOpening({ context, id, inputs }: DeclaredTarget, { openSources }: Properties): void {
  const open = entriesOf(openSources);
  if (open.length === 0 || !context.owners.isFirst(`open ${id}`)) return;
  const shown = entriesOf(inputs[SECRETS]).length > 0 ? "" : ` (${open.join(", ")})`;
  context.warn(
    coded(
      "CDB5012",
      `Entries of others${shown} open service ${id} to everyone: whatever the program declares, they stay.`,
    ),
  );
}

/** The state after a read. A changed description makes the entry foreign. */
async function readEntries(target: Target, state: Properties): Promise<Properties> {
  const { resource } = target;
  const lists = listsIn(resource, await fetchObject(target, "Reading", state));
  // An invalid response has already caused a warning.
  if (lists === undefined) return state;
  const inputs = { ...inputsFromState(resource, state), [SECRETS]: state[SECRETS] };
  const parts = partsOf(target, state, state, lists);
  return stateOfParts(resource, inputs, parts, lists);
}

/**
 * Removes the resource's own entries, except entries that another resource of this command
 * declares.
 */
async function removeEntries({ resource, context, id }: Target, state: Properties): Promise<void> {
  const known = withId(resource, id, withOrganization(context, state));
  const target = declaredTarget(resource, context, id, known);
  try {
    const { parts } = await change({ target, verb: "Removing", state: known, wanted: {} });
    describeRemaining(target, parts);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (!isNotFound(error)) throw new UserError(error.coded);
    context.log(describeGone(target));
  }
}

/** Logs remaining declared entries with the reason. A replaced resource logs nothing. */
function describeRemaining(target: DeclaredTarget, parts: readonly Part[]): void {
  const { context, id, inputs } = target;
  const object = `The ${describeObject(target)}`;
  const heirs = new Set<string>();
  let [passing, kept] = [0, 0];
  for (const part of parts) {
    const { fieldPath, rules, owned, plan } = part;
    const { declarationOf } = context.ledger.of(id, part);
    const undeclared = entriesAt(inputs, fieldPath.path).filter((entry) => !declarationOf(entry));
    kept += withKeysOf(rules, undeclared, plan.others).length;
    for (const entry of owned) {
      const { urn = context.identity.urn } = declarationOf(entry) ?? {};
      if (urn === context.identity.urn) continue;
      passing += 1;
      heirs.add(`"${parseUrn(urn).name}"`);
    }
  }
  if (passing > 0) {
    const names = [...heirs].join(", ");
    context.log(
      coded(
        "CDB5011",
        `${object} leaves ${passing} of its entries to ${names}, which the program declares with them now.`,
      ),
    );
  }
  if (kept > 0) {
    context.log(
      coded(
        "CDB5004",
        `${object} keeps ${kept} of the declared entries: others had added them, or have changed them.`,
      ),
    );
  }
}

/** Reads the entries in an import ID, which the resource then owns in the object's spelling. */
async function importEntries(target: Target, text: string): Promise<Imported | undefined> {
  const { resource, location } = target;
  const named = parseEntries(target, text);
  const lists = await readLists({ ...target, inputs: location }).catch(unlessGone);
  if (lists === undefined) return undefined;
  let [wanted, missing]: [Properties, number] = [{}, 0];
  for (const { fieldPath, rules } of sharedLists(resource)) {
    const [all, current] = [entriesAt(named, fieldPath.path), entriesAt(lists, fieldPath.path)];
    const found = withKeysOf(rules, current, all);
    missing += withoutKeys(rules, all, current).length;
    if (found.length > 0) wanted = withValue(wanted, fieldPath.path, found);
  }
  const inputs = { ...location, ...wanted };
  const parts = partsOf(target, wanted, wanted, lists);
  return { state: stateOfParts(resource, inputs, parts, lists), inputs, missing };
}

/**
 * Parses a text such as `192.0.2.0/28,vpce-1`. Each entry belongs to the first list that accepts
 * it.
 */
function parseEntries({ resource }: Target, text: string): Properties {
  let named: Properties = {};
  for (const part of text.split(",")) {
    for (const { fieldPath, rules } of sharedLists(resource)) {
      const entry = rules.fromImportId?.(part.trim());
      if (entry === undefined) continue;
      named = withValue(named, fieldPath.path, [...entriesAt(named, fieldPath.path), entry]);
      break;
    }
  }
  return named;
}
