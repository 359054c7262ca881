import { placeIn } from "./command";

test.each([
  [["pulumi", "preview", "--stack", "a"], "a"],
  [["--diff", "--stack=a"], "a"],
  [["-s", "a"], "a"],
  [["pulumi", "-C", "x", "preview", "--diff", "-s", "a"], "a"],
  [["--diff"], undefined],
])("flags %j name the stack %s", (flags, stack) => {
  expect(placeIn(flags).stack).toBe(stack);
});
