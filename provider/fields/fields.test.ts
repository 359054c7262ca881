import fc from "fast-check";
import { hasUnknown, isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { coded, render } from "../errors";
import { buildCreateBody, buildUpdateBody, diff } from "./changes";
import { check } from "./check";
import { type Definition, type ListRules, type Properties, settable } from "./field";
import { DECLARED, inputsFromState } from "./ownership";
import { fieldPathsOf, withValue } from "./paths";
import { invalidFields } from "./response";
import { secretNames, secretPaths, secretTexts } from "./secrets";
import { wholeNumber } from "./shapes";
import { recordDeclared, stateAfterCreate, stateAfterRead, stateAfterUpdate } from "./state";

type Tag = { key: string; note?: string };

const tagRules: ListRules = {
  key: ({ key }: Tag) => key.toLowerCase(),
  canonical: ({ key, note = "" }: Tag) => ({ key: key.toLowerCase(), note }),
  send: "addRemove",
  unmanaged: "remove",
};

const field = settable("change");
const definition: Definition = {
  fields: {
    size: settable("create", "scale")(wholeNumber({ min: 1, max: 20 }), ""),
    place: { schema: z.string(), doc: "", onChange: "replace", operations: ["create"], inResponse: true },
    terms: { schema: z.boolean(), doc: "", onChange: "ignore", operations: ["create"] },
    tags: settable("create", "change")(z.array(z.strictObject({ key: z.string(), note: z.string().optional() })), "", {
      list: tagRules,
    }),
    source: {
      doc: "",
      fields: {
        role: field(z.string(), ""),
        sample: { schema: z.boolean(), doc: "", onChange: "ignore", operations: ["change"] },
        token: {
          schema: z.string(),
          doc: "",
          onChange: "update",
          operations: ["change"],
          secret: true,
          apiName: "auth_token",
        },
      },
    },
  },
  outputs: {
    madeAt: { schema: z.string(), doc: "" },
    wholeSource: { schema: z.object({}), doc: "", apiName: "source" },
    password: { schema: z.string(), doc: "", secret: true },
  },
  rules: [
    {
      fields: ["size", "place"],
      doc: "",
      test: ({ size, place }) =>
        place === "small" && size > 5 ? coded("CDB1003", "size is too much for small") : undefined,
    },
  ],
};

const SOURCE = { role: "one", token: "secret" };
const [OTHER, SAMPLED] = [
  { ...SOURCE, role: "two" },
  { ...SOURCE, sample: true },
];
const [ONE, TWO] = [
  { key: "a", note: "" },
  { key: "b", note: "" },
];

const changeBody = (state: Properties, wanted: Properties) => buildUpdateBody(definition, "change", state, wanted);

/** The problems of the arguments, with their messages as the user reads them. */
const problemsOf = (args: Properties) =>
  check(definition, {}, args, {}).problems.map((problem) => ({ ...problem, reason: render(problem.reason) }));

const tag = fc.record({ key: fc.constantFrom("a", "A", "b", "c", "d"), note: fc.constantFrom("", "x", "y") });
const tags = fc.uniqueArray(tag, { selector: ({ key }) => key.toLowerCase() });
const inputs: fc.Arbitrary<Properties> = fc.record(
  {
    size: fc.integer({ min: 1, max: 20 }),
    place: fc.constantFrom("here", "there"),
    terms: fc.boolean(),
    tags,
    source: fc.record({ role: fc.string(), token: fc.string({ minLength: 3 }) }, { requiredKeys: ["role"] }),
  },
  { requiredKeys: [] },
);

/** A server that applies request bodies exactly. */
function applied(list: Tag[], { add = [], remove = [] }: { add?: Tag[]; remove?: Tag[] }): Tag[] {
  const isGone = (entry: Tag) => remove.some((item) => item.key === entry.key && item.note === entry.note);
  return [...list.filter((entry) => !isGone(entry)), ...add];
}

const canonicalSet = (list: unknown) =>
  new Set((list as Tag[]).map((entry) => JSON.stringify(tagRules.canonical(entry as never))));

function hasAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.values(value).some(hasAbsent);
}

function nodesOf(value: unknown, path: string[] = []): string[][] {
  const inner = isRecord(value) || Array.isArray(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, item]) => nodesOf(item, [...path, name]))];
}

