import { tmpdir } from "node:os";
import { projectIn, withCommand } from "./command";

test("the project is named by the nearest project file", () => {
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

test("without a project file, the project comes from the stack's full name", () => {
  const fallback = { project: "", stack: "acme/shop/dev" };
  const [preview] = withCommand([], { fallback, errors: "", hasFailed: true });
  expect(preview).toMatchObject({ organization: "acme", project: "shop", stack: "dev" });
});
