import { canonicalId } from "pulumi-clouddb-facts";
import {
  type Definition,
  type EditedList,
  editedLists,
  entriesAt,
  hasUnknown,
  type Properties,
  valueAt,
  without,
  withoutKeys,
  withValue,
} from "../../fields";

/** A declared entry of an object's list, and the resource that declares it. */
export interface Declaration {
  readonly urn: string;
  readonly list: EditedList;
  readonly entry: unknown;
}

type Tables = Pick<Definition, "fields">;

export type Ledger = ReturnType<typeof createLedger>;

/** The facts about the entries of one list. */
export type ListFacts = ReturnType<Ledger["of"]>;

/** The facts about one list, by the keys of its entries. */
function createFacts() {
  return {
    declarations: new Map<string, Declaration>(),
    /** The removed entries: true until a later change adds them again. */
    removals: new Map<string, boolean>(),
    passed: new Map<string, true>(),
  };
}

/**
 * The entries that the resources of a command declare, hold, remove and pass on in the lists of
 * objects. There is one ledger for each process.
 */
export function createLedger() {
  const lists = new Map<string, ReturnType<typeof createFacts>>();
  /** The entries that each resource declares, as of its last check. */
  const declaredBy = new Map<string, ReturnType<typeof declarationsIn>>();
  const responses = new Map<string, Properties | undefined>();

  /** One list of an object, whose entries count by their keys. */
  function of(id: string, { fieldPath: { name }, rules }: EditedList) {
    const place = `${canonicalId(id)} ${name}`;
    const { declarations, removals, passed } = lists.get(place) ?? createFacts();
    lists.set(place, { declarations, removals, passed });
    // Most lists have no such facts, and keys take time.
    const find = <Fact>(facts: ReadonlyMap<string, Fact>, entry: unknown) =>
      facts.size > 0 ? facts.get(rules.key(entry)) : undefined;
    return {
      /** The resource of the program that declares an entry, among the resources checked so far. */
      declarationOf: (entry: unknown) => find(declarations, entry),
      noteDeclaration: (entry: unknown, declaration: Declaration): void =>
        void declarations.set(rules.key(entry), declaration),
      dropDeclaration: (entry: unknown): void => void declarations.delete(rules.key(entry)),
      /** True for an entry that its former resource has left to other resources of the program. */
      isPassed: (entry: unknown) => find(passed, entry) === true,
      /** True for an entry that this command has removed, and has not added again. */
      isRemoved: (entry: unknown) => find(removals, entry) === true,
      /** True for an entry that this command has removed, even if it was added again. */
      wasRemoved: (entry: unknown) => find(removals, entry) !== undefined,
      pass(entries: readonly unknown[]): void {
        for (const entry of entries) passed.set(rules.key(entry), true);
      },
      /** Notes which entries a change removes, and which are there after it. */
      noteChange(before: readonly unknown[], after: readonly unknown[]): void {
        for (const entry of after)
          if (find(removals, entry) !== undefined) removals.set(rules.key(entry), false);
        for (const entry of withoutKeys(rules, before, after)) removals.set(rules.key(entry), true);
      },
    };
  }

  function declarationsIn(urn: string, id: string, resource: Tables, inputs: Properties) {
    return editedLists(resource).flatMap((list) => {
      const facts = of(id, list);
      const known = entriesAt(inputs, list.fieldPath.path).filter((entry) => !hasUnknown(entry));
      return known.map((entry) => ({ urn, list, entry, facts }));
    });
  }

  return {
    of,
    /**
     * Notes the entries that a resource declares instead of its former ones. Returns the first one
     * that another resource declares, if any, and then notes nothing.
     */
    declare(
      urn: string,
      id: string,
      resource: Tables,
      inputs: Properties,
    ): Declaration | undefined {
      const declared = declarationsIn(urn, id, resource, inputs);
      for (const { list, entry, facts } of declared) {
        const owner = facts.declarationOf(entry)?.urn ?? urn;
        if (owner !== urn) return { urn: owner, list, entry };
      }
      for (const { facts, entry } of declaredBy.get(urn) ?? []) facts.dropDeclaration(entry);
      for (const { facts, ...declaration } of declared)
        facts.noteDeclaration(declaration.entry, declaration);
      declaredBy.set(urn, declared);
      return undefined;
    },
    /** True if this command has removed an entry that these inputs declare. */
    lacks: (id: string, resource: Tables, inputs: Properties): boolean =>
      declarationsIn("", id, resource, inputs).some(({ facts, entry }) => facts.isRemoved(entry)),
    /** Keeps the response to the last change of an object's lists; undefined while it is unknown. */
    hold: (id: string, response: Properties | undefined): void =>
      void responses.set(canonicalId(id), response),
    /** The object after the last change of its lists: a read may be older. */
    held: (id: string) => responses.get(canonicalId(id)),
    /**
     * A response without the entries that this command has removed: a read may be older than the
     * removal. With a change that adds some of them again, only without those.
     */
    withoutRemoved(
      id: string,
      resource: Tables,
      response: Properties,
      change?: { readonly before: Properties; readonly after: Properties },
    ): Properties {
      let filtered = response;
      for (const list of editedLists(resource)) {
        const { rules, fieldPath } = list;
        const { path, apiPath } = fieldPath;
        const shown = valueAt(response, apiPath);
        if (!Array.isArray(shown)) continue;
        const { isRemoved, wasRemoved } = of(id, list);
        const removed = change
          ? without(rules, entriesAt(change.after, path), entriesAt(change.before, path)).filter(
              wasRemoved,
            )
          : shown.filter(isRemoved);
        if (removed.length === 0) continue;
        filtered = withValue(filtered, apiPath, withoutKeys(rules, shown, removed));
      }
      return filtered;
    },
  };
}
