import {
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  validateResourceOfType,
  validateStackResourcesOfType,
} from "@pulumi/policy";
import * as clouddb from "pulumi-clouddb";
import { judge, UNKNOWN } from "../index";
import { noOpenAccess, oneOwnerForScaling } from "../rules";
import type { Program } from "./program";

/** Policies that users write with the SDK alone. */
const named: ResourceValidationPolicy = {
  name: "named",
  description: "named",
  validateResource: validateResourceOfType(clouddb.Service, async (service, args, report) => {
    await Promise.resolve();
    const { prefix = "team" } = args.getConfig<{ prefix?: string }>();
    if (!service.name?.startsWith(prefix)) report(`${args.name} needs the prefix ${prefix}`);
  }),
};
const service = (name: unknown, more: object = {}) => ({
  type: "Service",
  name: "analytics",
  args: { name },
  ...more,
});
const program = (...resources: Program["resources"]): Program => ({ resources });

test("a policy built with the SDK sees a program as in a preview", async () => {
  expect(await judge(named, program(service("team one")))).toEqual({
    violations: [],
    unchecked: [],
  });
  expect(
    await judge(
      named,
      program(service("one"), { ...service("one"), type: "aws:s3/bucket:Bucket" }),
    ),
  ).toEqual({
    violations: ["analytics needs the prefix team"],
    unchecked: [],
  });
  const settings = { prefix: "one" };
  expect((await judge(named, { ...program(service("one")), settings })).violations).toEqual([]);
});

test("a policy that reads an unknown value reports a skipped check, and its other functions run", async () => {
  const { validateResource } = named as {
    validateResource: ResourceValidationPolicy["validateResource"];
  };
  const both = [
    validateResource,
    (_: unknown, report: (text: string) => void) => report("second"),
  ].flat();
  const policy = { ...named, validateResource: both } as ResourceValidationPolicy;
  expect(await judge(policy, program(service(UNKNOWN)))).toEqual({
    violations: ["second"],
    unchecked: [expect.stringContaining("value at .name can't be known during preview")],
  });
});

test("a policy that does not apply reports nothing, and a policy that throws fails", async () => {
  const throwing = (run: (args: { notApplicable: () => never }) => void) =>
    judge({ ...named, validateResource: run } as ResourceValidationPolicy, program(service("one")));
  expect(await throwing(({ notApplicable }) => notApplicable())).toEqual({
    violations: [],
    unchecked: [],
  });
  await expect(
    throwing(() => {
      throw new Error("a mistake");
    }),
  ).rejects.toThrow("a mistake");
});

test("a policy over the stack sees outputs, sources and an empty stack", async () => {
  const atLeastOne: StackValidationPolicy = {
    name: "one",
    description: "one",
    validateStack: validateStackResourcesOfType(clouddb.Service, (services, args, report) => {
      report(
        `${services.length} of ${args.resources.length}: ${services.map(({ createdAt }) => createdAt)}`,
      );
    }),
  };
  const outputs = { createdAt: "today" };
  const scaling = {
    type: "ServiceScaling",
    name: "size",
    args: { serviceId: UNKNOWN, numReplicas: 3 },
  };
  const { violations } = await judge(atLeastOne, program(service("a", { outputs }), scaling));
  expect(violations).toEqual(["1 of 1: today"]);
  expect(
    await judge(
      { ...atLeastOne, validateStack: (args, report) => report(String(args.resources.length)) },
      program(),
    ),
  ).toEqual({ violations: ["0"], unchecked: [] });

  const both = program(
    { ...service("a"), args: { numReplicas: 2 } },
    { ...scaling, from: { serviceId: "analytics" } },
  );
  expect((await judge(oneOwnerForScaling, both)).violations).toHaveLength(1);
});

test("programs judged at the same time do not affect each other", async () => {
  const excluded = program({ ...service("a"), isExcluded: true });
  const open = program({ ...service("a"), args: { ipAccessList: [{ source: "0.0.0.0/0" }] } });
  const results = await Promise.all(
    [excluded, open, excluded].map((item) => judge(noOpenAccess, item)),
  );
  expect(results.map(({ violations, unchecked }) => [violations.length, unchecked.length])).toEqual(
    [
      [0, 1],
      [1, 0],
      [0, 1],
    ],
  );
});
