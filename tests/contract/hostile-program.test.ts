import fc from "fast-check";
import { hasUnknown, UNKNOWN } from "../../facts";
import { check, fieldPathsOf, resources } from "../../provider/definitions";
import { render } from "../../provider/errors";

/** Check returns messages for any input of a program, and never throws or hangs. */

const value = fc.oneof(
  { depthSize: "small" },
  fc.jsonValue({ maxDepth: 4 }),
  fc.constant(UNKNOWN),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    1e308,
    "x".repeat(100_000),
    "__proto__",
    "\u0000",
    "\ud800",
  ),
  fc.array(fc.oneof(fc.constant(UNKNOWN), fc.jsonValue({ maxDepth: 2 })), { maxLength: 5 }),
  fc.dictionary(fc.oneof(fc.string(), fc.constant("constructor")), fc.oneof(fc.constant(UNKNOWN), fc.jsonValue())),
);
const context = fc.record({
  organizationTier: fc.constantFrom(undefined, "BASIC", "SCALE", "ENTERPRISE"),
  paid: fc.constantFrom(undefined, true, false),
}) as fc.Arbitrary<{ organizationTier?: "BASIC" | "SCALE" | "ENTERPRISE" | undefined; paid?: boolean | undefined }>;

describe.each(Object.entries(resources))("the check of a %s", (_, { definition }) => {
  const names = [
    ...new Set(fieldPathsOf(definition.fields).flatMap(({ path }) => path)),
    "__proto__",
    "constructor",
    "colour",
  ];
  const properties = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 });

  test("check accepts any input, and reports problems in sentences of bounded length", () => {
    fc.assert(
      fc.property(properties, properties, context, (olds, news, dependencies) => {
        const { inputs, problems } = check(definition, olds, news, dependencies);
        for (const reason of problems.map((problem) => render(problem.reason))) {
          expect(reason).toMatch(/[.?] \[CDB\d{4}\]$/s);
          expect(reason.length).toBeLessThan(2000);
        }
        expect(Object.getPrototypeOf(inputs)).toBe(Object.prototype);
        expect(() => JSON.stringify(inputs)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  test("check accepts unknown values at any place", () => {
    const all = Object.fromEntries(Object.keys(definition.fields).map((name) => [name, UNKNOWN]));
    const { inputs, problems } = check(definition, {}, all, {});
    expect(problems).toEqual([]);
    expect(Object.values(inputs).every(hasUnknown)).toBe(true);
  });

  test("check survives deeply nested values", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 2000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
    for (const name of Object.keys(definition.fields)) {
      expect(check(definition, {}, { [name]: deep }, {}).problems.length).toBeGreaterThan(0);
    }
  });
});
