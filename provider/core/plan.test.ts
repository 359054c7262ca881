import { render } from "../errors";
import { asSecret, DECLARED, type Properties, UNKNOWN } from "../fields";
import { SECRETS } from "../names";
import { organization } from "../resources/organization/organization";
import { pipe } from "../resources/pipe/pipe";
import { service } from "../resources/service/service";
import { serviceScaling } from "../resources/service-scaling/service-scaling";
import { check, diff, planCreation, planUpdate, userArguments } from "./plan";
import type { Context } from "./resource";
import { createSession } from "./session";

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const [ID, OTHER] = [1, 2].map((digit) => `a1b2c3d4-000${digit}-4a53-9c1e-000000000001`) as [string, string];
const ENVIRONMENT = {
  CLOUDDB_BASE_URL: "http://127.0.0.1:1",
  CLOUDDB_KEY_ID: "key",
  CLOUDDB_KEY_SECRET: "key secret",
  CLOUDDB_ORGANIZATION_ID: ORGANIZATION,
  CLOUDDB_JOURNAL: "off",
};

/** One run of a program, with the lines that the user sees. */
function run(environment: Record<string, string> = {}) {
  const output: string[] = [];
  const { contextFor, redacted } = createSession({
    environment: { ...ENVIRONMENT, ...environment },
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 1,
    log: (line) => output.push(`info: ${render(line)}`),
    warn: (line) => output.push(`warning: ${render(line)}`),
    canImport: true,
  });
  return {
    output,
    redacted,
    context: (name: string) => contextFor(`urn:pulumi:dev::test::clouddb:index:Any::${name}`),
  };
}

const both = (thing: string) =>
  `"one" and "two" both manage ${thing}, and each would undo the other's changes: keep only one of them. [CDB4009]`;

const importedTwice = (conflict: string) =>
  `${conflict.replace(" [CDB4009]", "")} If it was imported twice, remove the newer one from the state with \`pulumi state delete --force URN\`: an import brings no password. [CDB4010]`;

describe("check", () => {
  const inputs = { serviceId: ID, pipeId: OTHER };
  const reasons = (...[resource, context, name, news]: [Parameters<typeof check>[0], Context, string, Properties]) =>
    check(resource, context, name, {}, news).reasons.map(render);

  test("refuses a second owner of an object", () => {
    const { context } = run();
    expect(reasons(pipe, context("one"), "one", inputs)).toEqual([]);
    expect(reasons(pipe, context("two"), "two", inputs)).toEqual([both(`pipe ${OTHER}`)]);
  });

  test("refuses a second owner of the organization in the settings", () => {
    const { context } = run();
    const args = { name: "Renamed" };
    expect(reasons(organization, context("one"), "one", args)).toEqual([]);
    expect(reasons(organization, context("two"), "two", args)).toEqual([both(`organization ${ORGANIZATION}`)]);
    expect(reasons(organization, context("three"), "three", { ...args, organizationId: OTHER })).toEqual([]);
  });

  test("warns of a value that this release does not know", () => {
    const { context, output } = run({ CLOUDDB_ALLOW_UNLISTED: "region" });
    expect(reasons(service, context("db"), "db", { region: "moon" })).toEqual([]);
    expect(output).toEqual([expect.stringMatching(/^warning: db: region has a value that this release does not know/)]);
  });

  test("ignores internal properties", () => {
    const { context } = run();
    const internal = { __provider: "x", __resourceName: "y" };
    const checked = check(pipe, context("one"), "one", { ...inputs, ...internal }, { ...inputs, ...internal });
    expect(checked).toEqual({ inputs: { ...inputs, organizationId: ORGANIZATION }, reasons: [] });
    // A service without its own name whose old inputs are all internal is a new one.
    expect(check(service, context("db"), "db", internal, internal).inputs).toEqual({
      name: "db",
      organizationId: ORGANIZATION,
    });
  });
});

