import type { ResourceIdentity } from "../../core/creation-journal";
import * as handlers from "../../core/handlers";
import { ownerConflictIn, userArguments } from "../../core/handlers";
import type { Naming, ResourceType } from "../../core/resource-type";
import type { Session } from "../../core/session";
import { UserError } from "../../core/user-error";
import { coded, type Message } from "../../errors";
import {
  DECLARED,
  type Definition,
  describeDeprecation,
  fieldPathsOf,
  markState,
  type Properties,
  recordDeclared,
  sharedFields,
  UNKNOWN,
  valueAt,
  withValue,
} from "../../fields";
import { SECRETS } from "../../names";
import type { Owners } from "../owners";
import { parseUrn } from "../urn";
import { detailedDiff, type PlaceChange } from "./detailed-diff";
import type { EngineLog } from "./engine-log";
import { asImported, countMissing, type ImportId, invalidImportId, parseImportId, withImportedEntries } from "./import";
import { nameIn } from "./tokens";

/** The context of a request for a resource. */
export interface RequestContext {
  readonly session: Session;
  readonly owners: Owners;
  readonly log: EngineLog;
  readonly urn: string;
  readonly identity: ResourceIdentity;
  readonly type: ResourceType;
}

/*
 * The engine's requests for one resource, with plain values: the handlers, and the parts that only a plugin needs.
 * Arguments come without the members that the dynamic adapter and its classes have stored beside them.
 */

export function check(
  { session, owners, log, urn, type }: RequestContext,
  oldInputs: Properties,
  news: Properties,
  naming?: Naming,
) {
  const newInputs = userArguments(news);
  owners.declare(urn);
  const { inputs, problems, warnings } = handlers.check(type, session.dependencies, {
    name: parseUrn(urn).name,
    naming,
    oldInputs: userArguments(oldInputs),
    newInputs,
    conflict:
      ownerConflictIn(news) ?? owners.claim(urn, type, handlers.applySettings(type, session.dependencies, newInputs)),
  });
  for (const line of [...warnings, ...deprecations(type.definition, newInputs)]) log.warn(line);
  return { inputs, reasons: problems.map(({ reason }) => reason) };
}

export interface Diffed {
  readonly isChanged: boolean;
  readonly replaces: readonly string[];
  readonly places: readonly PlaceChange[];
}

export function diff(
  context: RequestContext,
  id: string,
  state: Properties,
  news: Properties,
  isUnstored = false,
): Diffed {
  const { session, owners, log, urn, type } = context;
  const inputs = userArguments(news);
  const difference = handlers.diff(type, session.dependencies, id, state, inputs, isUnstored);
  const { changed, replacing, isStale, replacementNotice } = difference;
  if (replacing.length === 0) {
    const { redactMessage } = session.dependencies;
    const imported = owners.claimObject(urn, type, id);
    if (imported !== undefined) {
      throw new UserError(
        redactMessage(
          coded(
            "CDB4010",
            `${imported.text} If it was imported twice, remove the newer one from the state with \`pulumi state delete --force URN\`: an import brings no password.`,
          ),
        ),
      );
    }
    const conflict = owners.claim(urn, type, inputs, id);
    if (conflict !== undefined) throw new UserError(redactMessage(conflict));
  }
  if (replacementNotice !== undefined) log.warn(replacementNotice);
  const places = detailedDiff(difference, type.withId(id, state), inputs);
  const released = places.filter(({ isReleased }) => isReleased).map(({ place }) => place);
  if (released.length > 0)
    log.info(
      coded("CDB5005", `The ${type.title} ${id} keeps what the program does not declare: ${released.join(", ")}.`),
    );
  return {
    isChanged: changed.length > 0 || isStale,
    replaces: replacing.flatMap(({ path: [name = ""] }) => [name]),
    // An engine shows a removal as if it were sent.
    places: places.filter(({ isReleased }) => !isReleased),
  };
}

export async function create(context: RequestContext, properties: Properties, isPreview: boolean) {
  const { session, owners, log, urn, identity, type } = context;
  const inputs = userArguments(properties);
  const earlier = await handlers.describeEarlierCreation(type, session.dependencies, inputs, identity);
  if (earlier.refusal !== undefined) throw new UserError(earlier.refusal);
  if (earlier.notice !== undefined) log.warn(earlier.notice);
  if (isPreview) return { id: "", state: plannedCreation(type.definition, inputs) };
  const created = await session.run(type.definition, [inputs], () =>
    handlers.create(type, session.dependencies, inputs, identity),
  );
  // Too late to refuse: whoever came first has been accepted already.
  const conflict = owners.claim(urn, type, inputs, created.id);
  if (conflict !== undefined) log.warn(session.dependencies.redactMessage(conflict));
  return created;
}

export async function update(
  { session, identity, type }: RequestContext,
  id: string,
  state: Properties,
  news: Properties,
  isPreview: boolean,
): Promise<Properties> {
  const inputs = userArguments(news);
  if (isPreview) return plannedUpdate(type.definition, state, inputs);
  return session.run(type.definition, [inputs, state], () =>
    handlers.update(type, session.dependencies, id, state, inputs, identity),
  );
}

