import { tmpdir } from "node:os";
import { placeIn, projectIn } from "./command";

test.each([
  [["pulumi", "preview", "--stack", "a"], "a"],
  [["--diff", "--stack=a"], "a"],
  [["-s", "a"], "a"],
  [["pulumi", "-C", "x", "preview", "--diff", "-s", "a"], "a"],
  [["--diff"], undefined],
])("flags %j name the stack %s", (flags, stack) => {
  expect(placeIn(flags).stack).toBe(stack);
});

test("the project is that of the nearest folder with a project file", () => {
  expect(projectIn(__dirname)).toBe("clouddb-quickstart");
  expect(projectIn(tmpdir())).toBe("");
});
