import { didYouMean } from "./mistakes";

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
])("the nearest name, case %#", (name, known, question) => {
  expect(didYouMean(name, known)).toBe(question);
});
