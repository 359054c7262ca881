import { organization as organizationType } from "../../provider/resources/organization/organization";
import { service as serviceType } from "../../provider/resources/service/service";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import { createTestApi, type TestApi } from "../support/api";
import { checkInputs, createHandlers, type Properties } from "./support";

/** Rules for a service in the stack, created or adopted; and values that this release does not know yet. */

let simulator: RunningSimulator;
let api: TestApi;
beforeAll(async () => {
  simulator = await startSimulator({ organization: { tier: "ENTERPRISE" } });
  api = createTestApi(simulator);
});
afterAll(() => simulator.close());
beforeEach(() => api.reset());

const handlersFor = (environment: Record<string, string> = {}) => createHandlers(serviceType, simulator, environment);

async function createService(args: Properties, handlers = handlersFor()) {
  const inputs = await checkInputs(handlers, args);
  const { id, outs = {} } = await handlers.create(inputs);
  await api.requests();
  return { handlers, id, outs, inputs };
}

async function reasons(handlers: ReturnType<typeof createHandlers>, olds: Properties, args: Properties) {
  const { failures = [] } = await handlers.check(olds, args);
  expect(failures.every(({ property }) => property === "")).toBe(true);
  return failures.map(({ reason }) => reason);
}

describe("the rules of a creation", () => {
  const small = { numReplicas: 1 };

  test("apply only to a creation", async () => {
    const handlers = handlersFor({ CLOUDDB_ORGANIZATION_TIER: "SCALE" });
    expect(await reasons(handlers, {}, small)).toEqual([
      expect.stringMatching(/^numReplicas 1 is invalid: must be at least 2/),
    ]);
    const adopted = { ...small, existingServiceId: simulator.organizationId };
    expect(await reasons(handlers, {}, adopted)).toEqual([]);
    expect(await reasons(handlers, { ...adopted, organizationId: "x" }, small)).toEqual([]);
  });

  test("do not restrict the sizes of an adopted service, or the tier of one in the stack", async () => {
    const handlers = handlersFor({ CLOUDDB_ORGANIZATION_TIER: "SCALE" });
    expect(await reasons(handlers, {}, { byocId: "b" })).toHaveLength(2);
    expect(await reasons(handlers, {}, { byocId: "b", existingServiceId: simulator.organizationId })).toEqual([]);
    expect(await reasons(handlers, { profile: "v1-default" }, { profile: "v1-default" })).toEqual([]);
  });

  test("do not replace the checks of an update", async () => {
    const reason = "numReplicas 0 is invalid: must be an integer from 1 to 20. [CDB1003]";
    expect(await reasons(handlersFor(), { numReplicas: 2 }, { numReplicas: 0 })).toEqual([reason]);
  });
});

describe("an endpoint", () => {
  const mysql = (enabled: boolean) => ({ endpoints: [{ protocol: "mysql", enabled }] });

  test.each([
    ["already enabled", "mysql", true],
    ["already disabled", "https", false],
  ])("that is %s needs no request", async (_, protocol, enabled) => {
    const { handlers, id, outs } = await createService({});
    const wanted = await checkInputs(handlers, { endpoints: [{ protocol, enabled }] });
    const { outs: after } = await handlers.update(id, outs, wanted);
    expect(await api.requests()).toEqual([]);
    expect(after).toMatchObject({ endpoints: [{ protocol, enabled }], serviceEndpoints: outs.serviceEndpoints });
  });

  test("that others have disabled, leaving none, is enabled again", async () => {
    const { handlers, id, outs } = await createService({});
    await api.faults({ method: "GET", effect: { kind: "answer", result: { endpoints: null } } });
    const { props } = await handlers.read(id, outs);
    await api.faults();
    await api.requests();
    await handlers.update(id, props as Properties, await checkInputs(handlers, mysql(true)));
    expect(await api.requests()).toMatchObject([{ body: mysql(true) }]);
  });

  test("is disabled by one request, and its address disappears", async () => {
    const { handlers, id, outs } = await createService({});
    const { outs: after } = await handlers.update(id, outs, await checkInputs(handlers, mysql(false)));
    expect(await api.requests()).toMatchObject([{ body: { endpoints: [{ protocol: "mysql", enabled: false }] } }]);
    expect(after).toMatchObject({ ...mysql(false), serviceEndpoints: [] });
  });
});

