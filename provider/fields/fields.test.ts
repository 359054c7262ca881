import fc from "fast-check";
import { z } from "zod";
import { check } from "./check";
import { DECLARED, inputsFrom } from "./declared";
import { diff } from "./diff";
import type { Definition, ListRules, Properties } from "./field";
import { leavesOf, withValue } from "./paths";
import { creationBody, updateBody } from "./request";
import { secretNames, secretPaths, secretTexts } from "./secrets";
import { wholeNumber } from "./shapes";
import { accepted, created, observed, recorded } from "./state";
import { hasUnknown, isRecord, UNKNOWN } from "./unknown";

type Tag = { key: string; note?: string };

const tagRules: ListRules = {
  key: ({ key }: Tag) => key.toLowerCase(),
  canonical: ({ key, note = "" }: Tag) => ({ key: key.toLowerCase(), note }),
  send: "addRemove",
  others: "removed",
};

const definition: Definition = {
  fields: {
    size: {
      schema: wholeNumber({ min: 1, max: 20 }),
      doc: "",
      onChange: "update",
      via: ["create", "scale"],
      inResponse: true,
    },
    place: { schema: z.string(), doc: "", onChange: "replace", via: ["create"], inResponse: true },
    terms: { schema: z.boolean(), doc: "", onChange: "ignore", via: ["create"] },
    tags: {
      schema: z.array(z.strictObject({ key: z.string(), note: z.string().optional() })),
      doc: "",
      onChange: "update",
      via: ["create", "change"],
      inResponse: true,
      list: tagRules,
    },
    source: {
      doc: "",
      fields: {
        role: { schema: z.string(), doc: "", onChange: "update", via: ["change"], inResponse: true },
        token: { schema: z.string(), doc: "", onChange: "update", via: ["change"], secret: true, wire: "auth_token" },
      },
    },
  },
  outputs: { madeAt: { schema: z.string(), doc: "" }, password: { schema: z.string(), doc: "", secret: true } },
  rules: [
    {
      fields: ["size", "place"],
      doc: "",
      test: ({ size, place }) => (place === "small" && size > 5 ? "size is too much for small" : undefined),
    },
  ],
};

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

/** The server that does exactly what bodies say. */
function applied(list: Tag[], { add = [], remove = [] }: { add?: Tag[]; remove?: Tag[] }): Tag[] {
  const isGone = (entry: Tag) => remove.some((each) => each.key === entry.key && each.note === entry.note);
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
  return [path, ...inner.flatMap(([name, each]) => nodesOf(each, [...path, name]))];
}

