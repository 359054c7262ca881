import { isRecord } from "pulumi-clouddb-facts";
import { distinct, type ListRules, withKeysOf, without, withoutKeys } from "../../fields";
import type { ListFacts } from "./ledger";

const STACK = "[\\w.-]+/[\\w.-]+";
const ONLY_STACK = new RegExp(`^${STACK}$`);
const ENDING_WITH_STACK = new RegExp(` \\(${STACK}\\)$`);

/** A description that names a stack: `office (shop/production)`, or `shop/production` alone. */
export function withStack(text: string, stack: string): string {
  if (text === "") return stack;
  return namesStack(text, stack) ? text : `${text} (${stack})`;
}

/** A description without the stack that it names. */
export function withoutStack(text: string): string {
  return ONLY_STACK.test(text) ? "" : text.replace(ENDING_WITH_STACK, "");
}

function namesStack(text: string, stack: string): boolean {
  return text === stack || text.endsWith(` (${stack})`);
}

type Entries = readonly unknown[];

/** One resource's list. */
export interface OwnedList {
  readonly rules: ListRules;
  /** The entries that the resource owns by its state. */
  readonly owned: Entries;
  /**
   * The stack that descriptions name, `PROJECT/STACK`; undefined if the resource declares the
   * complete list.
   */
  readonly stack?: string;
}

/** The change of an object's list for one resource. Sets of entries are in the object's spelling. */
export interface Plan {
  /** The entries of the object after the change. */
  readonly after: Entries;
  /** The entries that the resource owns after the change. */
  readonly ownAfter: Entries;
  /** The shown entries of the resource, and all other shown entries, which stay. */
  readonly own: Entries;
  readonly others: Entries;
  /** The entries to be removed that the object does not show. */
  readonly unseen: Entries;
  /** The entries that other resources of the program take over, as these declare them. */
  readonly passing: Entries;
  /** The entries that the resource keeps, adds or passes on. */
  readonly goal: Entries;
}

/**
 * Plans the change of a list that the object shows as `shown`, for a resource that declares
 * `wanted`.
 *
 * A list that the resource declares completely is its own: `others` are the entries that neither
 * its state nor its program has. In a list that several stacks share, entries of other owners are
 * never changed.
 */
export function plan(
  ledger: Pick<ListFacts, "declarationOf" | "isPassed">,
  { rules, owned, stack }: OwnedList,
  wanted: Entries,
  shown: Entries,
): Plan {
  const declared = withKeysOf(rules, shown, wanted);
  const ours =
    stack === undefined
      ? [...declared, ...withKeysOf(rules, shown, owned)]
      : [...declared.filter((entry) => isOfStack(ledger, entry, stack)), ...owned];
  const others = without(rules, shown, ours);
  const own = rest(shown, others);
  // A read may lag behind the request that added an entry, and an earlier removal may have failed.
  const absent =
    stack === undefined
      ? []
      : withoutKeys(rules, withoutKeys(rules, owned, [...own, ...wanted]), others);
  const givenUp = withoutKeys(rules, [...own, ...absent], wanted);
  const passing = givenUp.flatMap((entry) => ledger.declarationOf(entry)?.entry ?? []);
  const declaredByAny = distinct(rules, [...wanted, ...passing]);
  const heldByOthers = withoutKeys(rules, withKeysOf(rules, others, declaredByAny), own);
  const goal = withoutKeys(rules, declaredByAny, heldByOthers);
  return {
    // An absent entry that passes to another resource is added by that resource.
    after: [
      ...rest(shown, without(rules, own, goal)),
      ...without(rules, goal, [...shown, ...absent]),
    ],
    ownAfter: withoutKeys(rules, goal, passing),
    own,
    others,
    unseen: without(rules, absent, goal),
    passing,
    goal,
  };
}

/** The entries of a list that are not in a part of it. */
export function rest(list: Entries, part: Entries): unknown[] {
  const entries = new Set(part);
  return list.filter((entry) => !entries.has(entry));
}

/** True for an entry that the stack has added, or that a resource of the program has left to it. */
function isOfStack(ledger: Pick<ListFacts, "isPassed">, entry: unknown, stack: string): boolean {
  const text = isRecord(entry) && typeof entry.description === "string" ? entry.description : "";
  return namesStack(text, stack) || (withoutStack(text) === text && ledger.isPassed(entry));
}