describe("a service that is gone", () => {
  const missing = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
  const absent = (outs: Properties) => ({ ...outs, organizationId: simulator.organizationId });

  test("has its password in the history only if it was in the stack", async () => {
    const { handlers, outs } = await createService({});
    await handlers.read(missing, absent(outs));
    const { password: _, ...adopted } = outs;
    await handlers.read(missing, absent(adopted));
    expect(handlers.messages[0]).toMatch(
      /^Service .* is removed from state\. The stack's history still holds its password/,
    );
    expect(handlers.messages[1]).toMatch(/^Service .* no longer exists and is removed from state\. \[CDB5006\]$/);
  });

  test("is reported as missing if the program only reads it", async () => {
    const handlers = handlersFor();
    expect(await handlers.read(missing, absent({}))).toEqual({});
    expect(handlers.messages).toEqual([
      `Service ${missing} of organization ${simulator.organizationId} does not exist. [CDB5006]`,
    ]);
  });
});

describe("a value that this release does not know yet", () => {
  const tomorrow = { region: "eu-south-9", releaseChannel: "glacial" };

  test("is rejected with a hint, and never repeated", async () => {
    expect(await reasons(handlersFor(), {}, tomorrow)).toEqual([
      expect.stringMatching(
        /^region is invalid: must be one of ap-northeast-1, .*; for a value that is newer than this release, add region to clouddb:allowUnlisted \(CLOUDDB_ALLOW_UNLISTED\)\. \[CDB1004\]$/,
      ),
      expect.stringMatching(/^releaseChannel is invalid: must be one of /),
    ]);
  });

  test.each(["region, releaseChannel", '["region","releaseChannel"]'])(
    "is accepted with a warning if allowUnlisted is %s",
    async (names) => {
      const handlers = handlersFor({ CLOUDDB_ALLOW_UNLISTED: names });
      const { inputs, failures } = await handlers.check({}, { ...tomorrow, numReplicas: 21 });
      expect(failures?.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^numReplicas 21/)]);
      expect(inputs).toMatchObject(tomorrow);
      expect(handlers.messages).toEqual([
        "db: region has a value that this release does not know; it is sent unchanged because clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED) includes region. [CDB1004]",
        expect.stringMatching(/^db: releaseChannel has a value that this release does not know/),
      ]);
    },
  );

  test("must still be a non-empty string", async () => {
    const handlers = handlersFor({ CLOUDDB_ALLOW_UNLISTED: "region" });
    expect(await reasons(handlers, {}, { region: 7 })).toHaveLength(1);
    expect(await reasons(handlers, {}, { region: "" })).toHaveLength(1);
  });
});

test("leading and trailing white space in names and descriptions is rejected, since a trimming server would cause a perpetual diff", async () => {
  const handlers = handlersFor();
  for (const name of [" db", "db ", "db\n"]) expect(await reasons(handlers, {}, { name })).toHaveLength(1);
  expect(await reasons(handlers, {}, { ipAccessList: [{ source: "10.0.0.1", description: "office " }] })).toEqual([
    "ipAccessList[0].description is invalid: must not start or end with whitespace. [CDB1003]",
  ]);
  const organization = createHandlers(organizationType, simulator);
  expect(await reasons(organization, {}, { name: "acme " })).toHaveLength(1);
  expect(await reasons(organization, {}, { privateEndpoints: [{ id: "a", description: "\t" }] })).toHaveLength(1);
});

test("an address with a zone is rejected", async () => {
  expect(await reasons(handlersFor(), {}, { ipAccessList: [{ source: "fe80::1%eth0" }] })).toHaveLength(1);
});

test("a replacement is announced with its values, except those that may be secret", async () => {
  const { handlers, id, outs } = await createService({ region: "us-east-1", encryptionAssumedRoleIdentifier: "one" });
  const wanted = { region: "eu-west-1", encryptionAssumedRoleIdentifier: "two" };
  await handlers.diff(id, outs, await checkInputs(handlers, wanted));
  expect(handlers.messages).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Changing region from "us-east-1" to "eu-west-1" and encryptionAssumedRoleIdentifier of service ${id} requires a new service, and this one`,
      ),
    ),
  ]);
});
