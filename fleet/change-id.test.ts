import { stillDone } from "./change-id";

test("what an earlier run has done counts for the same change, until all of it is done", () => {
  const record = { change: "1", done: ["a", "b"] };
  expect(stillDone(undefined, "1", ["a"])).toEqual([]);
  expect(stillDone(record, "1", ["a", "b", "c"])).toEqual(["a", "b"]);
  expect(stillDone(record, "2", ["a", "b", "c"])).toEqual([]);
  expect(stillDone(record, "1", ["a", "b"])).toEqual([]);
  expect(stillDone(record, "1", ["b"])).toEqual(["a"]);
});
