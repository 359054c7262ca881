import { createFaultRules } from "./fault-rules";

test("fault rules apply with their probability", () => {
  const rules = createFaultRules(() => 0.5);
  rules.replace([
    { probability: 0.4, effect: { kind: "malformed" } },
    { probability: 0.6, effect: { kind: "truncated" } },
  ]);
  expect(rules.takeEffect("GET", "/")).toEqual({ kind: "truncated" });
});
