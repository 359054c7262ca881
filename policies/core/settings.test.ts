import { matches, matchesStack } from "./settings";

test.each([
  ["dev", "dev", true],
  ["dev", "dev2", false],
  ["*", "", true],
  ["d*v", "dv", true],
  ["de*ev", "dev", false],
  ["*a*b*", "xaxbx", true],
  ["*a*b*", "xbxax", false],
  ["a*b*b", "ab", false],
  ["*", "a\nb", true],
  ["a.c", "abc", false],
  ["x".repeat(100_000), "x", false],
  ["*a".repeat(5000), "a".repeat(4999), false],
  [["a", "b*"] as const, "bc", true],
])("%.20j and %.20j match: %s", (patterns, text, expected) => {
  expect(matches(patterns, text)).toBe(expected);
});

test("stacks match in any case", () => {
  expect(matchesStack("PROD*", "prod-eu")).toBe(true);
});
