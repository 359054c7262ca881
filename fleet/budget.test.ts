import { createBudget, inOrderOfLastCheck, requestsToRefresh } from "./budget";

test("the budget: those checked longest ago first, and nobody overtakes a stack that has to wait", () => {
  const checked = { a: "2026-02-02T00:00:00.000Z", b: "2026-01-01T00:00:00.000Z" };
  expect(inOrderOfLastCheck(["a", "b", "d", "c"], checked)).toEqual(["c", "d", "b", "a"]);
  const budget = createBudget(10);
  expect([6, 11, 4].map(budget.take)).toEqual(["fits", "never fits", "fits"]);
  expect(budget.isUsedUp()).toBe(false);
  expect([1, 0].map(budget.take)).toEqual(["later", "later"]);
  expect(budget.isUsedUp()).toBe(true);
  const types = ["clouddb:index:Pipe", "clouddb:index:Organization", "pulumi:pulumi:Stack", "pulumi:providers:clouddb"];
  expect(requestsToRefresh({ resources: types.map((type) => ({ type })) })).toBe(1);
  expect(requestsToRefresh({})).toBe(0);
});
