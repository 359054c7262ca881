import fc from "fast-check";
import {
  canonicalSet,
  changeBody,
  definition,
  inputs,
  ONE,
  type Tag,
  tags,
} from "../../tests/support/sample-fields";
import { buildCreateBody, buildUpdateBody, diff } from "./changes";
import type { ListRules } from "./field";
import { respell, sameEntries, without } from "./list";
import { fieldPathsOf } from "./paths";
import { recordDeclared } from "./state";

const SOURCE = { role: "one", token: "secret" };
const SAMPLED = { ...SOURCE, sample: true };
/** A server that applies request bodies exactly. */
function applied(list: Tag[], { add = [], remove = [] }: { add?: Tag[]; remove?: Tag[] }): Tag[] {
  const isGone = (entry: Tag) =>
    remove.some((item) => item.key === entry.key && item.note === entry.note);
  return [...list.filter((entry) => !isGone(entry)), ...add];
}

function hasAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.values(value).some(hasAbsent);
}

describe("request bodies", () => {
  test("a change body turns the old list into the new one", () => {
    fc.assert(
      fc.property(tags, tags, (old, wanted) => {
        const body = changeBody({ tags: old }, { tags: wanted }) ?? {};
        expect(canonicalSet(applied(old, (body.tags ?? {}) as object))).toEqual(
          canonicalSet(wanted),
        );
      }),
    );
  });

  test("a request body contains only fields of its operation, and never undefined or null", () => {
    fc.assert(
      fc.property(
        inputs,
        inputs,
        fc.constantFrom("create", "change", "scale"),
        (old, wanted, operation) => {
          const state = recordDeclared(definition, old, old);
          const bodies = [
            buildCreateBody(definition, operation, wanted),
            buildUpdateBody(definition, operation, state, wanted),
          ];
          const allowed = fieldPathsOf(definition.fields).filter(({ field }) =>
            field.sentWith.includes(operation),
          );
          const names = new Set(allowed.flatMap(({ apiPath }) => apiPath));
          for (const body of bodies) {
            expect(hasAbsent(body ?? {})).toBe(false);
            for (const name of Object.keys(body ?? {})) expect(names).toContain(name);
          }
        },
      ),
    );
  });

  test("a change body contains no ignored member alone", () => {
    const [old, wanted] = [
      { tags: [ONE], source: SOURCE },
      { tags: [], source: SAMPLED },
    ];
    expect(changeBody(old, wanted)).toEqual({ tags: { remove: [ONE] } });
  });
});

test("a diff records a create-only value that was unknown before, without a replacement", () => {
  const stored = recordDeclared(definition, { size: 3 }, { size: 3 });
  const { changed, replacing } = diff(definition, stored, { size: 3, place: "here" });
  expect([changed.length, replacing.length]).toEqual([1, 0]);
});

test("the canonical form of an entry is computed at most once, and only if spellings differ", () => {
  let computed = 0;
  const rules: ListRules = {
    key: ({ key }: Tag) => key,
    canonical: ({ key }: Tag) => {
      computed += 1;
      return { key };
    },
    send: "whole",
    unmanaged: "remove",
  };
  const entries = (first: number, more = {}) =>
    Array.from({ length: 50 }, (_, place) => ({ key: first + place, ...more }));
  const [one, other] = [entries(0), entries(0, { size: 1 })];
  for (const same of [entries(0), entries(0).reverse()])
    expect(sameEntries(rules, one, same)).toBe(true);
  expect(computed).toBe(0);
  for (let round = 0; round < 3; round += 1) {
    expect(sameEntries(rules, one, other)).toBe(true);
    expect(respell(rules, one, other)).toEqual(one);
  }
  expect(computed).toBe(100);
  const further = entries(49, { size: 1 });
  expect(without(rules, further, one)).toEqual(further.slice(1));
  // Only entries of one key can be equal.
  expect(computed).toBe(101);
});
