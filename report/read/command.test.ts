import { placeIn } from "./command";

test.each([
  [["--stack", "a"], "a"],
  [["--diff", "--stack=a"], "a"],
  [["-s", "a"], "a"],
  [["--diff"], undefined],
])("flags %j name the stack %s", (flags, stack) => {
  expect(placeIn(flags).stack).toBe(stack);
});
