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

/** A declared list entry and the resource that declares it. */
export interface Declaration {
  readonly urn: string;
  readonly list: EditedList;
  readonly entry: unknown;
}

type Tables = Pick<Definition, "fields">;

export type Ledger = ReturnType<typeof createLedger>;

export type ListFacts = ReturnType<Ledger["of"]>;

/** The facts about one list, by the keys of its entries. */
function createFacts() {
  return {
    declarations: new Map<string, Declaration>(),
    /** The removed entries. The value is true until a change adds the entry again. */
    removals: new Map<string, boolean>(),
    passed: new Map<string, true>(),
  };
}

/**
 * The entries that the resources of a command declare, remove and pass on. Each process has one
 * ledger.
 */
export function createLedger() {
  const lists = new Map<string, ReturnType<typeof createFacts>>();
  /** The declared entries of each resource, from its last check. */
  const declaredBy = new Map<string, ReturnType<typeof declarationsIn>>();
  const responses = new Map<string, Properties | undefined>();

  /** One list of an object. Its entries are identified by their keys. */
  function of(id: string, { fieldPath: { name }, rules }: EditedList) {
    const place = `${canonicalId(id)} ${name}`;
    const { declarations, removals, passed } = lists.get(place) ?? createFacts();
    lists.set(place, { declarations, removals, passed });
    // Most lists have no facts, and computing keys takes time.
    const find = <Fact>(facts: ReadonlyMap<string, Fact>, entry: unknown) =>
      facts.size > 0 ? facts.get(rules.key(entry)) : undefined;
    return {
      /** The declaration of an entry by a resource that is already checked. */
      declarationOf: (entry: unknown) => find(declarations, entry),
      noteDeclaration: (entry: unknown, declaration: Declaration): void =>
        void declarations.set(rules.key(entry), declaration),
      dropDeclaration: (entry: unknown): void => void declarations.delete(rules.key(entry)),
      /** True for an entry that its former resource left to another resource. */
      isPassed: (entry: unknown) => find(passed, entry) === true,
      /** True for an entry that this command removed and has not added again. */
      isRemoved: (entry: unknown) => find(removals, entry) === true,
      /** True for an entry that this command removed, even if it was added again. */
      wasRemoved: (entry: unknown) => find(removals, entry) !== undefined,
      pass(entries: readonly unknown[]): void {
        for (const entry of entries) passed.set(rules.key(entry), true);
      },
      /** Records the entries that a change removes, and those that it adds again. */
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
     * Replaces the recorded entries of a resource. If another resource declares an entry already,
     * returns that declaration and records nothing.
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
    /**
     * Stores the response to the last change of an object's lists; undefined while its outcome is
     * unknown.
     */
    hold: (id: string, response: Properties | undefined): void =>
      void responses.set(canonicalId(id), response),
    /** The object after the last change of its lists, since a read may be stale. */
    held: (id: string) => responses.get(canonicalId(id)),
    /**
     * A response without entries that this command removed, since a read may be stale. If a change
     * adds removed entries again, only those are dropped.
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
