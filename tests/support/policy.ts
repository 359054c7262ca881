import {
  type ResourceValidationArgs,
  type StackValidationArgs,
  UnknownValueError,
  unknownCheckingProxy,
} from "@pulumi/policy";
import type { CloudDbPolicy, Example } from "../../policies/policy/policy";
import { UNKNOWN } from "../../provider/definitions";

export { UNKNOWN };

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";

/** A program for a policy, in which an argument may come from another resource: `{ serviceId: "analytics" }`. */
export interface Program extends Omit<Example, "resources"> {
  readonly resources: readonly (Example["resources"][number] & {
    readonly from?: Readonly<Record<string, string>>;
    /** Values from the API: stored outputs, or those of an update. */
    readonly outputs?: Readonly<Record<string, unknown>>;
    readonly typeToken?: string;
    /** As the engine shows a resource that `--target` excludes: without arguments. */
    readonly isExcluded?: boolean;
  })[];
}

export interface Result {
  readonly violations: readonly string[];
  readonly unchecked: readonly string[];
}

/** Runs a policy as the SDK does: with values that throw where they are unknown. */
export function run(policy: CloudDbPolicy, { stack = "dev", settings = {}, resources }: Program): Result {
  const violations: string[] = [];
  const unchecked: string[] = [];
  const report = (text: string | object) => void violations.push(String(text));
  function guarded(validate: () => void) {
    try {
      validate();
    } catch (error) {
      if (!(error instanceof UnknownValueError)) throw error;
      unchecked.push((error as unknown as Error).message);
    }
  }
  const getConfig = () => settings;
  const given = resources.map(({ type, name, args, options, outputs, typeToken, isExcluded }) => {
    const common = {
      type: typeToken ?? `pulumi-nodejs:dynamic/clouddb:${type}`,
      name,
      urn: `urn:pulumi:${stack}::test::pulumi-nodejs:dynamic/clouddb:${type}::${name}`,
      opts: { protect: options?.protect ?? true },
    };
    // The provider's check resolves the organization of every resource.
    const resolved = isExcluded ? {} : { organizationId: ORGANIZATION };
    const props = (values: object) => unknownCheckingProxy({ ...resolved, ...structuredClone(values) });
    return { declared: { ...common, props: props(args) }, finished: { ...common, props: props(outputs ?? args) } };
  });
  for (const { declared } of given) {
    guarded(() => policy.validateResource({ ...declared, getConfig } as unknown as ResourceValidationArgs, report));
  }
  if (policy.validateStack) {
    const finished = given.map(({ finished }, index) => {
      const from = Object.entries(resources[index]?.from ?? {});
      const sources = from.map(([argument, source]) => {
        return [argument, given.map((each) => each.finished).filter(({ name }) => name === source)];
      });
      return { ...finished, propertyDependencies: Object.fromEntries(sources) };
    });
    const args = { resources: finished, getConfig } as unknown as StackValidationArgs;
    guarded(() => policy.validateStack?.(args, report));
  }
  return { violations, unchecked };
}

export type Case = readonly [
  title: string,
  program: Program,
  violations: readonly string[],
  unchecked?: readonly string[],
];

/** Tests a policy by its own examples, with unknown values, and by these cases. */
export function describePolicy(policy: CloudDbPolicy, cases: readonly Case[]): void {
  const { good, bad } = policy.definition;

  test("its good example passes", () => {
    expect(run(policy, good)).toEqual({ violations: [], unchecked: [] });
  });

  test("its bad example does not, and each message says what is wrong and what to do", () => {
    const { violations } = run(policy, bad);
    expect(violations.length).toBeGreaterThan(0);
    for (const text of violations) expect(text).toMatch(/^.+: .+[;.] .+\.$|^The .+; .+\.$/);
  });

  const places = bad.resources.flatMap(({ args }, index) => Object.keys(args).map((name) => [index, name] as const));
  test("it is never silent where one of its inputs is unknown", () => {
    for (const [index, name] of places) {
      const { violations, unchecked } = runWithout(index, name);
      // Either it still reports as many violations, or it reports what is unknown.
      const isAsMany = violations.length >= run(policy, bad).violations.length;
      expect([name, isAsMany || unchecked.length > 0]).toEqual([name, true]);
    }
  });
  function runWithout(index: number, name: string): Result {
    const resources = bad.resources.map((resource, at) =>
      at === index ? { ...resource, args: { ...resource.args, [name]: UNKNOWN } } : resource,
    );
    return run(policy, { ...bad, resources });
  }

  test("it says what it could not check where nothing is known", () => {
    const resources = bad.resources.map((resource) => ({
      ...resource,
      args: Object.fromEntries(Object.keys(resource.args).map((name) => [name, UNKNOWN])),
    }));
    const { violations, unchecked } = run(policy, { ...bad, resources });
    if (places.length > 0 && violations.length === 0) {
      expect(unchecked.join()).toMatch(/not known yet/);
      expect(unchecked.join()).not.toContain(UNKNOWN);
    }
  });

  for (const [title, program, violations, unchecked = []] of cases) {
    test(title, () => {
      const result = run(policy, program);
      expect(result.violations).toEqual(violations.map((text) => expect.stringContaining(text)));
      expect(result.unchecked).toEqual(unchecked.map((text) => expect.stringContaining(text)));
    });
  }
}

/** A program of one service. */
export function service(args: Readonly<Record<string, unknown>>, others: Partial<Program> = {}): Program {
  return { resources: [{ type: "Service", name: "analytics", args }], ...others };
}
