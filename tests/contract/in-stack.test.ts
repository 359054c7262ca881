import { organization as organizationKind } from "../../provider/resources/organization/lifecycle";
import { service as serviceKind } from "../../provider/resources/service/lifecycle";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import { type Steered, steered } from "../support/api";
import { checkedBy, handlersOf, type Properties } from "./support";

/** What holds for a service that is in the stack, however it came there; and values that no release knows yet. */

let simulator: RunningSimulator;
let api: Steered;
beforeAll(async () => {
  simulator = await startSimulator({ organization: { tier: "ENTERPRISE" } });
  api = steered(simulator);
});
afterAll(() => simulator.close());
beforeEach(() => api.reset());

const handlersFor = (environment: Record<string, string> = {}) => handlersOf(serviceKind, simulator, environment);

async function created(args: Properties, handlers = handlersFor()) {
  const inputs = await checkedBy(handlers, "x", args);
  const { id, outs = {} } = await handlers.create(inputs);
  await api.requests();
  return { handlers, id, outs, inputs };
}

async function reasons(handlers: ReturnType<typeof handlersOf>, olds: Properties, args: Properties) {
  const { failures = [] } = await handlers.check(olds, { __resourceName: "db", ...args });
  expect(failures.every(({ property }) => property === "")).toBe(true);
  return failures.map(({ reason }) => reason);
}

describe("the rules of a creation", () => {
  const small = { dataWarehouseId: undefined, numReplicas: 1 };

  test("hold for a creation alone", async () => {
    const handlers = handlersFor({ CLOUDDB_ORGANIZATION_TIER: "SCALE" });
    expect(await reasons(handlers, {}, small)).toEqual([
      expect.stringMatching(/^numReplicas 1 is invalid: must be at least 2/),
    ]);
    const adopted = { ...small, existingServiceId: simulator.organizationId };
    expect(await reasons(handlers, {}, adopted)).toEqual([]);
    expect(await reasons(handlers, { ...adopted, organizationId: "x" }, small)).toEqual([]);
  });

  test("leave an adopted service of an own cloud its sizes, and those in the stack their tier", async () => {
    const handlers = handlersFor({ CLOUDDB_ORGANIZATION_TIER: "SCALE" });
    expect(await reasons(handlers, {}, { byocId: "b" })).toHaveLength(2);
    expect(await reasons(handlers, {}, { byocId: "b", existingServiceId: simulator.organizationId })).toEqual([]);
    expect(await reasons(handlers, { profile: "v1-default" }, { profile: "v1-default" })).toEqual([]);
  });

  test("are not what keeps an update from being checked", async () => {
    const reason = "numReplicas 0 is invalid: must be an integer from 1 to 20.";
    expect(await reasons(handlersFor(), { numReplicas: 2 }, { numReplicas: 0 })).toEqual([reason]);
  });
});

describe("an endpoint", () => {
  const mysql = (enabled: boolean) => ({ endpoints: [{ protocol: "mysql", enabled }] });

  test.each([
    ["enabled already", "mysql", true],
    ["disabled already", "https", false],
  ])("that is %s is declared without a request", async (_, protocol, enabled) => {
    const { handlers, id, outs } = await created({});
    const wanted = await checkedBy(handlers, "x", { endpoints: [{ protocol, enabled }] });
    const { outs: after } = await handlers.update(id, outs, wanted);
    expect(await api.requests()).toEqual([]);
    expect(after).toMatchObject({ endpoints: [{ protocol, enabled }], serviceEndpoints: outs.serviceEndpoints });
  });

  test("that others have disabled, so that none is left, is enabled again", async () => {
    const { handlers, id, outs } = await created({});
    await api.faults({ method: "GET", effect: { kind: "answer", result: { endpoints: null } } });
    const { props } = await handlers.read(id, outs);
    await api.faults();
    await api.requests();
    await handlers.update(id, props as Properties, await checkedBy(handlers, "x", mysql(true)));
    expect(await api.requests()).toMatchObject([{ body: mysql(true) }]);
  });

  test("that is to be disabled is sent, and its address goes", async () => {
    const { handlers, id, outs } = await created({});
    const { outs: after } = await handlers.update(id, outs, await checkedBy(handlers, "x", mysql(false)));
    expect(await api.requests()).toMatchObject([{ body: { endpoints: [{ protocol: "mysql", enabled: false }] } }]);
    expect(after).toMatchObject({ ...mysql(false), serviceEndpoints: [] });
  });
});

