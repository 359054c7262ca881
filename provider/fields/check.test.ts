import fc from "fast-check";
import { hasUnknown, isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import {
  canonicalSet,
  definition,
  inputs,
  ONE,
  type Tag,
  tags,
} from "../../tests/support/sample-fields";
import { render } from "../errors";
import { buildUpdateBody, diff } from "./changes";
import { check } from "./check";
import { type Definition, type ListRules, type Properties, settable } from "./field";
import { recordDeclared } from "./state";

/** The problems of the arguments, with their messages as the user reads them. */
const problemsOf = (args: Properties) =>
  check(definition, undefined, args, {}).problems.map((problem) => ({
    ...problem,
    reason: render(problem.reason),
  }));

function nodesOf(value: unknown, path: string[] = []): string[][] {
  const inner = isRecord(value) || Array.isArray(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, item]) => nodesOf(item, [...path, name]))];
}

function replacedAt(value: unknown, [name, ...rest]: string[], put: unknown): unknown {
  if (name === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[name] = replacedAt(copy[name], rest, put);
  return copy;
}

describe("check", () => {
  test("the check accepts an unknown value anywhere", () => {
    fc.assert(
      fc.property(inputs, fc.nat(), (wanted, seed) => {
        const places = nodesOf(wanted).filter((path) => path.length > 0);
        fc.pre(places.length > 0);
        const place = places[seed % places.length] ?? [];
        const holed = replacedAt(wanted, place, UNKNOWN) as Properties;
        const { problems, inputs: checked } = check(definition, undefined, holed, {});
        expect(problems).toEqual([]);
        expect(hasUnknown(checked)).toBe(true);
      }),
    );
  });

  test("the check never throws, for any input", () => {
    const names = fc.constantFrom("size", "place", "tags", "source", "__proto__", "x");
    const anything: fc.Arbitrary<Properties> = fc.dictionary(names, fc.jsonValue());
    fc.assert(
      fc.property(anything, anything, (old, wanted) => void check(definition, old, wanted, {})),
    );
  });

  test("the check refuses deeply nested values", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 2000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
    for (const name of Object.keys(definition.fields)) {
      expect(check(definition, undefined, { [name]: deep }, {}).problems.length).toBeGreaterThan(0);
    }
  });

  test("the check reports all problems at once, each with its argument, value and bound", () => {
    expect(problemsOf({ size: 21, place: 5, nonsense: true, source: { rolle: "x" } })).toEqual([
      { reason: "unknown argument nonsense; remove it. [CDB1001]" },
      { reason: "unknown argument source.rolle: did you mean role? [CDB1001]" },
      {
        argument: "size",
        reason: "size 21 is invalid: must be an integer from 1 to 20. [CDB1003]",
      },
      { argument: "place", reason: expect.stringContaining("place 5 is invalid") },
    ]);
  });

  test("a problem quotes short values, but neither secrets nor long texts", () => {
    expect(problemsOf({ size: "x".repeat(61) })[0]?.reason).toMatch(/^size is invalid/);
    const problems = problemsOf({ size: "many", source: { token: 12345, role: 7 } });
    expect(problems.map(({ reason }) => reason)).toEqual([
      'size "many" is invalid: must be an integer from 1 to 20. [CDB1003]',
      expect.stringMatching(/^source\.role 7 is invalid/),
      expect.stringMatching(/^source\.token is invalid/),
    ]);
  });

  test("a problem does not quote a value that the program marks as secret", () => {
    const { problems } = check(definition, undefined, { size: 21 }, { marked: ["size"] });
    expect(problems.map(({ reason }) => reason.text)).toEqual([
      "size is invalid: must be an integer from 1 to 20.",
    ]);
  });

  test("a rule runs only if all its fields are known", () => {
    expect(problemsOf({ size: 6, place: "small" })).toEqual([
      { argument: "size", reason: "size is too much for small [CDB1003]" },
    ]);
    expect(problemsOf({ size: UNKNOWN, place: "small" })).toEqual([]);
  });

  const keyed = (keys: string) => [...keys].map((key) => ({ key }));
  test.each([
    ["one exchanged in the middle", "abcde", "abxde", "abxde"],
    ["a middle entry removed", "abcde", "abde", "abed"],
    ["the first entry removed", "abcde", "bcde", "ebcd"],
    ["two entries exchanged, one added", "abcde", "vwxabd", "abvdwx"],
    ["another order", "abcde", "edcba", "abcde"],
    ["an entry added in front", "abc", "xabc", "abcx"],
    ["all entries exchanged", "abc", "xy", "xy"],
    ["entries repeated", "ab", "cbAc", "Abc"],
  ])("list entries keep their places: %s", (_, old, wanted, placed) => {
    const { inputs } = check(definition, { tags: keyed(old) }, { tags: keyed(wanted) }, {});
    expect(inputs.tags).toEqual(keyed(placed));
  });

  test("the check keeps list positions, so that the diff shows only changed entries, and one more per removed entry", () => {
    fc.assert(
      fc.property(tags, tags, (old, wanted) => {
        const placed = check(definition, { tags: old }, { tags: wanted }, {}).inputs.tags as Tag[];
        expect(canonicalSet(placed)).toEqual(canonicalSet(wanted));
        const keyAt = (list: Tag[], place: number) => list[place]?.key.toLowerCase();
        const marks = Array.from(
          { length: Math.max(old.length, placed.length) },
          (_, place) => place,
        ).filter((place) => keyAt(old, place) !== keyAt(placed, place));
        const keys = (list: Tag[]) => new Set(list.map(({ key }) => key.toLowerCase()));
        const added = [...keys(wanted)].filter((key) => !keys(old).has(key)).length;
        const removed = [...keys(old)].filter((key) => !keys(wanted).has(key)).length;
        expect(marks.length).toBeLessThanOrEqual(
          Math.max(added, removed) + Math.max(0, removed - added),
        );
      }),
    );
  });

  test("a list that is sent completely keeps the program's order", () => {
    const list: ListRules = { key: String, canonical: String, send: "whole", unmanaged: "remove" };
    const columns = settable("change")(z.array(z.string()), "", { list });
    const whole: Definition = { fields: { columns }, outputs: {}, rules: [] };
    const { inputs } = check(
      whole,
      { columns: ["d", "b", "c"] },
      { columns: ["b", "c", "d", "b"] },
      {},
    );
    expect(inputs.columns).toEqual(["b", "c", "d"]);
    expect(
      diff(whole, recordDeclared(whole, inputs, inputs), { columns: ["d", "c", "b"] }).changed,
    ).toEqual([]);
  });

  test("the check reports at most ten problems of a list, and the number of further problems", () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ key: 5 }));
    const told = (count: number) => problemsOf({ tags: many(count) });
    expect(told(10)).toHaveLength(10);
    expect(told(1000)).toHaveLength(11);
    expect(told(1000).at(-1)).toEqual({
      argument: "tags",
      reason: "There are 990 more problems in tags. [CDB1008]",
    });
    const strangers = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]),
    );
    expect(problemsOf(strangers).at(-1)?.reason).toBe(
      "There are 20 more unknown arguments. [CDB1008]",
    );
  });

  test("the check rejects two different entries with the same key", () => {
    const reason =
      "tags[0] and tags[1] are the same entry with different contents; keep one of them. [CDB1006]";
    expect(problemsOf({ tags: [ONE, { key: "A", note: "y" }] })).toEqual([
      { argument: "tags", reason },
    ]);
  });

  const causes =
    'while the list loses an entry that it had. If the program repeats an entry, keep one of them. If ignoreChanges names a place such as "tags[0]", ignore "tags" as a whole.';
  test.each([
    ["equal contents", keyed("bb"), "the same entry"],
    [
      "different contents",
      [...keyed("b"), { key: "B", note: "y" }],
      "the same entry with different contents",
    ],
  ])(
    "the check names both causes of a repeated entry with %s if another entry leaves the list",
    (_, repeated, problem) => {
      const { problems } = check(definition, { tags: keyed("ab") }, { tags: repeated }, {});
      expect(problems.map(({ reason }) => reason.text)).toEqual([
        `tags[0] and tags[1] are ${problem}, ${causes}`,
      ]);
    },
  );

  test("a repeated entry is accepted beside an unknown entry, which may be the missing one", () => {
    const { problems } = check(
      definition,
      { tags: keyed("ab") },
      { tags: [...keyed("bb"), UNKNOWN] },
      {},
    );
    expect(problems).toEqual([]);
  });

  test("the check turns -0 into 0 at any depth, and a stored -0 counts as 0", () => {
    const numbers: Definition = {
      fields: {
        size: settable("scale")(z.number(), ""),
        group: { description: "", fields: { size: settable("scale")(z.number(), "") } },
      },
      outputs: {},
      rules: [],
    };
    const { inputs } = check(numbers, undefined, { size: -0, group: { size: -0 } }, {});
    expect(inputs).toEqual({ size: 0, group: { size: 0 } });
    const stored = { size: -0, group: { size: -0 }, __declared: ["group.size", "size"] };
    expect(diff(numbers, stored, inputs).changed).toEqual([]);
    expect(buildUpdateBody(numbers, "scale", stored, inputs)).toBeUndefined();
  });

  test("the check drops undefined and null", () => {
    expect(
      check(definition, undefined, { size: null, source: { role: undefined } }, {}).inputs,
    ).toEqual({
      source: {},
    });
  });
});
