import type { ResourceValidationArgs, StackValidationArgs } from "@pulumi/policy";
import { policies as all } from "../rules";
import { memoryWithinBounds } from "../rules/memory-within-bounds";
import { commonArgs, judgedResources, type Program } from "../testing/program";
import { forgetRun } from "./run-memory";

/** Those that are not disabled without settings. */
const policies = all.filter(({ enforcementLevel }) => enforcementLevel !== "disabled");

beforeEach(forgetRun);

const service = (args: Program["resources"][number]["args"], settings = {}): Program => ({
  settings,
  resources: [{ type: "Service", name: "analytics", args }],
});

/** The arguments that a policy receives, and a count of how often it reads one of them. */
function received(program: Program, counted = "") {
  const [{ declared, finished } = {}] = judgedResources(program);
  let reads = 0;
  const counting = <Resource extends { props: object }>(resource: Resource | undefined): Resource => {
    if (resource === undefined) throw new Error("The program has no resource.");
    const get = (props: object, name: string | symbol) => {
      if (name === counted) reads += 1;
      return Reflect.get(props, name);
    };
    return { ...resource, props: new Proxy(resource.props, { get }) };
  };
  return {
    declared: counting(declared) as ResourceValidationArgs,
    finished: { resources: [counting(finished)], ...commonArgs(program) } as StackValidationArgs,
    reads: () => reads,
  };
}

test("the policies of a pass read each argument once between them", () => {
  const { declared, finished, reads } = received(service({ region: "us-east-1", numReplicas: 3 }), "region");
  for (const { validateResource } of policies) validateResource(declared, () => {});
  expect(reads()).toBe(1);
  for (const { validateStack } of policies) validateStack?.(finished, () => {});
  expect(reads()).toBe(2);
});

test("the next pass over a resource reads its arguments again", () => {
  const violations: string[] = [];
  for (const maxReplicaMemoryGb of [32, 999, 32]) {
    const { declared } = received(service({ maxReplicaMemoryGb }));
    for (const { validateResource } of policies) validateResource(declared, (text) => void violations.push(text));
  }
  expect(violations.filter((text) => text.includes("999"))).toHaveLength(1);
});

test("a remediation changes what the policies after it read", async () => {
  const { declared } = received(service({ ipAccessList: [{ source: "203.0.113.7" }] }));
  const violations: string[] = [];
  const pass = () => {
    for (const { validateResource } of policies) validateResource(declared, (text) => void violations.push(text));
  };
  const undescribed = () => violations.filter((text) => text.includes("no description")).length;
  pass();
  expect(undescribed()).toBe(1);
  for (const { remediateResource } of policies) await remediateResource?.(declared);
  pass();
  expect(undescribed()).toBe(1);
});

test("a policy that a pack has twice keeps the settings of each", () => {
  const violations: string[] = [];
  for (const maxGb of [64, 16, 64]) {
    const { declared } = received(service({ maxReplicaMemoryGb: 32 }, { maxGb }));
    memoryWithinBounds.validateResource(declared, (text) => void violations.push(text));
  }
  expect(violations).toEqual([expect.stringContaining("more than 16 GB")]);
});
