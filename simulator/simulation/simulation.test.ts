import { createFaultRules } from "./fault-rules";
import { createJournal } from "./journal";

test("fault rules apply with their probability", () => {
  const rules = createFaultRules(() => 0.5);
  rules.replace([
    { probability: 0.4, effect: { kind: "malformed" } },
    { probability: 0.6, effect: { kind: "truncated" } },
  ]);
  expect(rules.takeEffect("GET", "/")).toEqual({ kind: "truncated" });
});

test("the journal keeps the latest requests, with only the length of long bodies", () => {
  const journal = createJournal();
  const entry = {
    requestId: "",
    method: "GET",
    path: "/",
    body: null,
    status: 200,
    at: "",
    milliseconds: 0,
  };
  for (let number = 0; number < 11_500; number += 1) journal.add({ ...entry, path: `/${number}` });
  expect(journal.list()).toHaveLength(10_000);
  expect(journal.list().at(-1)?.path).toBe("/11499");
  journal.add({ ...entry, body: { name: "x".repeat(20_000) } });
  expect(journal.list().at(-1)?.body).toMatch(/^\(\d+ characters\)$/);
});
