import fc from "fast-check";
import type { AdapterName } from "../../support/adapters/handlers";
import { history, names } from "../../twin/history";
import { type Drawn, moment, seldom } from "./history";
import type { Slot } from "./scenario";
import type { Fault } from "./schedule";

/** The features of random histories, the pairs of them that can meet, and histories that draw them. */

const FEATURES = [
  "references",
  "public keys",
  "mappings",
  "a journal in a folder",
  "a journal in Redis",
  "no journal",
  "another API key",
  "lost answers",
  "adoption",
  "import",
  "autonaming",
  "ignoreChanges",
  "retainOnDelete",
  "protection",
  "shared lists",
  "complete lists",
  "components",
  "transformations",
  "two accounts",
  "a renamed stack",
  "dynamic",
  "native",
  "policies",
  "report",
] as const;
type Feature = (typeof FEATURES)[number];

const ONE_JOURNAL = "a process has one journal";
const NO_MEMORY = "without a place, only the process of a creation remembers it";
/** The pairs that cannot meet. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  "dynamic × native": "a resource has one adapter at a time",
  "import × dynamic": "classes of dynamic resources refuse the option",
  "autonaming × dynamic": "the engine passes names to native plugins alone",
  "a journal in a folder × a journal in Redis": ONE_JOURNAL,
  "a journal in a folder × no journal": ONE_JOURNAL,
  "a journal in Redis × no journal": ONE_JOURNAL,
  "no journal × adoption": NO_MEMORY,
  "no journal × import": NO_MEMORY,
};

type Pair = readonly [Feature, Feature];
const keyOf = ([one, other]: Pair) => `${one} × ${other}`;
const isPossible = (pair: Pair) => !(keyOf(pair) in IMPOSSIBLE);
const PAIRS = FEATURES.flatMap((one, index) =>
  FEATURES.slice(index + 1).map((other): Pair => [one, other]),
);

/** The possible pairs with an adapter. */
export function pairsWith(adapter: AdapterName): string[] {
  const isHere = (feature: Feature) => feature === adapter || isPossible([feature, adapter]);
  const isOther = (feature: Feature) => feature === "native" && adapter === "dynamic";
  return PAIRS.filter(
    (pair) => isPossible(pair) && pair.every((each) => isHere(each) && !isOther(each)),
  ).map(keyOf);
}

/** The number of histories in which each pair has met; `-` where it is impossible. */
export function matrixOf(counts: ReadonlyMap<string, number>): string {
  const cell = (pair: Pair) => (isPossible(pair) ? String(counts.get(keyOf(pair)) ?? 0) : "-");
  const rows = FEATURES.map((one, row) => {
    const cells = FEATURES.slice(0, row).map((other) => cell([other, one]).padStart(5));
    return `${String(row + 1).padStart(2)} ${one.padEnd(22)}${cells.join("")}`;
  });
  return [...rows, ...Object.entries(IMPOSSIBLE).map((entry) => entry.join(": "))].join("\n");
}

/** The places where each feature takes part in a command: URNs, IDs, or EVERYWHERE. */
export type Places = Readonly<Partial<Record<Feature, readonly string[]>>>;
export const EVERYWHERE: readonly string[] = ["everywhere"];

/** The pairs that meet in a command. */
export function meetingsIn(places: Places): string[] {
  const meets = ([one, other]: Pair) => {
    const [first = [], second = []] = [places[one], places[other]];
    if (first.length === 0 || second.length === 0) return false;
    const isEverywhere = [first, second].includes(EVERYWHERE);
    return isEverywhere || first.some((place) => second.includes(place));
  };
  return PAIRS.filter(meets).map(keyOf);
}

const always = fc.constant<true>(true);

/** The features of a slot in a whole history. */
const traits = fc.record({
  isOther: seldom(3, always),
  isInComponent: seldom(3, always),
  hasKey: fc.boolean(),
});

/** The features of a step, beside those of the twin's history. */
const circumstances = fc.record({
  isRenamed: seldom(6, always),
  isNewKey: seldom(2, always),
  imported: seldom(4, fc.constantFrom<Slot>("second", "adopted", "size", "access", "pipe")),
  /** The number of the secret in the variable of each account; 0 if it is not set. */
  secrets: fc.tuple(fc.nat(2), fc.nat(2)),
  hasSecondKey: fc.nat(9).map((number) => number > 0),
  form: fc.constantFrom("reference", "reference", "literal", "none"),
  /** Policies and report take more time than everything else. */
  isReviewed: seldom(3, always),
  protection: seldom(2, fc.constantFrom({ protect: true }, { retainOnDelete: true })),
  diesAt: seldom(3, moment),
});

/** The death of the first command after its first creation, or the loss of the response. */
const loss = fc.record({
  diesAt: fc.integer({ min: 4, max: 6 }),
  /** Without one, the command dies when the journal has the response. */
  ending: fc.constantFrom<Fault["ending"] | undefined>(
    undefined,
    undefined,
    "crash after",
    "plugin crash after",
    { kind: "reset", when: "after" },
    { kind: "truncated" },
  ),
  imported: seldom(2, fc.constant<Slot>("second")),
});
/** Steps that leave the service of a lost creation in the program under its name. */
const KEPT = {
  ...{ stack: "dev" as const, command: "up" as const, removed: undefined, renamed: undefined },
  ...{ target: undefined, replaced: undefined },
} as const;

export type Circumstances = Drawn<typeof circumstances>;
export type PairHistory = Drawn<typeof pairHistory>;
export const pairHistory = fc
  .record({
    twin: history,
    circumstances: fc.array(circumstances, { minLength: 4, maxLength: 4 }),
    place: fc.constantFrom("folder", "folder", "redis", "redis", "off"),
    traits: fc.record(
      Object.fromEntries(names.map((name) => [name, traits])) as Record<Slot, typeof traits>,
    ),
    isMapped: fc.boolean(),
    accessOf: fc.constantFrom<Slot>("first", "adopted", "size"),
    isAutonamed: fc.boolean(),
    loss: seldom(4, loss),
  })
  .map(({ loss, ...drawn }) => {
    if (loss === undefined) return drawn;
    const { steps: few } = drawn.twin;
    const { ending, diesAt } = loss;
    const fault: Fault | undefined = ending && { ending, method: "POST", skipped: 0, times: 2 };
    // One step loses the response, the next is refused, and a third adopts the service.
    const steps = [...few, ...few].slice(0, 4).map((step, index) => {
      const { first: _, ...resources } = { second: {}, ...step.resources };
      return { ...step, ...KEPT, ...(index === 0 && { resources, fault }) };
    });
    const circumstances = drawn.circumstances.map((each, index) => ({
      ...each,
      isRenamed: undefined,
      ...(index === 0 && { diesAt }),
      ...(index === 1 && { imported: loss.imported }),
    }));
    return { ...drawn, twin: { ...drawn.twin, steps }, circumstances };
  });
