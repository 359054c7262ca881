import schema from "../../provider/schema.json";
import { breakingChanges, type PackageSchema, problemsOfPage, problemsOfRegistry } from "../../tools/checks/schema";

/** The breaking changes that a change of the schema makes. */
function brokenBy(change: (copy: typeof schema) => void): string[] {
  const copy = structuredClone(schema);
  change(copy);
  return breakingChanges(schema as PackageSchema, copy as PackageSchema).map(({ what }) => what);
}

const SERVICE = "clouddb:index:Service";
const ENDPOINT = "clouddb:index:ServiceEndpoint";

test("the current schema breaks nothing, and neither does an addition", () => {
  expect(brokenBy(() => {})).toEqual([]);
  const added = { type: "string", description: "Added." };
  expect(
    brokenBy(({ resources, types }) => {
      Object.assign(resources[SERVICE].inputProperties, { added });
      Object.assign(resources[SERVICE].properties, { added });
      Object.assign(types[ENDPOINT].properties, { added });
      Object.assign(resources, { "clouddb:index:Added": { inputProperties: { added }, requiredInputs: ["added"] } });
    }),
  ).toEqual([]);
});

test.each<[string, (copy: typeof schema) => unknown, string[]]>([
  [
    "a resource that is gone, once",
    ({ resources }) => Reflect.deleteProperty(resources, SERVICE),
    ["the resource `Service` is gone"],
  ],
  [
    "a function",
    ({ functions }) => Reflect.deleteProperty(functions, "clouddb:index:getAlert"),
    ["the function `getAlert` is gone"],
  ],
  ["a setting", ({ config }) => Reflect.deleteProperty(config.variables, "journal"), ["the setting `journal` is gone"]],
  [
    "an argument",
    ({ resources }) => Reflect.deleteProperty(resources[SERVICE].inputProperties, "region"),
    ["the argument `region` of resource `Service` is gone"],
  ],
  [
    "an argument that is required now",
    ({ resources }) => resources["clouddb:index:ServiceScaling"].requiredInputs.push("numReplicas"),
    ["the argument `numReplicas` of resource `ServiceScaling` is required"],
  ],
  [
    "an output that may be absent",
    ({ resources }) => resources[SERVICE].required.splice(resources[SERVICE].required.indexOf("serviceEndpoints"), 1),
    ["the output `serviceEndpoints` of resource `Service` may be absent"],
  ],
  [
    "a member's type",
    ({ types }) => Object.assign(types[ENDPOINT].properties.protocol, { type: "integer" }),
    [
      "the argument `endpoints.protocol` of resource `Service` was string and is integer",
      "the output `endpoints.protocol` of resource `Service` was string and is integer",
    ],
  ],
  [
    "a new member that must be given",
    ({ types }) => {
      Object.assign(types[ENDPOINT].properties, { port: { type: "integer" } });
      types[ENDPOINT].required.push("port");
    },
    ["the argument `endpoints.port` of resource `Service` is required"],
  ],
  [
    "the name of a listed value",
    ({ types }) => Object.assign(types["clouddb:index:ServiceProvider"].enum[0] ?? {}, { name: "Other" }),
    ["the value `aws` of type `ServiceProvider` was Aws and is Other"],
  ],
  [
    "a package",
    ({ language }) => Object.assign(language.nodejs, { packageName: "other" }),
    ["the package for `nodejs` was pulumi-clouddb and is other"],
  ],
])("names what breaks programs: %s", (_, change, expected) => {
  expect(brokenBy(change)).toEqual(expected);
});

test("the registry's demands are checked", () => {
  expect(problemsOfRegistry(schema)).toEqual([]);
  expect(problemsOfRegistry({ ...schema, name: "other", version: "9.9.9", publisher: "", keywords: [] })).toHaveLength(
    4,
  );
  const page = (text: string) => `---\ntitle: "A"\nmeta_desc: "B"\n---\n${text}\n`;
  expect(problemsOfPage(page("[a](https://example.com/a.md) [b](#part)"))).toEqual([]);
  for (const text of [
    "[a](../a.md)",
    "![a](./a.png)",
    "[a](a.md#part)",
    '<img alt="a" src="a.png">',
    "<a href='/a'>",
  ]) {
    expect(problemsOfPage(page(text))).toHaveLength(1);
  }
  expect(problemsOfPage("# A")).toHaveLength(2);
});
