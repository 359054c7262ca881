import { CommandError } from "@pulumi/pulumi/automation";
import { reasonOf, selectStacks } from "./stacks";

/**
 * As the CLI lists the stacks of a project in two organizations, of which orgA is the default one.
 */
const LISTED = ["dev", "prod", "orgB/dev", "orgB/test"];
const select = (
  listed: readonly string[],
  names?: string,
  canary?: string,
  organization = "orgA",
) => selectStacks(listed, { organization, project: "shop", stacks: names, canary });

test.each<[string, string | undefined, string | undefined, string, string[], string | undefined]>([
  ["names of the default organization", "dev,prod", undefined, "", ["dev", "prod"], undefined],
  ["full names", "orgA/shop/dev,orgA/prod,dev", "orgA/prod", "", ["dev", "prod"], "prod"],
  [
    "names of another organization",
    "orgB/dev,orgB/shop/test",
    undefined,
    "orgB",
    ["orgB/dev", "orgB/test"],
    undefined,
  ],
  ["a canary alone", undefined, "orgB/shop/test", "orgB", ["orgB/dev", "orgB/test"], "orgB/test"],
  ["a canary of the default organization", undefined, "dev", "", ["dev", "prod"], "dev"],
])(
  "stacks of one organization are selected by %s",
  (_, names, canary, organization, selected, first) => {
    expect(select(LISTED, names, canary)).toEqual({ names: selected, canary: first, organization });
  },
);

test.each([
  [["dev", "prod"], ""],
  [["orgB/dev", "orgB/test"], "orgB"],
])("without names, all stacks of %j are selected", (listed, organization) => {
  expect(select(listed)).toEqual({ names: listed, canary: undefined, organization });
});

test("the organization may be omitted on a backend that has only one", () => {
  const selected = select(["dev", "prod"], "organization/shop/dev", undefined, "organization");
  expect(selected).toEqual({ names: ["dev"], canary: undefined, organization: "" });
});

const TWO =
  "The stacks are of 2 organizations: orgA, orgB. Name those of one with --stacks, such as --stacks orgA/shop/NAME.";

test.each([
  ["without names", undefined, undefined, TWO],
  ["names of both", "dev,orgB/dev", undefined, TWO],
  ["a canary of another organization", "dev,prod", "orgB/dev", TWO],
  ["a missing name", "orgB/prod", undefined, "The project has no stack orgB/prod."],
  [
    "a stack of another project",
    "orgB/other/dev",
    undefined,
    "The project has no stack orgB/other/dev.",
  ],
  [
    "a stack of another project, by default",
    "orgA/other/dev",
    undefined,
    "The project has no stack orgA/other/dev.",
  ],
  ["a canary that is not selected", "dev", "prod", "--canary must be one of the stacks; got prod."],
])("an invalid selection of stacks is refused: %s", (_, names, canary, message) => {
  expect(() => select(LISTED, names, canary)).toThrow(new Error(message));
});

test.each([
  [10, "Updating", "pulumi ended with exit code 10: an object was not ready in time."],
  [6, "error: no stack named 'dev' found", "no stack named 'dev' found"],
])(
  "a Pulumi command that exits with %i and prints %j fails with its reason",
  (code, stderr, reason) => {
    const result = {
      code,
      stdout: "",
      stderr,
      toString: () => `code: ${code}\n stderr: ${stderr}\n`,
    };
    const error: Error = Reflect.construct(CommandError, [result]);
    expect(reasonOf(error)).toBe(reason);
  },
);
