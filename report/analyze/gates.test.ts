import { conditionsIn, isCondition } from "./gates";

test("a list may have spaces", () => {
  expect(conditionsIn(" failed, policy ,capacity>+20% ,")).toEqual(["failed", "policy", "capacity>+20%"]);
  expect(["failed", "unchecked", "capacity>+20%", "anything"].map(isCondition)).toEqual([true, true, true, false]);
});
