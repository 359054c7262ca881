import { policies as all } from "../rules";
import { memoryWithinBounds } from "../rules/memory-within-bounds";
import { judgedResources, type Program } from "../testing/program";
import { forgetRun } from "./run-memory";

/** Those that are not disabled without settings. */
const policies = all.filter(({ enforcementLevel }) => enforcementLevel !== "disabled");

beforeEach(forgetRun);

const service = (args: Program["resources"][number]["args"], settings = {}): Program => ({
  settings,
  resources: [{ type: "Service", name: "analytics", args }],
});

test("the next pass over a resource reads its arguments again", () => {
  const violations: string[] = [];
  for (const maxReplicaMemoryGb of [32, 999, 32]) {
    for (const { declared } of judgedResources(service({ maxReplicaMemoryGb })))
      for (const { validateResource } of policies) validateResource(declared, (text) => void violations.push(text));
  }
  expect(violations.filter((text) => text.includes("999"))).toHaveLength(1);
});

test("a policy that a pack has twice keeps the settings of each", () => {
  const violations: string[] = [];
  for (const maxGb of [64, 16, 64]) {
    for (const { declared } of judgedResources(service({ maxReplicaMemoryGb: 32 }, { maxGb })))
      memoryWithinBounds.validateResource(declared, (text) => void violations.push(text));
  }
  expect(violations).toEqual([expect.stringContaining("more than 16 GB")]);
});
