import { withoutTraces } from "./managed";

test("an error that was made without a trace gets one, and later ones have theirs", () => {
  const limit = Error.stackTraceLimit;
  const end = withoutTraces();
  const bare = new Error("from a transformation");
  expect(bare.stack).not.toContain("\n    at ");
  expect(end(bare)).toBe(bare);
  expect(bare.stack).toMatch(/^Error: from a transformation\n {4}at .*managed\.test/);
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new Error("later").stack).toContain("managed.test");
});