function replacedAt(value: unknown, [name, ...rest]: string[], put: unknown): unknown {
  if (name === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = replacedAt(copy[name], rest, put);
  return copy;
}

describe("what a program declares", () => {
  test("is no difference once it is stored", () => {
    fc.assert(
      fc.property(inputs, (wanted) => {
        const state = recorded(definition, observed(definition, {}, wanted, wanted), wanted);
        const full = ["change", "scale"].reduce((known, name) => accepted(definition, name, known, wanted, {}), state);
        expect(diff(definition, full, wanted).changed).toEqual([]);
        expect(updateBody(definition, "change", full, wanted)).toBeUndefined();
      }),
    );
  });

  test("is the same in any order", () => {
    fc.assert(
      fc.property(tags, (list) => {
        const state = recorded(definition, { tags: list }, { tags: list });
        expect(diff(definition, state, { tags: [...list].reverse() }).changed).toEqual([]);
      }),
    );
  });

  test("comes back from the outputs as it was declared", () => {
    fc.assert(
      fc.property(inputs, (wanted) => {
        const { inputs: checked } = check(definition, {}, wanted, {});
        const state = created(definition, "create", checked, {});
        const full = accepted(definition, "change", state, checked, {});
        expect(inputsFrom(definition, full)).toEqual(checked);
      }),
    );
  });

  test("is kept in its own order and spelling when the server answers in another", () => {
    const wanted = { tags: [{ key: "A" }, { key: "b", note: "x" }] };
    const found = {
      tags: [
        { key: "b", note: "x" },
        { key: "a", note: "" },
        { key: "z", note: "new" },
      ],
    };
    const state = observed(definition, { [DECLARED]: ["tags"] }, wanted, found);
    expect(state.tags).toEqual([...wanted.tags, { key: "z", note: "new" }]);
  });
});

describe("request bodies", () => {
  test("bring the old list to the new one", () => {
    fc.assert(
      fc.property(tags, tags, (old, wanted) => {
        const body = updateBody(definition, "change", { tags: old }, { tags: wanted }) ?? {};
        expect(canonicalSet(applied(old, (body.tags ?? {}) as object))).toEqual(canonicalSet(wanted));
      }),
    );
  });

  test("hold nothing but fields of their operation, and never undefined or null", () => {
    fc.assert(
      fc.property(inputs, inputs, fc.constantFrom("create", "change", "scale"), (old, wanted, operation) => {
        const state = recorded(definition, old, old);
        const bodies = [creationBody(definition, operation, wanted), updateBody(definition, operation, state, wanted)];
        const allowed = leavesOf(definition.fields).filter(({ field }) => field.via.includes(operation));
        const names = new Set(allowed.flatMap(({ wirePath }) => wirePath));
        for (const body of bodies) {
          expect(hasAbsent(body ?? {})).toBe(false);
          for (const name of Object.keys(body ?? {})) expect(names).toContain(name);
        }
      }),
    );
  });

  test("carry only what changed inside a group, under its name on the wire", () => {
    const old = { source: { role: "one", token: "secret" } };
    expect(updateBody(definition, "change", old, { source: { role: "two", token: "secret" } })).toEqual({
      source: { role: "two" },
    });
    expect(updateBody(definition, "change", old, { source: { role: "one", token: "other" } })).toEqual({
      source: { auth_token: "other" },
    });
  });

  test("leave out a list side that has no entries", () => {
    const [one, two] = [
      { key: "a", note: "" },
      { key: "b", note: "" },
    ];
    expect(updateBody(definition, "change", { tags: [one] }, { tags: [one, two] })).toEqual({ tags: { add: [two] } });
    expect(updateBody(definition, "change", { tags: [one] }, { tags: [] })).toEqual({ tags: { remove: [one] } });
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

  test("never throws, whatever it is given", () => {
    const anything = fc.dictionary(
      fc.constantFrom("size", "place", "tags", "source", "__proto__", "x"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        anything,
        anything,
        (old, wanted) => void check(definition, old as Properties, wanted as Properties, {}),
      ),
    );
  });

  test("reports all problems at once, each with property, value and bound", () => {
    const { problems } = check(definition, {}, { size: 21, place: 5, nonsense: true, source: { rolle: "x" } }, {});
    expect(problems).toEqual([
      { reason: "nonsense is not an argument of this resource; take it out." },
      { reason: "source.rolle is not an argument of this resource; take it out." },
      { property: "size", reason: "size 21 is not allowed: use a whole number from 1 to 20." },
      { property: "place", reason: expect.stringContaining("place 5 is not allowed") },
    ]);
  });

  test("names no property that holds a secret, and shows no secret", () => {
    const { problems } = check(definition, {}, { source: { token: 12345 } }, {});
    expect(problems).toEqual([{ reason: expect.stringMatching(/^source\.token \[secret\] is not allowed/) }]);
  });

  test("runs a rule only when all its fields are known", () => {
    expect(check(definition, {}, { size: 6, place: "small" }, {}).problems).toEqual([
      { property: "size", reason: "size is too much for small" },
    ]);
    expect(check(definition, {}, { size: UNKNOWN, place: "small" }, {}).problems).toEqual([]);
  });

  test("keeps the old order of a list, appends what is new, and drops what is repeated", () => {
    const old = { tags: [{ key: "a" }, { key: "b" }] };
    const wanted = { tags: [{ key: "c" }, { key: "b" }, { key: "A" }, { key: "c" }] };
    expect(check(definition, old, wanted, {}).inputs.tags).toEqual([{ key: "A" }, { key: "b" }, { key: "c" }]);
  });

  test("refuses one key with two contents", () => {
    const wanted = {
      tags: [
        { key: "a", note: "x" },
        { key: "A", note: "y" },
      ],
    };
    expect(check(definition, {}, wanted, {}).problems).toEqual([
      { property: "tags", reason: "tags has a twice, with different contents; keep one of the two." },
    ]);
  });

  test("drops undefined and null", () => {
    expect(check(definition, {}, { size: null, source: { role: undefined } }, {}).inputs).toEqual({ source: {} });
  });
});

describe("diff", () => {
  const stored = recorded(definition, { size: 3, place: "here" }, { size: 3, place: "here" });

  test.each<[string, Properties, string[], string[]]>([
    ["nothing", { size: 3, place: "here" }, [], []],
    ["a value that can be updated", { size: 4, place: "here" }, ["size"], []],
    ["a value that only a creation sets", { size: 3, place: "there" }, ["place"], ["place"]],
    ["an unknown value, which is no reason to replace", { size: 3, place: UNKNOWN }, ["place"], []],
    ["an argument that is declared no more", { place: "here" }, ["size"], []],
    ["a create-only argument that is declared no more", { size: 3 }, [], []],
    ["an argument that matters at creation only", { size: 3, place: "here", terms: true }, [], []],
  ])("sees %s", (_, wanted, changed, replaced) => {
    const found = diff(definition, stored, wanted);
    expect(found.changed.map(({ name }) => name)).toEqual(changed);
    expect(found.replaced.map(({ name }) => name)).toEqual(replaced);
  });

  test("records a create-only value that nobody knew before, and does not replace for it", () => {
    const found = diff(definition, recorded(definition, { size: 3 }, { size: 3 }), { size: 3, place: "here" });
    expect([found.changed.length, found.replaced.length]).toEqual([1, 0]);
  });
});

describe("a list change that a server took otherwise", () => {
  const [one, two] = [
    { key: "a", note: "" },
    { key: "b", note: "" },
  ];
  const start = recorded(definition, { tags: [one] }, { tags: [one] });

  test("leaves what the answer lacks to be sent again", () => {
    const state = accepted(definition, "change", start, { tags: [one, two] }, { tags: [one] });
    expect(updateBody(definition, "change", state, { tags: [one, two] })).toEqual({ tags: { add: [two] } });
  });

  test("leaves what lingers to be removed again, as the server spells it", () => {
    const state = accepted(definition, "change", start, { tags: [] }, { tags: [{ key: "A", note: "" }] });
    expect(updateBody(definition, "change", state, { tags: [] })).toEqual({
      tags: { remove: [{ key: "A", note: "" }] },
    });
  });

  test("leaves what others added for the next refresh", () => {
    const state = accepted(definition, "change", start, { tags: [one, two] }, { tags: [one, two, { key: "z" }] });
    expect(state.tags).toEqual([one, two]);
  });
});

test("secrets are found by their place", () => {
  expect(secretPaths(definition)).toEqual([["source", "token"]]);
  expect(secretNames(definition)).toEqual(["password"]);
  const properties = withValue({ password: "hush" }, ["source"], { role: "reader", token: "t0ken" });
  expect(secretTexts(definition, properties)).toEqual(["t0ken", "hush"]);
});
