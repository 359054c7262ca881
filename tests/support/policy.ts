import { UNKNOWN } from "../../facts";
import type { CloudDbPolicy } from "../../policies/core/policy";
import { type Judgement, judge } from "../../policies/testing/judge";
import type { Program, ProgramResource } from "../../policies/testing/program";
import * as resources from "../../policies/testing/program";
import { secret } from "./adapters/values";

export { judge, type Program, resources, secret, UNKNOWN };
export type Args = ProgramResource["args"];

export type Case = readonly [
  title: string,
  program: Program,
  violations: readonly string[],
  unchecked?: readonly string[],
];

/** Tests a policy by its own examples, with unknown and secret values, and by these cases. */
export function describePolicy(policy: CloudDbPolicy, cases: readonly Case[]): void {
  const { name: policyName, good, bad } = policy.definition;

  test(`${policyName}: its good example passes`, async () => {
    expect(await judge(policy, good)).toEqual({ violations: [], unchecked: [] });
  });

  test(`${policyName}: its bad example does not, and each message says what is wrong and what to do`, async () => {
    const { violations } = await judge(policy, bad);
    expect(violations.length).toBeGreaterThan(0);
    for (const text of violations) expect(text).toMatch(/^.+: .+[;.] .+\.$|^The .+; .+\.$/);
  });

  const places = bad.resources.flatMap(({ args }, index) =>
    Object.keys(args).map((name) => [index, name] as const),
  );
  test(`${policyName}: it is never silent where one of its inputs is unknown`, async () => {
    for (const [index, name] of places) {
      const { violations, unchecked } = await judgeWithout(index, name);
      // Either it still reports as many violations, or it reports the unknown value.
      const isAsMany = violations.length >= (await judge(policy, bad)).violations.length;
      expect([name, isAsMany || unchecked.length > 0]).toEqual([name, true]);
    }
  });
  function judgeWithout(index: number, name: string): Promise<Judgement> {
    const others = bad.resources.map((resource, at) =>
      at === index ? { ...resource, args: { ...resource.args, [name]: UNKNOWN } } : resource,
    );
    return judge(policy, { ...bad, resources: others });
  }

  test(`${policyName}: it judges values that the program marks as secret, and never shows them`, async () => {
    const resources = bad.resources.map((resource) => ({
      ...resource,
      args: Object.fromEntries(
        Object.entries(resource.args).map(([name, value]) => [name, secret(value)]),
      ),
    }));
    const { violations } = await judge(policy, { ...bad, resources });
    expect(violations).toHaveLength((await judge(policy, bad)).violations.length);
    const values = new Set(bad.resources.flatMap(({ args }) => textsIn(args)));
    // Messages name resources: a value that equals such a name would count as shown.
    for (const { name } of bad.resources) expect([...values]).not.toContain(name);
    expect(violations.flatMap(wordsIn).filter((word) => values.has(word))).toEqual([]);
  });

  test(`${policyName}: it says what it could not check where nothing is known`, async () => {
    const resources = bad.resources.map((resource) => ({
      ...resource,
      args: Object.fromEntries(Object.keys(resource.args).map((name) => [name, UNKNOWN])),
    }));
    const { violations, unchecked } = await judge(policy, { ...bad, resources });
    if (places.length > 0 && violations.length === 0) {
      expect(unchecked.join()).toMatch(/not known yet/);
      expect(unchecked.join()).not.toContain(UNKNOWN);
    }
  });

  for (const [title, program, violations, unchecked = []] of cases) {
    test(`${policyName} ${title}`, async () => {
      const result = await judge(policy, program);
      expect(result.violations).toEqual(violations.map((text) => expect.stringContaining(text)));
      expect(result.unchecked).toEqual(unchecked.map((text) => expect.stringContaining(text)));
    });
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "boolean" ? [] : [String(value)];
}

const wordsIn = (text: string): string[] => text.match(/[\w./:-]+(?<![.:])/g) ?? [];

/** A program of one service. */
export function service(
  args: ProgramResource["args"],
  { outputs, ...others }: Partial<Program> & Pick<ProgramResource, "outputs"> = {},
): Program {
  return { resources: [withOutputs(resources.service(args), outputs)], ...others };
}

/** A program of one adopted service, with its outputs. */
export const adopted = (
  args: ProgramResource["args"],
  outputs?: ProgramResource["outputs"],
): Program => service({ existingServiceId: "a", ...args }, outputs && { outputs });

export const withOutputs = (
  resource: ProgramResource,
  outputs: ProgramResource["outputs"],
): ProgramResource => (outputs ? { ...resource, outputs } : resource);

/**
 * A ServiceScaling or ServiceAccess of a service that the stack creates: its id is not known yet.
 */
export const ofNewService = (resource: ProgramResource): ProgramResource => ({
  ...resource,
  args: { ...resource.args, serviceId: UNKNOWN },
  from: { serviceId: "analytics" },
});
