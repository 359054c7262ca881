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

/** A description without the stack's name. */
export function withoutStack(text: string): string {
  return ONLY_STACK.test(text) ? "" : text.replace(ENDING_WITH_STACK, "");
}

function namesStack(text: string, stack: string): boolean {
  return text === stack || text.endsWith(` (${stack})`);
}

type Entries = readonly unknown[];

/** One resource's part of a list. */
export interface OwnedList {
  readonly rules: ListRules;
  /** The entries that the resource owns according to its state. */
  readonly owned: Entries;
  /** The stack that descriptions name, `PROJECT/STACK`. */
  readonly stack: string;
}

/** The change of an object's list for one resource. Entries have the object's spelling. */
export interface Plan {
  /** The object's entries after the change. */
  readonly after: Entries;
  /** The resource's entries after the change. */
  readonly ownAfter: Entries;
  /** The shown entries, divided into the resource's own and the rest, which stays. */
  readonly own: Entries;
  readonly others: Entries;
  /** Removed entries that the object does not show. */
  readonly unseen: Entries;
  /** Entries that another resource takes over, as that resource declares them. */
  readonly passing: Entries;
  /** Entries that the resource keeps, adds or passes on. */
  readonly goal: Entries;
}

/**
 * The entries in `shown` that belong to a resource that declares the complete list: those that its
 * state or its program has.
 */
export function ownEntries(
  rules: ListRules,
  owned: Entries,
  wanted: Entries,
  shown: Entries,
): Entries {
  return withKeysOf(rules, shown, [...wanted, ...owned]);
}

/**
 * Plans the change of a shared list that the object shows as `shown`, for a resource that declares
 * `wanted`. Entries of other owners are never changed.
 */
export function plan(
  ledger: Pick<ListFacts, "declarationOf" | "isPassed">,
  { rules, owned, stack }: OwnedList,
  wanted: Entries,
  shown: Entries,
): Plan {
  const declared = withKeysOf(rules, shown, wanted);
  const found = declared.filter((entry) => isOfStack(ledger, entry, stack));
  const others = without(rules, shown, [...found, ...owned]);
  const own = rest(shown, others);
  // A read may lag behind the request that added an entry, and an earlier removal may have failed.
  const absent = withoutKeys(rules, withoutKeys(rules, owned, [...own, ...wanted]), others);
  const givenUp = withoutKeys(rules, [...own, ...absent], wanted);
  const passing = givenUp.flatMap((entry) => ledger.declarationOf(entry)?.entry ?? []);
  const declaredByAny = distinct(rules, [...wanted, ...passing]);
  const heldByOthers = withoutKeys(rules, withKeysOf(rules, others, declaredByAny), own);
  const goal = withoutKeys(rules, declaredByAny, heldByOthers);
  return {
    // The other resource adds a passed entry that is absent.
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

/** The list without the given entries. */
export function rest(list: Entries, part: Entries): unknown[] {
  const entries = new Set(part);
  return list.filter((entry) => !entries.has(entry));
}

/** True for an entry that the stack added, or that another resource passed on. */
function isOfStack(ledger: Pick<ListFacts, "isPassed">, entry: unknown, stack: string): boolean {
  const text = isRecord(entry) && typeof entry.description === "string" ? entry.description : "";
  return namesStack(text, stack) || (withoutStack(text) === text && ledger.isPassed(entry));
}
