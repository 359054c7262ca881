import { conditionsIn, isCondition } from "./gates";

test("a list may have spaces", () => {
  expect(conditionsIn(" failed, policy ,capacity>+20% ,")).toEqual(["failed", "policy", "capacity>+20%"]);
  expect(["failed", "unchecked", "capacity>+20%", "anything"].map(isCondition)).toEqual([true, true, true, false]);
});

test.each([
  ["capacity>+20%", true],
  ["capacity>+20", false],
  ["capacity>20%", false],
  ["capacity>+7.14%", true],
  ["capacity>+0.555%", false],
  ["capacity>-5%", false],
  ["capacity>+5%%", false],
  ["capacity", false],
  ["changes", true],
])("%s is a condition: %s", (text, isOne) => {
  expect(isCondition(text)).toBe(isOne);
});
