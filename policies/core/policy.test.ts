import { policies as all, memoryWithinBounds } from "../rules";
import { commonArgs, judgedResources, type Program } from "../testing/program";
import { beginRequest, forgetRun } from "./resource";

/** The policies that are enabled without settings. */
const policies = all.filter(({ enforcementLevel }) => enforcementLevel !== "disabled");

/** A program of one service; the settings are those of all policies. */
const service = (args: Program["resources"][number]["args"], settings = {}): Program => ({
  settings,
  resources: [{ type: "Service", name: "analytics", args }],
});

/** The number of times that policies have read the size of a service. */
let reads = 0;
function counted<Resource extends { readonly props: object }>(resource: Resource): Resource {
  const props = new Proxy(resource.props, {
    get(target, name) {
      if (name === "maxReplicaMemoryGb") reads += 1;
      return Reflect.get(target, name);
    },
  });
  return { ...resource, props };
}

beforeEach(() => {
  forgetRun();
  reads = 0;
});

test("all policies together read a resource's arguments once per request", () => {
  const violations: string[] = [];
  for (const maxReplicaMemoryGb of [32, 999, 32]) {
    beginRequest();
    for (const { validateResource } of policies) {
      for (const { declared } of judgedResources(service({ maxReplicaMemoryGb })))
        validateResource(counted(declared), (text) => void violations.push(text));
    }
  }
  expect(violations.filter((text) => text.includes("999"))).toHaveLength(1);
  expect(reads).toBe(3);
});

test("all policies over the stack read its resources once per request", () => {
  beginRequest();
  for (const { validateStack } of policies) {
    const resources = judgedResources(service({ maxReplicaMemoryGb: 32 })).map(({ finished }) =>
      counted(finished),
    );
    validateStack?.({ resources, ...commonArgs(service({})) }, () => {});
  }
  expect(reads).toBe(1);
});

test("two copies of a policy in a pack keep their own settings", () => {
  const violations: string[] = [];
  for (const maxGb of [64, 16, 64]) {
    for (const { declared } of judgedResources(service({ maxReplicaMemoryGb: 32 }, { maxGb })))
      memoryWithinBounds.validateResource(declared, (text) => void violations.push(text));
  }
  expect(violations).toEqual([expect.stringContaining("more than 16 GB")]);
});
