import { randomInt } from "node:crypto";
import fc from "fast-check";
import { version } from "fast-check/package.json";
import { conclude } from "./conclude";

/** Suites of this file share the time. */
const SUITES = 5;
const { CLOUDDB_FUZZ_MINUTES: MINUTES = "1", CLOUDDB_FUZZ_SEED: SEED } = process.env;
const SUITE_MS = (Number(MINUTES) * 60_000) / SUITES;
const SHRINK_MS = 60_000;

/** The text of all secrets: nothing that is printed may contain it. */
export const CANARY = "hush-4711";

/** Tries random cases for a time, and fails with the smallest one that has a problem. The table has the seed. */
export async function fuzz<Case>(
  source: string,
  cases: fc.Arbitrary<Case>,
  problemOf: (item: Case) => Promise<string | undefined>,
): Promise<void> {
  const seed = SEED === undefined ? randomInt(2 ** 31) : Number(SEED);
  const property = fc.asyncProperty(cases, async (item) => {
    const problem = await problemOf(item);
    if (problem !== undefined) throw new Error(problem);
  });
  const found = await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: SUITE_MS,
    endOnFailure: true,
  });
  const failures: string[] = [];
  if (found.counterexamplePath !== null) {
    const smallest = await fc.check(property, {
      seed,
      path: found.counterexamplePath,
      interruptAfterTimeLimit: SHRINK_MS,
    });
    const { counterexample, errorInstance } = smallest.failed ? smallest : found;
    failures.push(`CLOUDDB_FUZZ_SEED=${seed}: ${fc.stringify(counterexample)}: ${errorInstance}`);
  }
  conclude({ source, version: `fast-check ${version}, seed ${seed}` }, found.numRuns, failures);
}

const HOSTILE = [
  "",
  "\ud800",
  "\udc00x",
  "\0",
  "\u202e",
  "\r\n",
  "__proto__",
  "constructor",
  "toString",
  "a.b[0]",
  "[0]",
];

/** Texts with all that breaks parsers, displays and lookups. No absolute path, since settings name files to write. */
export const texts: fc.Arbitrary<string> = fc
  .oneof(fc.string({ maxLength: 8 }), fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom(...HOSTILE))
  .filter((text) => !text.startsWith("/"));

/** Values of any kind in place of another. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, {}, [], [null], [[]], 0, -1, 1.5, 1e308, 2 ** 53),
  texts,
  fc.nat(99_999).map((length) => "x".repeat(length)),
  fc.object({ maxDepth: 2, key: texts, values: [texts, fc.integer(), fc.constant(null)] }),
  fc.nat(1000).map(nested),
);

function nested(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

export type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
export const edit = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("replace", "delete", "wrap", "rename"),
  junk,
  name: texts,
});

/** A value with one of its places changed. */
export function edited<Value>(value: Value, { at, how, junk, name }: Edit): Value {
  const copy: { value: Value } = JSON.parse(JSON.stringify({ value }));
  const places: [Record<string, unknown>, string][] = [];
  const visit = (parent: object) => {
    for (const [key, inner] of Object.entries(parent)) {
      places.push([parent as Record<string, unknown>, key]);
      if (typeof inner === "object" && inner !== null) visit(inner);
    }
  };
  visit(copy);
  const [parent, key] = places[at % places.length] as (typeof places)[number];
  const before = parent[key];
  if (how === "replace") parent[key] = junk;
  else if (how === "wrap") parent[key] = [before];
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  // As JSON has it, also under the name __proto__.
  if (how === "rename" && !Array.isArray(parent))
    Object.defineProperty(parent, name, { value: before, enumerable: true, configurable: true, writable: true });
  return copy.value ?? (null as Value);
}