function replacedAt(value: unknown, [name, ...rest]: string[], put: unknown): unknown {
  if (name === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = replacedAt(copy[name], rest, put);
  return copy;
}

describe("a declared value", () => {
  test("does not differ once it is stored", () => {
    fc.assert(
      fc.property(inputs, (wanted) => {
        const state = recordDeclared(definition, stateAfterRead(definition, {}, wanted, wanted), wanted);
        const full = ["change", "scale"].reduce(
          (known, name) => stateAfterUpdate(definition, name, known, wanted, {}),
          state,
        );
        expect(diff(definition, full, wanted).changed).toEqual([]);
        expect(changeBody(full, wanted)).toBeUndefined();
      }),
    );
  });

  test("is equal in any order", () => {
    fc.assert(
      fc.property(tags, (list) => {
        const state = recordDeclared(definition, { tags: list }, { tags: list });
        expect(diff(definition, state, { tags: [...list].reverse() }).changed).toEqual([]);
      }),
    );
  });

  test("is restored from the outputs as it was declared", () => {
    fc.assert(
      fc.property(inputs, (wanted) => {
        const { inputs: checked } = check(definition, {}, wanted, {});
        const state = stateAfterCreate(definition, "create", checked, {});
        const full = stateAfterUpdate(definition, "change", state, checked, {});
        expect(inputsFromState(definition, full)).toEqual(checked);
      }),
    );
  });

  test("keeps its order and spelling if the server's response has others", () => {
    const [wanted, other] = [[{ key: "A" }, TWO], { key: "z", note: "new" }];
    const state = stateAfterRead(definition, { [DECLARED]: ["tags"] }, { tags: wanted }, { tags: [TWO, ONE, other] });
    expect(state.tags).toEqual([...wanted, other]);
  });
});

describe("request bodies", () => {
  test("change the old list into the new one", () => {
    fc.assert(
      fc.property(tags, tags, (old, wanted) => {
        const body = changeBody({ tags: old }, { tags: wanted }) ?? {};
        expect(canonicalSet(applied(old, (body.tags ?? {}) as object))).toEqual(canonicalSet(wanted));
      }),
    );
  });

  test("contain only fields of their operation, and never undefined or null", () => {
    fc.assert(
      fc.property(inputs, inputs, fc.constantFrom("create", "change", "scale"), (old, wanted, operation) => {
        const state = recordDeclared(definition, old, old);
        const bodies = [
          buildCreateBody(definition, operation, wanted),
          buildUpdateBody(definition, operation, state, wanted),
        ];
        const allowed = fieldPathsOf(definition.fields).filter(({ field }) => field.operations.includes(operation));
        const names = new Set(allowed.flatMap(({ apiPath }) => apiPath));
        for (const body of bodies) {
          expect(hasAbsent(body ?? {})).toBe(false);
          for (const name of Object.keys(body ?? {})) expect(names).toContain(name);
        }
      }),
    );
  });

  test.each<[string, Properties, Properties, Properties]>([
    ["a changed field of a group", { source: OTHER }, { source: SOURCE }, { source: { role: "two" } }],
    ["its API name", { source: { ...SOURCE, token: "new" } }, { source: SOURCE }, { source: { auth_token: "new" } }],
    [
      "an ignored member with others",
      { source: SAMPLED },
      { source: OTHER },
      { source: { role: "one", sample: true } },
    ],
    [
      "no ignored member alone",
      { tags: [], source: SAMPLED },
      { tags: [ONE], source: SOURCE },
      { tags: { remove: [ONE] } },
    ],
    ["no empty removal", { tags: [ONE, TWO] }, { tags: [ONE] }, { tags: { add: [TWO] } }],
    ["no empty addition", { tags: [] }, { tags: [ONE] }, { tags: { remove: [ONE] } }],
  ])("contain %s", (_, wanted, old, body) => {
    expect(changeBody(old, wanted)).toEqual(body);
  });
});

describe("check", () => {
  test("accepts an unknown value anywhere", () => {
    fc.assert(
      fc.property(inputs, fc.nat(), (wanted, seed) => {
        const places = nodesOf(wanted).filter((path) => path.length > 0);
        fc.pre(places.length > 0);
        const place = places[seed % places.length] ?? [];
        const holed = replacedAt(wanted, place, UNKNOWN) as Properties;
        const { problems, inputs: checked } = check(definition, {}, holed, {});
        expect(problems).toEqual([]);
        expect(hasUnknown(checked)).toBe(true);
      }),
    );
  });

  test("never throws, for any input", () => {
    const names = fc.constantFrom("size", "place", "tags", "source", "__proto__", "x");
    const anything: fc.Arbitrary<Properties> = fc.dictionary(names, fc.jsonValue());
    fc.assert(fc.property(anything, anything, (old, wanted) => void check(definition, old, wanted, {})));
  });

  test("reports all problems at once, each with its argument, value and bound", () => {
    expect(problemsOf({ size: 21, place: 5, nonsense: true, source: { rolle: "x" } })).toEqual([
      { reason: "unknown argument nonsense; remove it. [CDB1001]" },
      { reason: "unknown argument source.rolle: did you mean role? [CDB1001]" },
      { argument: "size", reason: "size 21 is invalid: must be an integer from 1 to 20. [CDB1003]" },
      { argument: "place", reason: expect.stringContaining("place 5 is invalid") },
    ]);
  });

  test("quotes short values, but neither secrets nor long texts", () => {
    expect(problemsOf({ size: "x".repeat(61) })[0]?.reason).toMatch(/^size is invalid/);
    const problems = problemsOf({ size: "many", source: { token: 12345, role: 7 } });
    expect(problems.map(({ reason }) => reason)).toEqual([
      'size "many" is invalid: must be an integer from 1 to 20. [CDB1003]',
      expect.stringMatching(/^source\.role 7 is invalid/),
      expect.stringMatching(/^source\.token is invalid/),
    ]);
  });

  test("does not quote a value that the program marks as secret", () => {
    const { problems } = check(definition, {}, { size: 21 }, { marked: ["size"] });
    expect(problems.map(({ reason }) => reason.text)).toEqual(["size is invalid: must be an integer from 1 to 20."]);
  });

  test("runs a rule only when all its fields are known", () => {
    expect(problemsOf({ size: 6, place: "small" })).toEqual([
      { argument: "size", reason: "size is too much for small [CDB1003]" },
    ]);
    expect(problemsOf({ size: UNKNOWN, place: "small" })).toEqual([]);
  });

  const keyed = (keys: string) => [...keys].map((key) => ({ key }));
  test.each([
    ["one exchanged in the middle", "abcde", "abxde", "abxde"],
    ["one removed from the middle", "abcde", "abde", "abed"],
    ["the last one removed", "abcde", "abcd", "abcd"],
    ["the first one removed", "abcde", "bcde", "ebcd"],
    ["two exchanged, one more", "abcde", "vwxabd", "abvdwx"],
    ["two removed, at the end too", "abcde", "acd", "adc"],
    ["another order", "abcde", "edcba", "abcde"],
    ["one added in front", "abc", "xabc", "abcx"],
    ["all exchanged", "abc", "xy", "xy"],
    ["repeated ones", "ab", "cbAc", "Abc"],
  ])("keeps the places of a list: %s", (_, old, wanted, placed) => {
    const { inputs } = check(definition, { tags: keyed(old) }, { tags: keyed(wanted) }, {});
    expect(inputs.tags).toEqual(keyed(placed));
  });

  test("keeps list positions, so that the diff shows only changed entries, and one more for each removed one", () => {
    fc.assert(
      fc.property(tags, tags, (old, wanted) => {
        const placed = check(definition, { tags: old }, { tags: wanted }, {}).inputs.tags as Tag[];
        expect(canonicalSet(placed)).toEqual(canonicalSet(wanted));
        const keyAt = (list: Tag[], place: number) => list[place]?.key.toLowerCase();
        const marks = Array.from({ length: Math.max(old.length, placed.length) }, (_, place) => place).filter(
          (place) => keyAt(old, place) !== keyAt(placed, place),
        );
        const keys = (list: Tag[]) => new Set(list.map(({ key }) => key.toLowerCase()));
        const added = [...keys(wanted)].filter((key) => !keys(old).has(key)).length;
        const removed = [...keys(old)].filter((key) => !keys(wanted).has(key)).length;
        expect(marks.length).toBeLessThanOrEqual(Math.max(added, removed) + Math.max(0, removed - added));
      }),
    );
  });

  test("keeps the program's order of a list that is sent completely", () => {
    const list: ListRules = { key: String, canonical: String, send: "whole", unmanaged: "remove" };
    const columns = settable("change")(z.array(z.string()), "", { list });
    const whole: Definition = { fields: { columns }, outputs: {}, rules: [] };
    const { inputs } = check(whole, { columns: ["a", "b", "c", "d"] }, { columns: ["b", "c", "d", "b"] }, {});
    expect(inputs.columns).toEqual(["b", "c", "d"]);
    expect(diff(whole, recordDeclared(whole, inputs, inputs), { columns: ["d", "c", "b"] }).changed).toEqual([]);
  });

  test("reports at most ten problems of a list, and the number of others", () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ key: 5 }));
    const told = (count: number) => problemsOf({ tags: many(count) });
    expect(told(10)).toHaveLength(10);
    expect(told(1000)).toHaveLength(11);
    expect(told(1000).at(-1)).toEqual({ argument: "tags", reason: "There are 990 more problems in tags. [CDB1008]" });
    const strangers = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));
    expect(problemsOf(strangers).at(-1)?.reason).toBe("There are 20 more unknown arguments. [CDB1008]");
  });

  test("rejects two different entries with the same key", () => {
    const reason = "tags[0] and tags[1] are the same entry with different contents; keep one of them. [CDB1006]";
    expect(problemsOf({ tags: [ONE, { key: "A", note: "y" }] })).toEqual([{ argument: "tags", reason }]);
  });

  test("drops undefined and null", () => {
    expect(check(definition, {}, { size: null, source: { role: undefined } }, {}).inputs).toEqual({ source: {} });
  });
});