describe("diff", () => {
  const state = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3, [DECLARED]: ["numReplicas"] };
  const inputs = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3 };
  const unchanged = { changes: false, replaces: [], changed: [], isReleasing: false };

  test("refuses an object that another resource manages", async () => {
    const { context } = run();
    expect(await diff(serviceScaling, context("one"), ID, state, inputs)).toEqual(unchanged);
    const second = await diff(serviceScaling, context("two"), ID, state, inputs).catch((error) => error.message);
    expect(second).toBe(importedTwice(both(`scaling of service ${ID}`)));
  });

  test("claims a created service by its id, which is no argument", async () => {
    const { context } = run();
    const declared = { organizationId: ORGANIZATION, numReplicas: 3 };
    check(service, context("one"), "one", {}, declared);
    await diff(service, context("one"), ID, { ...declared, [DECLARED]: ["numReplicas"] }, declared);
    const { reasons } = check(serviceScaling, context("two"), "two", {}, inputs);
    expect(reasons.map(render)).toEqual([both(`numReplicas of ${ID}`)]);
  });

  test("a refresh before the program claims nothing from it", async () => {
    const { context } = run();
    await diff(serviceScaling, context("old"), ID, state, inputs);
    expect(check(serviceScaling, context("new"), "new", {}, inputs).reasons).toEqual([]);
    expect(await diff(serviceScaling, context("new"), ID, state, inputs)).toEqual(unchanged);
  });

  test("claims nothing for a replacement: the object of the state will be released", async () => {
    const { context, output } = run();
    const moved = { ...inputs, serviceId: OTHER };
    const replaced = { changes: undefined, replaces: ["serviceId"], changed: ["serviceId"], isReleasing: false };
    expect(await diff(serviceScaling, context("one"), ID, state, moved)).toEqual(replaced);
    expect(output).toEqual([expect.stringMatching(/^warning: Changing serviceId from .* to .* of scaling of service/)]);
    expect(await diff(serviceScaling, context("two"), ID, state, inputs)).toEqual(unchanged);
    // Nor is it refused for an object that another resource manages.
    expect(await diff(serviceScaling, context("one"), ID, state, moved)).toEqual(replaced);
  });

  test("finds a change of a value, of an uncertain state, and of a new mark", async () => {
    const { context } = run();
    const changes = async (old: Properties, news: Properties) =>
      (await diff(serviceScaling, context("one"), ID, old, news)).changes;
    expect(await changes(state, inputs)).toBe(false);
    expect(await changes(state, { ...inputs, numReplicas: 4 })).toBeUndefined();
    expect(await changes({ ...state, __uncertain: ["numReplicas"] }, inputs)).toBe(true);
    expect(await changes(state, { ...inputs, [SECRETS]: ["numReplicas"] })).toBe(true);
    expect(await changes({ ...state, [SECRETS]: ["numReplicas"] }, inputs)).toBe(false);
  });

  test("compares the argument that follows from the id, even if the state lacks it", async () => {
    const { context } = run();
    const created = { organizationId: ORGANIZATION, name: "db", [DECLARED]: ["name"] };
    const news = { organizationId: ORGANIZATION, name: "db", existingServiceId: OTHER };
    const replaced = {
      changes: undefined,
      replaces: ["existingServiceId"],
      changed: ["existingServiceId"],
      isReleasing: false,
    };
    expect(await diff(service, context("one"), ID, created, news)).toEqual(replaced);
    const adopted = { ...created, [DECLARED]: ["existingServiceId", "name"] };
    expect(await diff(service, context("one"), ID, adopted, news)).toEqual(replaced);
  });
});

describe("the plan", () => {
  const state = {
    organizationId: ORGANIZATION,
    name: "db",
    numReplicas: 3,
    endpoints: [{ protocol: "https", enabled: true }],
    serviceEndpoints: [{ protocol: "https", host: "db.example.com", port: 443 }],
    engineVersion: "1",
    createdAt: "2026-11-21T10:00:00Z",
    password: "p",
    [DECLARED]: ["endpoints", "name", "numReplicas"],
  };
  const inputs = { organizationId: ORGANIZATION, name: "db", numReplicas: 3, endpoints: state.endpoints };

  test("of a creation has the arguments, and no internal property", () => {
    const planned = planCreation(service, userArguments({ name: "db", numReplicas: 3, __internal: 1 }));
    expect(planned).toMatchObject({ name: "db", numReplicas: 3, serviceEndpoints: UNKNOWN, password: UNKNOWN });
    expect(planned).not.toHaveProperty("__internal");
  });

  test("of an update keeps the outputs that no changed argument can change", () => {
    expect(planUpdate(service, ID, state, { ...inputs, numReplicas: 4 })).toMatchObject({
      numReplicas: 4,
      serviceEndpoints: state.serviceEndpoints,
      createdAt: state.createdAt,
      password: "p",
      engineVersion: UNKNOWN,
    });
  });

  test.each<[string, Properties, Properties]>([
    ["its argument changes", {}, { endpoints: [{ protocol: "mysql", enabled: true }] }],
    ["its argument is no longer declared", {}, { endpoints: undefined }],
    ["a request that carried its argument has an unknown outcome", { __uncertain: ["endpoints"] }, {}],
    ["it is empty, as of a new service", { serviceEndpoints: [] }, { numReplicas: 4 }],
    ["an endpoint has no host yet", { serviceEndpoints: [{ protocol: "https", host: "" }] }, { numReplicas: 4 }],
    ["the state lacks it", { serviceEndpoints: undefined }, { numReplicas: 4 }],
  ])("of an update does not know an output if %s", (_, stored, declared) => {
    const planned = planUpdate(service, ID, { ...state, ...stored }, { ...inputs, ...declared });
    expect(planned.serviceEndpoints).toBe(UNKNOWN);
  });
});

test("a diff tells arguments that are not declared any more from changed ones", async () => {
  const { context, output } = run();
  const state = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3, idleScaling: true };
  const stored = { ...state, [DECLARED]: ["idleScaling", "numReplicas"] };
  const inputs = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 4 };
  const difference = await diff(serviceScaling, context("one"), ID, stored, inputs);
  expect(difference).toMatchObject({ changes: undefined, changed: ["numReplicas"], isReleasing: true });
  expect(output).toEqual([
    `info: The scaling of service ${ID} keeps what the program does not declare: idleScaling. [CDB5005]`,
  ]);
});

test("an output that a planned update keeps shows no former text of a marked argument in plain", () => {
  const state = { name: "alpha", iamRole: "arn:role/alpha", [DECLARED]: ["name"], [SECRETS]: ["name"] };
  const planned = planUpdate(service, ID, state, { name: "beta", [SECRETS]: ["name"] });
  expect(planned.iamRole).toEqual(asSecret("arn:role/alpha"));
});

test("messages show no marked id", async () => {
  const { context, output, redacted } = run();
  const marks = { [SECRETS]: ["serviceId"] };
  const state = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3, [DECLARED]: ["numReplicas"], ...marks };
  const inputs = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3, ...marks };
  await diff(serviceScaling, context("one"), ID, state, inputs);
  const failure = await diff(serviceScaling, context("two"), ID, state, inputs).catch(redacted);
  expect(failure).toMatchObject({ message: importedTwice(both("scaling of service [secret]")) });
  expect(output).toEqual([]);
});