describe("a service that is gone", () => {
  const missing = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
  const gone = (outs: Properties) => ({ ...outs, organizationId: simulator.organizationId });

  test("is said to have a password in the history only where it had one in the stack", async () => {
    const { handlers, outs } = await created({});
    await handlers.read(missing, gone(outs));
    const { password: _, ...adopted } = outs;
    await handlers.read(missing, gone(adopted));
    expect(handlers.said[0]).toMatch(/^Service .* leaves the stack\. The stack's history still holds its password/);
    expect(handlers.said[1]).toMatch(/^Service .* does not exist any more and leaves the stack\.$/);
  });

  test("was never in the stack where the program only reads it", async () => {
    const handlers = handlersFor();
    expect(await handlers.read(missing, gone({}))).toEqual({});
    expect(handlers.said).toEqual([`Service ${missing} of organization ${simulator.organizationId} does not exist.`]);
  });
});

describe("a value that no release knows yet", () => {
  const tomorrow = { region: "eu-south-9", tier: "titanic" };

  test("is refused with the way out, and never repeated", async () => {
    expect(await reasons(handlersFor(), {}, tomorrow)).toEqual([
      expect.stringMatching(
        /^region is invalid: must be one of ap-northeast-1, .*; for a value that is newer than this release, add region to clouddb:allowUnlisted \(CLOUDDB_ALLOW_UNLISTED\)\.$/,
      ),
      expect.stringMatching(/^tier is invalid: must be one of development, /),
    ]);
  });

  test.each(["region, tier", '["region","tier"]'])("passes with a warning where allowUnlisted is %s", async (names) => {
    const handlers = handlersFor({ CLOUDDB_ALLOW_UNLISTED: names });
    const { inputs, failures } = await handlers.check({}, { __resourceName: "db", ...tomorrow, numReplicas: 21 });
    expect(failures?.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^numReplicas 21/)]);
    expect(inputs).toMatchObject(tomorrow);
    expect(handlers.said).toEqual([
      "db: region has a value that this release does not know; it is sent unchanged because clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED) includes region.",
      expect.stringMatching(/^db: tier has a value that this release does not know/),
    ]);
  });

  test("is still a text", async () => {
    const handlers = handlersFor({ CLOUDDB_ALLOW_UNLISTED: "region" });
    expect(await reasons(handlers, {}, { region: 7 })).toHaveLength(1);
    expect(await reasons(handlers, {}, { region: "" })).toHaveLength(1);
  });
});

test("white space at the edges of a name or a description is refused: a server that trims would differ for ever", async () => {
  const handlers = handlersFor();
  for (const name of [" db", "db ", "db\n"]) expect(await reasons(handlers, {}, { name })).toHaveLength(1);
  expect(await reasons(handlers, {}, { ipAccessList: [{ source: "10.0.0.1", description: "office " }] })).toEqual([
    "ipAccessList[0].description is invalid: must not start or end with whitespace.",
  ]);
  const organization = handlersOf(organizationKind, simulator);
  expect(await reasons(organization, {}, { name: "acme " })).toHaveLength(1);
  expect(await reasons(organization, {}, { privateEndpoints: [{ id: "a", description: "\t" }] })).toHaveLength(1);
});

test("an address with a zone is not a network", async () => {
  expect(await reasons(handlersFor(), {}, { ipAccessList: [{ source: "fe80::1%eth0" }] })).toHaveLength(1);
});

test("a replacement is announced with values that may be shown, and without those that may not", async () => {
  const { handlers, id, outs } = await created({ region: "us-east-1", encryptionAssumedRoleIdentifier: "one" });
  const wanted = { region: "eu-west-1", encryptionAssumedRoleIdentifier: "two" };
  await handlers.diff(id, outs, await checkedBy(handlers, "x", wanted));
  expect(handlers.said).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Changing region from "us-east-1" to "eu-west-1" and encryptionAssumedRoleIdentifier of service ${id} requires a new service, and this one`,
      ),
    ),
  ]);
});