describe("diff", () => {
  const stored = recordDeclared(definition, { size: 3, place: "here" }, { size: 3, place: "here" });

  test.each<[string, Properties, string[], string[]]>([
    ["nothing", { size: 3, place: "here" }, [], []],
    ["a value that can be updated", { size: 4, place: "here" }, ["size"], []],
    ["a value that only a creation sets", { size: 3, place: "there" }, ["place"], ["place"]],
    ["an unknown value, which does not cause a replacement", { size: 3, place: UNKNOWN }, ["place"], []],
    ["an argument that is no longer declared", { place: "here" }, ["size"], []],
    ["a create-only argument that is no longer declared", { size: 3 }, [], []],
    ["an argument that only matters at creation", { size: 3, place: "here", terms: true }, [], []],
  ])("sees %s", (_, wanted, changed, replaced) => {
    const current = diff(definition, stored, wanted);
    expect(current.changed.map(({ name }) => name)).toEqual(changed);
    expect(current.replacing.map(({ name }) => name)).toEqual(replaced);
  });

  test("records a create-only value that was unknown before, without a replacement", () => {
    const current = diff(definition, recordDeclared(definition, { size: 3 }, { size: 3 }), { size: 3, place: "here" });
    expect([current.changed.length, current.replacing.length]).toEqual([1, 0]);
  });
});