/** Nothing where the object is gone, or is not there to be imported. An import comes without arguments. */
export async function read(
  { session, owners, log, urn, identity, type }: RequestContext,
  importId: string,
  stored: Properties,
  args: Properties | undefined,
): Promise<({ readonly id: string } & handlers.Found) | undefined> {
  // A managed resource has a list of declared arguments; one that is imported or only read has none.
  const isManaged = stored[DECLARED] !== undefined;
  const typeName = nameIn(parseUrn(urn).type) ?? "";
  const isImport = !isManaged && args === undefined;
  const { id, parents, entries }: ImportId = isManaged
    ? { id: importId, parents: {} }
    : parseImportId(type, typeName, importId, stored, isImport);
  if (isImport && sharedFields(type.definition).length > 0 && !entries) throw invalidImportId(type, typeName);
  // An id that a program could declare to adopt an object would make an imported one an adopted one.
  const own = type.definition.adoptionArgument === undefined ? type.withId(id, {}) : {};
  const located = { ...stored, ...parents, ...own };
  const state = isManaged
    ? stored
    : handlers.applySettings(
        type,
        session.dependencies,
        entries ? withImportedEntries(type, located, entries) : located,
      );
  // A program that only reads the object marks secrets in its arguments.
  const known = withValue(state, [SECRETS], stored[SECRETS] ?? args?.[SECRETS]);
  const current = await session.run(type.definition, [known], () =>
    handlers.read(type, session.dependencies, id, known, isManaged ? identity : undefined),
  );
  if (current === undefined) return undefined;
  if (isManaged) return { id, ...current };
  // A program that only reads it declares nothing but what it has given.
  if (args !== undefined) return { id, state: current.state, inputs: args };
  const count = countMissing(type, current.state, entries ?? {});
  if (count > 0) {
    const object = `${type.title} ${id}`;
    throw new UserError(
      coded(
        "CDB4006",
        `Cannot import ${typeName}: the ${object} does not include ${count} of the entries in the import ID. Import what is there; declare the rest, and \`pulumi up\` adds it. Nothing was imported.`,
      ),
    );
  }
  const conflict = owners.claimObject(urn, type, id);
  if (conflict !== undefined) throw new UserError(conflict);
  // Only the engine knows, which sends no request for the other resources of the stack.
  if (owners.isFirstImport())
    log.info(
      coded(
        "CDB4008",
        "Pulumi does not check whether the stack already has what it imports. If `pulumi stack --show-ids` lists an ID twice, remove the new resource with `pulumi state delete --force URN`.",
      ),
    );
  if (type.read === undefined)
    log.warn(
      coded(
        "CDB4007",
        `The API cannot read ${type.title} ${id}: only the ID was imported; it could not be verified. Declare what the program is to manage; the next \`pulumi up\` sends it.`,
      ),
    );
  return { id, ...asImported(type, current) };
}

export function deleteResource({ session, identity, type }: RequestContext, id: string, state: Properties) {
  return session.run(type.definition, [state], () => handlers.delete(type, session.dependencies, id, state, identity));
}

function deprecations(definition: Definition, inputs: Properties): Message[] {
  return fieldPathsOf(definition.fields).flatMap((fieldPath) =>
    valueAt(inputs, fieldPath.path) === undefined ? [] : (describeDeprecation(fieldPath) ?? []),
  );
}

/** The outputs of an object to be created or adopted that a preview knows: its arguments. */
export function plannedCreation(definition: Definition, inputs: Properties): Properties {
  const { fields, outputs, adoptionArgument = "" } = definition;
  // The API fills in an argument that is left out, and returns it.
  const filled = fieldPathsOf(fields)
    .filter(({ path, field }) => path.length === 1 && field.inResponse && field.list?.unmanaged !== "keep")
    .map(({ name }) => name);
  const known = { ...recordDeclared(definition, {}, inputs), ...inputs };
  const isAdopted = typeof inputs[adoptionArgument] === "string" && inputs[adoptionArgument] !== UNKNOWN;
  const created = Object.keys(outputs).filter((name) => outputs[name]?.secret);
  // An adopted object lacks the outputs that only a creation returns.
  const missing = isAdopted ? Object.fromEntries(created.map((name) => [name, null])) : {};
  return markState(definition, { ...unknown([...filled, ...Object.keys(outputs)]), ...missing, ...known }, inputs);
}

/** The planned state of an update. Outputs that only a creation returns stay; any other may change. */
export function plannedUpdate(definition: Definition, state: Properties, inputs: Properties): Properties {
  const computed = Object.entries(definition.outputs).flatMap(([name, { secret }]) => (secret ? [] : [name]));
  const known = { ...recordDeclared(definition, state, inputs), ...inputs };
  return markState(definition, { ...known, ...unknown(computed) }, inputs);
}

function unknown(names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
