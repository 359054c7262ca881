import fc from "fast-check";
import type { Preview } from "../../../../report/preview";

/** Random previews: foreign names, values and messages, some of them very long. */

const short = fc.string({ unit: "grapheme", maxLength: 30 });
const text = fc.oneof({ weight: 6, arbitrary: short }, { weight: 1, arbitrary: short.map(longer) });

function longer(part: string): string {
  return `${part || "x"}@<$`.repeat(1000);
}

/** Also the names of members that every object has. */
const name = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom("valueOf", "toString") });

const state = fc.record({
  id: text,
  inputs: fc.dictionary(name, fc.oneof(fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>, text, fc.array(text))),
  outputs: fc.constant({}),
  isProtected: fc.boolean(),
  isRetained: fc.boolean(),
  isPendingDeletion: fc.boolean(),
  provider: text,
});
const operations = [
  "create",
  "adopt",
  "update",
  "replace",
  "delete",
  "forget",
  "read",
  "discard",
  "import",
  "same",
] as const;
const change = fc.record({
  urn: text,
  type: fc.oneof(text, fc.constantFrom("clouddb:index:Service", "clouddb:index:Pipe", "pulumi:providers:aws")),
  name: text,
  operation: fc.constantFrom(...operations),
  before: fc.option(state, { nil: undefined }),
  after: fc.option(state, { nil: undefined }),
  differing: fc.array(text, { maxLength: 3 }),
  replacing: fc.array(text, { maxLength: 2 }),
  parent: text,
});
const policy = fc.record({
  policy: text,
  pack: text,
  result: fc.constantFrom("failed", "warned", "not checked", "remediated", "passed" as const),
  urn: text,
  message: text,
});
const properties = fc.dictionary(short, text);

export const arbitraryPreview: fc.Arbitrary<Preview> = fc.record({
  organization: text,
  project: text,
  stack: text,
  selection: fc.array(fc.oneof(fc.constant("--target"), text), { maxLength: 4 }),
  stackOperation: fc.constantFrom(...operations),
  changes: fc.array(change, { maxLength: 5 }).chain((some) => repeated(some)),
  drift: fc.array(change, { maxLength: 2 }),
  policies: fc.array(policy, { maxLength: 4 }).chain((some) => repeated(some)),
  packs: fc.array(text, { maxLength: 2 }),
  outputs: fc.option(fc.record({ before: properties, after: properties }), { nil: undefined }),
  summary: fc.option(fc.dictionary(fc.constantFrom("create", "update", "delete"), fc.nat(9)), { nil: undefined }),
  brokenLines: fc.nat(3),
  notCovered: fc.subarray(["policies", "drift"] as const),
  diagnostics: fc.array(fc.record({ severity: fc.constant("error" as const), urn: text, message: text }), {
    maxLength: 2,
  }),
  outcome: fc.constantFrom("succeeded", "failed", "cut off" as const),
}) as fc.Arbitrary<Preview>;

/** Sometimes repeat the entries: a report must work for large stacks as well. */
function repeated<T>(some: readonly T[]): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<T[]>([...some]) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 30 }).map((times) => Array(times).fill(some).flat() as T[]) },
  );
}
