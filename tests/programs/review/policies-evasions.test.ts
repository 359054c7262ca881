import { expectFailure, newStack, simulated } from "../../engine/support/stack";
import { EXAMPLE, exampleSeed as seed } from "../../support/example";
import { configured, PACK } from "./support/pack";

const EXISTING = EXAMPLE.service;

/** A service that had an access list, without it. */
const DROPPED = `new clouddb.Service("open", { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 2 });`;

const BOUNDS = {
  "memory-within-bounds": { maxGb: 16 },
  "replicas-within-bounds": { max: 2 },
  "capacity-budget": { maxTotalGb: 512 },
};

test("a violating program fails the mandatory policies in any notation", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(
    api,
    `new clouddb.Service("adopted", { existingServiceId: "${EXISTING}" });
     new clouddb.Service("open", { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 2, ipAccessList: [{ source: "0.0.0.0/0" }] });`,
  );

  // An adopted service is checked as soon as the API's responses are known.
  const adopting = await expectFailure(
    stack.up(...configured(stack, { ...BOUNDS, "no-open-access": "disabled" })),
  );
  expect(adopting).toMatch(
    /Service "adopted": maxReplicaMemoryGb 64 GB is more than 16 GB.* this is its current value\./,
  );
  expect(adopting).toContain('Service "adopted": numReplicas 3 is more than 2, the setting max');
  expect(await stack.resources()).toHaveLength(4);

  // Later previews check stored values, and nothing new passes by declaring less.
  stack.program(`
    new clouddb.Service("adopted", { existingServiceId: "${EXISTING}" });
    ${DROPPED}
    new clouddb.Service("silent", {});
  `);
  const strict = configured(stack, {
    ...BOUNDS,
    "production-is-replicated": { stacks: "DEV" },
    "encryption-required": "mandatory",
    "regions-allowed": { enforcementLevel: "mandatory", allowed: ["aws/eu-*"] },
  });
  const output = await expectFailure(stack.preview(...strict));
  const undeclared = "is not declared and its value is not known; declare it";
  const says = [
    ["memory-within-bounds: silent", `maxReplicaMemoryGb ${undeclared}`],
    ["memory-within-bounds: adopted", "maxReplicaMemoryGb 64 GB is more than 16 GB"],
    ["replicas-within-bounds: silent", `numReplicas ${undeclared}`],
    ["replicas-within-bounds: adopted", "numReplicas 3 is more than 2"],
    ["capacity-budget: silent", `numReplicas ${undeclared}`],
    ["production-is-replicated: silent", `numReplicas ${undeclared}`],
    ["production-is-replicated: adopted", "idleScaling true"],
    ["encryption-required: adopted", "hasTransparentDataEncryption is off"],
    ["regions-allowed: adopted", "it does not declare both provider and region"],
    ["no-open-access: open", "ipAccessList is not declared"],
  ];
  const violations = output.split("[mandatory]").slice(1);
  const missing = says.filter(([where = "", text = ""]) => {
    const [policy, name] = where.split(": ");
    const head = new RegExp(`^ \\[severity: \\w+\\]  ${policy}  \\(\\S+: ${name}\\)`);
    return !violations.some(
      (violation) => head.test(violation) && violation.replace(/\s+/g, " ").includes(text),
    );
  });
  expect(missing).toEqual([]);

  // Nothing that is rejected is created, even without a preview.
  await api.requests();
  await expectFailure(stack.up(...strict));
  expect((await api.requests()).filter(({ request }) => request.startsWith("POST"))).toEqual([]);

  // A list that the program drops stays as it is on the server.
  stack.program(`new clouddb.Service("adopted", { existingServiceId: "${EXISTING}" }); ${DROPPED}`);
  expect(await expectFailure(stack.up(...PACK))).toMatch(
    /0\.0\.0\.0\/0 in ipAccessList allows the whole internet.* this is its current value\./,
  );
});

const OFFICE = `ipAccessList: [{ source: "203.0.113.0/24", description: "office" }]`;

/**
 * Services whose size no Service argument declares: the API has chosen one, a ServiceScaling
 * declares the other.
 */
const UNDECLARED = `
  new clouddb.Service("plain", { ${OFFICE} });
  const scaled = new clouddb.Service("scaled", { ${OFFICE} });
  new clouddb.ServiceScaling("size", { serviceId: scaled.id, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 2, idleScaling: false });
  new clouddb.Service("total", { maxTotalMemoryGb: 48, idleScaling: true, ${OFFICE} });
  clouddb.Service.get("elsewhere", "${EXISTING}");
`;

/** Limits that the services above comply with. */
const WIDE = {
  "memory-within-bounds": { maxGb: 32 },
  "replicas-within-bounds": { min: 2, max: 3 },
  "capacity-budget": { maxTotalGb: 512 },
  "production-is-replicated": { stacks: "dev", allowIdle: true },
};

test("a limit that is set later accepts a service within it, even with a size from the API", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(api, UNDECLARED);
  await stack.up();
  expect(await stack.preview(...configured(stack, WIDE))).not.toMatch(/\[mandatory\]/);

  // The stored sizes are checked, and the ServiceScaling in place of its service.
  const tight = await expectFailure(
    stack.preview(
      ...configured(stack, {
        "memory-within-bounds": { maxGb: 12 },
        "replicas-within-bounds": { max: 2 },
        "production-is-replicated": { stacks: "dev" },
      }),
    ),
  );
  const said = tight.replace(/\s+/g, " ");
  for (const violation of [
    'Service "plain": maxReplicaMemoryGb 32 GB is more than 12 GB',
    'Service "plain": numReplicas 3 is more than 2',
    'Service "plain": idleScaling true',
    'Service "total": maxTotalMemoryGb / numReplicas = 16 GB is more than 12 GB',
    'ServiceScaling "size": maxReplicaMemoryGb 16 GB is more than 12 GB',
  ])
    expect(said).toContain(violation);
  expect(said).not.toContain('Service "scaled"');

  // A preview of a change shows arguments only: there a size has to be declared, unless a
  // ServiceScaling shows it.
  stack.program(UNDECLARED.replaceAll("office", "headquarters"));
  const changing = (await expectFailure(stack.preview(...configured(stack, WIDE)))).replace(
    /\s+/g,
    " ",
  );
  expect(changing).toMatch(/Service "plain": maxReplicaMemoryGb is not declared.*declare it/);
  expect(changing).toMatch(/Service "total": numReplicas is not declared.*declare it/);
  expect(changing).not.toContain('Service "scaled"');
});

test("resources excluded by --target pass, and an unclassified stack is reported", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(
    api,
    `new clouddb.Service("one", { maxReplicaMemoryGb: 16, numReplicas: 2, ${OFFICE} });
     new clouddb.Service("other", {});`,
  );
  await stack.pulumi("stack", "init", "main");
  stack.environment({ PULUMI_STACK: "main" });
  const urn = "urn:pulumi:main::test::pulumi-nodejs:dynamic/clouddb:Service::one";
  const output = await stack.preview(
    "--target",
    urn,
    ...configured(stack, { ...BOUNDS, "encryption-required": "advisory" }),
  );
  expect(output).toContain(
    'Service "other": no policy has checked it, because its arguments are not known: this run excludes it (--target',
  );
  expect(output.match(/no policy has checked it/g)).toHaveLength(1);
  expect(output).not.toMatch(/\[mandatory\]/);
  expect(output).toContain("The stack main is not treated as production");
});
