import { tmpdir } from "node:os";
import { flagsIn, projectIn, withCommand } from "./command";

test.each([
  [["pulumi", "preview", "--stack", "a"], "a"],
  [["--diff", "--stack=a"], "a"],
  [["-s", "a"], "a"],
  [["pulumi", "-C", "x", "preview", "--diff", "-s", "a"], "a"],
  [["--diff"], undefined],
])("flags %j name the stack %s", (flags, stack) => {
  expect(flagsIn(flags).stack).toBe(stack);
});

test.each([
  [["pulumi", "preview", "--diff"], []],
  [
    ["pulumi", "preview", "-t", "a", "--target-dependents", "--target=b"],
    ["--target", "a", "--target-dependents", "--target=b"],
  ],
  [
    ["pulumi", "preview", "--exclude", "a", "-x", "b", "--exclude-dependents"],
    ["--exclude", "a", "--exclude", "b", "--exclude-dependents"],
  ],
  [
    ["pulumi", "--target-replace", "a", "preview", "--replace", "b"],
    ["--target-replace", "a", "--replace", "b"],
  ],
])("of the command %j, the flags %j select resources", (command, selection) => {
  expect(flagsIn(command).selection).toEqual(selection);
});

test("the project is that of the nearest folder with a project file", () => {
  expect(projectIn(__dirname)).toBe("clouddb-quickstart");
  expect(projectIn(tmpdir())).toBe("");
});

test.each([
  ["dev", "acme/shop/dev", "acme"],
  ["acme/dev", "dev", "acme"],
  ["dev", "acme/shop/prod", ""],
  [undefined, "dev", ""],
])(
  "with --stack %s for a preview of %s, the organization is %j",
  (stack, previewed, organization) => {
    const fallback = { project: "shop", stack: previewed };
    const [preview] = withCommand([], {
      overrides: { stack },
      fallback,
      errors: "",
      hasFailed: true,
    });
    expect(preview).toMatchObject({ organization, stack: "dev" });
  },
);
