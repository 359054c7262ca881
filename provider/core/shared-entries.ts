import { coded, type Message } from "../errors";
import {
  entriesToOwn,
  type Properties,
  recordDeclared,
  sharedFields,
  withEmptiedLists,
  withOwnEntries,
  withoutEntries,
} from "../fields";
import type { EarlierAddition, ResourceIdentity } from "./creation-journal";
import { withOrganization } from "./id-fields";
import { ADDED, describeMissing, RemoteObject, UNCERTAIN } from "./remote-object";
import type { Created, HandlerDependencies, ResourceDeclaration, ResourceType } from "./resource-type";
import { UserError } from "./user-error";

/*
 * The lifecycle of entries in lists that others share, with the journal's memory of those that a command was about to add.
 */

/** Adds the declared entries. Those that an earlier command has added count as the resource's own. */
export async function addEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  inputs: Properties,
  identity: ResourceIdentity | undefined,
): Promise<Created> {
  const { definition } = declaration;
  const object = recordingObject(declaration, dependencies, id, inputs, identity);
  const earlier = identity && (await dependencies.journal()?.findAddition(identity));
  const known = earlier && (await findEarlierEntries(declaration, dependencies, id, inputs, earlier));
  if (known === undefined) return object.finishCreate("add", await object.findAdopted("add", {}));
  const declared = withEmptiedLists(definition, known, inputs);
  const completed = recordingObject(declaration, dependencies, id, declared, identity);
  const { state } = await completed.finishCreate("add", recordDeclared(definition, known, declared));
  return { id, state: recordDeclared(definition, state, inputs) };
}

/** An object that has the journal record entries before they are added. */
function recordingObject(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  inputs: Properties,
  identity: ResourceIdentity | undefined,
): RemoteObject {
  const { journal, redact } = dependencies;
  const { organizationId } = inputs;
  // The program may have marked them as secret.
  const asText = (value: unknown) => redact(String(value));
  return new RemoteObject(declaration, dependencies, id, inputs, async (start) => {
    const entries = entriesToOwn(declaration.definition, start, inputs);
    if (identity === undefined || entries === undefined) return undefined;
    return journal()?.beginAddition(identity, {
      organizationId: asText(organizationId),
      title: declaration.title,
      target: asText(id),
      name: identity.urn.split("::").slice(3).join("::"),
      inputs: { ...entries, organizationId, id },
    });
  });
}

/** The state with the entries that the earlier command has added; those that it added to another object are removed. */
async function findEarlierEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  { organizationId }: Properties,
  earlier: EarlierAddition,
): Promise<Properties | undefined> {
  const { id: target, ...entries } = entriesIn(earlier);
  if (target !== id) {
    const located = { ...entries, [declaration.idArgument]: target };
    if (!(await removeEntries(declaration, dependencies, String(target), located))) {
      const { record, discardCommand: command } = earlier;
      throw new UserError(
        coded(
          "CDB4012",
          `Access to service ${record.target}: an earlier command ended while it added entries, at ${record.sentAt}, and the API does not show that service. Nothing was added. If the service exists, use a key that can see it, and run \`pulumi up\` again. If the service is gone, run \`${command}\`.`,
        ),
      );
    }
    await earlier.end();
    return undefined;
  }
  const located = { organizationId, [declaration.idArgument]: id };
  const state = withOwnEntries(declaration.definition, located, entries);
  const current = await new RemoteObject(declaration, dependencies, id, state).refresh();
  return current && { ...current, [ADDED]: earlier.record.token };
}

/** Changes the entries in the stack, after a read of those that an earlier command may have added. */
export async function updateEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  inputs: Properties,
  identity: ResourceIdentity | undefined,
): Promise<Properties> {
  const { definition } = declaration;
  const known = withEntriesOf(declaration, id, state, await findUnstored(declaration, dependencies, state, identity));
  const declared = withEmptiedLists(definition, known, inputs);
  const updated = await recordingObject(declaration, dependencies, id, declared, identity).update(known);
  return recordDeclared(definition, updated, inputs);
}

/** Removes the resource's own entries, also those that an earlier command may have added. */
export async function deleteEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  identity: ResourceIdentity | undefined,
): Promise<void> {
  const earlier = await findUnstored(declaration, dependencies, state, identity);
  const known = withEntriesOf(declaration, id, state, earlier);
  const isRemoved = await removeEntries(declaration, dependencies, id, { ...known, [declaration.idArgument]: id });
  if (isRemoved && known !== state) await earlier?.end();
}

/** Reads the entries in the stack, and those that an earlier command may have added. */
export async function readEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  identity: ResourceIdentity | undefined,
): Promise<Properties | undefined> {
  const earlier = await findUnstored(declaration, dependencies, state, identity);
  // The next update refuses entries that only another API key can read.
  const known = earlier?.inputs === undefined ? state : withEntriesOf(declaration, id, state, earlier);
  if (earlier !== undefined) dependencies.journal()?.recovered.add(earlier.record.token);
  return new RemoteObject(declaration, dependencies, id, known).refresh();
}

/** The state with the entries that an earlier command may have added: uncertain until the next read. */
function withEntriesOf(
  { definition }: ResourceDeclaration,
  id: string,
  state: Properties,
  earlier: EarlierAddition | undefined,
): Properties {
  if (earlier === undefined) return state;
  const { id: target, ...entries } = entriesIn(earlier);
  if (target !== id) return state;
  const names = sharedFields(definition).map(({ fieldPath }) => fieldPath.name);
  const known = withOwnEntries(definition, state, entries);
  return { ...known, [ADDED]: earlier.record.token, [UNCERTAIN]: names };
}

/** The earlier addition that a state lacks; the record of one that it has ends. */
export async function findUnstored(
  { definition }: Pick<ResourceType, "definition">,
  { journal }: HandlerDependencies,
  state: Properties,
  identity: ResourceIdentity | undefined,
): Promise<EarlierAddition | undefined> {
  if (identity === undefined || sharedFields(definition).length === 0) return undefined;
  const earlier = await journal()?.findStoredAddition(identity);
  if (earlier === undefined || state[ADDED] !== earlier.record.token) return earlier;
  if (!journal()?.recovered.has(earlier.record.token)) await earlier.end();
  return undefined;
}

/** The recorded entries, if this API key can read them. */
function entriesIn({ inputs, record: { target, sentAt: time }, discardCommand: command }: EarlierAddition): Properties {
  if (inputs !== undefined) return inputs;
  throw new UserError(
    coded(
      "CDB4012",
      `Access to service ${target}: an earlier command, with another API key, ended while it added entries, at ${time}, and only that key can read which. Nothing was changed. Use that key once, or run \`${command}\`: entries that are there then count as shared.`,
    ),
  );
}

/** Removes the resource's own entries from lists that others share; false if the API does not show the object. */
async function removeEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
): Promise<boolean> {
  const { definition } = declaration;
  const { log } = dependencies;
  const located = withOrganization(dependencies, state);
  const object = new RemoteObject(declaration, dependencies, id, withoutEntries(definition, located));
  if ((await object.removeEntries(located)) === "gone") {
    log(describeMissing(declaration, id, located));
    return false;
  }
  const left = sharedFields(definition).flatMap(({ rules: { sharedAs } }) => located[sharedAs] ?? []);
  if (left.length > 0)
    log(
      coded(
        "CDB5004",
        `The ${object.displayName} keeps ${left.length} of the declared entries: others had added them.`,
      ),
    );
  return true;
}
