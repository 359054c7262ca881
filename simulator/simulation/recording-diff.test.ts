import { diffRecordings } from "./recording-diff";

test("a difference shows the requests that differ, as a whole", () => {
  const get = { method: "GET", path: "/a", status: 200 };
  const patch = (body: object) => ({ method: "PATCH", path: "/a", body, status: 200 });
  const expected = { requests: [get, get, patch({ name: "a", size: 1 }), get] };
  expect(diffRecordings(expected, structuredClone(expected))).toBeUndefined();
  expect(diffRecordings(expected, { requests: [get, get, patch({ name: "a", size: 2 })] })).toBe(`  … 2 equal requests
  PATCH /a → 200
  {
    "name": "a",
-   "size": 1
+   "size": 2
  }
- GET /a → 200
`);
  expect(diffRecordings({ requests: [get] }, { requests: [{ ...get, status: 404 }, get] })).toBe(`+ GET /a → 404
  … 1 equal request
`);
  expect(diffRecordings({ requests: [get, get] }, { requests: [get] })).toBe(`  … 1 equal request
- GET /a → 200
`);
});

test("very different recordings are shown one after the other", () => {
  const recording = (name: string) => ({
    requests: Array.from({ length: 1500 }, (_, index) => ({
      method: "PATCH",
      path: `/${name}/${index}`,
      body: {},
      status: 200,
    })),
  });
  const lines = diffRecordings(recording("a"), recording("b"))?.split("\n") ?? [];
  expect(lines.slice(0, 3000).every((line) => line.startsWith("- "))).toBe(true);
  expect(lines.slice(3000, -1).every((line) => line.startsWith("+ "))).toBe(true);
  const added = diffRecordings({ requests: [] }, recording("a"));
  expect(added?.split("\n").slice(0, 2)).toEqual(["+ PATCH /a/0 → 200", "+ {}"]);
});