describe("a value in a response", () => {
  const wanted = { size: 3, tags: [{ key: "a" }], source: { role: "one", token: "t0ken" } };
  const start = recordDeclared(definition, wanted, wanted);
  const after = (answer: Properties) => stateAfterRead(definition, { ...start, password: "first" }, wanted, answer);

  test("is ignored for secret arguments and outputs", () => {
    const state = after({ id: "x", password: "****", source: { role: "one", auth_token: "****" } });
    expect(state).toMatchObject({ password: "first", source: { role: "one", token: "t0ken" } });
    expect(state.wholeSource).toEqual({ role: "one" });
  });

  test("counts as absent if only its parent is present, and as unknown if that is missing, too", () => {
    const absent = after({ id: "x", size: undefined, source: { other: 1 } });
    expect(absent).toMatchObject({ tags: [], source: { token: "t0ken" } });
    expect(absent).not.toHaveProperty("size");
    expect(absent.source).not.toHaveProperty("role");
    expect(after({ ...wanted, source: undefined })).toMatchObject(wanted);
    expect(after({ ...wanted, source: {} }).source).toEqual({ token: "t0ken" });
  });

  test("is ignored if it has another type", () => {
    const answer = { size: Symbol("unusable"), tags: [{ key: Symbol("unusable") }], madeAt: Symbol("unusable") };
    expect(after(answer)).toMatchObject(wanted);
    expect(after(answer)).not.toHaveProperty("madeAt");
    expect(invalidFields(definition, answer, { tags: [] })).toEqual(["tags[0].key", "madeAt"]);
  });

  test("of a secret does not cause a replacement, unless the program had declared it", () => {
    const key = { schema: z.string(), doc: "", onChange: "replace", operations: ["create"], secret: true } as const;
    const encrypted: Definition = { fields: { key }, outputs: {}, rules: [] };
    const replaced = (declared: readonly string[]) =>
      diff(encrypted, { key: "****", [DECLARED]: declared }, { key: "real" }).replacing.length;
    expect([replaced([]), replaced(["key"])]).toEqual([0, 1]);
  });
});

describe("a list change that a server applied differently", () => {
  const start = recordDeclared(definition, { tags: [ONE] }, { tags: [ONE] });
  const respelled = { key: "A", note: "" };

  test.each<[string, Tag[], Tag[], Tag[], Properties | undefined]>([
    ["resends entries that the response lacks", [ONE, TWO], [ONE], [ONE], { add: [TWO] }],
    [
      "removes remaining entries again, as the server spells them",
      [],
      [respelled],
      [respelled],
      { remove: [respelled] },
    ],
    [
      "leaves entries that others added to the next refresh",
      [ONE, TWO],
      [ONE, TWO, { key: "z" }],
      [ONE, TWO],
      undefined,
    ],
  ])("%s", (_, wanted, response, stored, resent) => {
    const state = stateAfterUpdate(definition, "change", start, { tags: wanted }, { tags: response });
    expect(state.tags).toEqual(stored);
    expect(changeBody(state, { tags: wanted })).toEqual(resent && { tags: resent });
  });
});

test("secrets are found by their path", () => {
  expect(secretPaths(definition)).toEqual([["source", "token"]]);
  expect(secretNames(definition)).toEqual(["password"]);
  const properties = withValue({ password: "hush" }, ["source"], { role: "reader", token: "t0ken" });
  expect(secretTexts(definition, properties)).toEqual(["t0ken", "hush"]);
});
