import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "./mistakes";

/** The codes of the provider's sources, each where it is thrown or in the table of advice. */
function codesInSources(): string[] {
  const names = readdirSync(__dirname, { recursive: true, encoding: "utf8" });
  const sources = names.filter(
    (name) =>
      /\.(ts|cjs)$/.test(name) && !/\.test\.ts$|^(dist|native-plugin|node_modules)\//.test(name),
  );
  const text = sources.map((name) => readFileSync(join(__dirname, name), "utf8")).join("\n");
  return [...new Set(text.match(/\bCDB\d{4}\b/g))].sort();
}

test("docs/errors.md explains exactly the codes in the sources, in order", () => {
  const page = readFileSync(join(__dirname, "../docs/errors.md"), "utf8");
  const headings = [...page.matchAll(/^### (CDB\d{4})$/gm)].map(([, code]) => code);
  expect(headings.length).toBeGreaterThan(70);
  expect(headings).toEqual(codesInSources());
});

test.each([
  ["numReplica", ["numReplicas", "minReplicaMemoryGb"], "did you mean numReplicas?"],
  ["us-esat-1", ["us-east-1", "us-east-2", "eu-west-1"], "did you mean us-east-1?"],
  ["max", ["minGb", "maxGb", "byStack"], "did you mean maxGb?"],
  ["AWS", ["gcp", "aws"], "did you mean aws?"],
  ["eu-south-9", ["ap-south-1"], undefined],
  ["us-east-3", ["us-east-1", "us-east1"], undefined],
  ["useast-1", ["us-east-1"], "did you mean us-east-1?"],
  ["oci", ["gcp"], undefined],
  ["id", ["ids"], "did you mean ids?"],
  ["nonsense", ["numReplicas", "region"], undefined],
  ["x".repeat(100_000), ["region"], undefined],
  ["region", [], undefined],
])("the nearest known name is suggested, case %#", (name, known, question) => {
  expect(didYouMean(name, known)).toBe(question);
});
