import { useServices } from "./simulators";
import { answer, create, createHandlers, type Handlers, once, type Properties } from "./support";

/**
 * Rules for a service in the stack, created or adopted; and values that this release does not know
 * yet.
 */

const setup = useServices();

async function reasons(olds: Properties, args: Properties, handlers: Handlers = setup.handlers) {
  const { failures = [] } = await handlers.check(olds, args);
  expect(failures.every(({ property }) => property === "")).toBe(true);
  return failures.map(({ reason }) => reason);
}

test("rules of a creation apply only to a creation", async () => {
  setup.restartWith({ CLOUDDB_ORGANIZATION_TIER: "SCALE" });
  const existingServiceId = setup.api.organizationId;
  expect(await reasons({}, { numReplicas: 1 })).toEqual([
    expect.stringMatching(/^numReplicas 1 is invalid: must be at least 2/),
  ]);
  expect(await reasons({}, { byocId: "b" })).toHaveLength(2);
  expect(await reasons({}, { numReplicas: 1, byocId: "b", existingServiceId })).toEqual([]);
  expect(await reasons({ existingServiceId, numReplicas: 1 }, { numReplicas: 1 })).toEqual([]);
  expect(await reasons({ profile: "v1-default" }, { profile: "v1-default" })).toEqual([]);
  // The rules of an update still apply.
  expect(await reasons({ numReplicas: 2 }, { numReplicas: 0 })).toEqual([
    "numReplicas 0 is invalid: must be an integer from 1 to 20. [CDB1003]",
  ]);
});

describe("an endpoint", () => {
  test.each([
    ["already enabled", "mysql", true],
    ["already disabled", "https", false],
  ])("an endpoint that is %s needs no request", async (_, protocol, enabled) => {
    const db = await setup.createService({});
    const { serviceEndpoints } = db.outs;
    const updated = await db.update({ endpoints: [{ protocol, enabled }] });
    expect(await setup.sent()).toEqual([]);
    expect(updated.outs).toMatchObject({ endpoints: [{ protocol, enabled }], serviceEndpoints });
  });

  test("an endpoint that others have disabled, the only one, is enabled again", async () => {
    const db = await setup.createService({});
    await setup.api.faults(once(answer("GET", { endpoints: null })));
    const refreshed = await db.refresh();
    await setup.sent();
    const enabled = { endpoints: [{ protocol: "mysql", enabled: true }] };
    await refreshed.update(enabled);
    expect(await setup.sent()).toEqual([["PATCH /services/{id}", enabled]]);
  });
});

describe("a service that is gone", () => {
  const missing = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

  test("the message about a missing service mentions the password in the stack's history, if any", async () => {
    const { outs } = await setup.createService({});
    expect(await setup.handlers.read(missing, outs)).toEqual({});
    const { password: _, ...adopted } = outs;
    await setup.handlers.read(missing, adopted);
    const encrypted = { encryptedPassword: "Y2lwaGVy", passwordKeyFingerprint: "3f:0c" };
    await setup.handlers.read(missing, { ...adopted, ...encrypted });
    expect(setup.messages).toEqual([
      expect.stringMatching(
        /^Service 3f0c1d9e.*"db".* is removed from state\. The history of the stack still holds its password/,
      ),
      expect.stringMatching(
        /^Service .* no longer exists and is removed from state\. \[CDB5006\]$/,
      ),
      expect.stringMatching(
        /history of the stack still holds its password, encrypted with the key 3f:0c: `/,
      ),
    ]);
  });

  test("a service that is gone is reported as missing if the program only reads it", async () => {
    const { organizationId } = setup.api;
    expect(await setup.handlers.read(missing, { organizationId })).toEqual({});
    expect(setup.messages).toEqual([
      `Service ${missing} of organization ${organizationId} does not exist. [CDB5006]`,
    ]);
  });
});

test("allowUnlisted accepts unknown values of an argument with a warning", async () => {
  setup.restartWith({ CLOUDDB_ALLOW_UNLISTED: "region, releaseChannel" });
  const tomorrow = { region: "eu-south-9", releaseChannel: "glacial" };
  const { inputs, failures } = await setup.handlers.check({}, { ...tomorrow, numReplicas: 21 });
  expect(failures.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^numReplicas 21/)]);
  expect(inputs).toMatchObject(tomorrow);
  expect(setup.handlers.messages).toEqual([
    "db: region has a value that this release does not know; it is sent unchanged because clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED) includes region. [CDB1004]",
    expect.stringMatching(/^db: releaseChannel has a value that this release does not know/),
  ]);
  // It must still be a non-empty string.
  for (const region of [7, ""]) expect(await reasons({}, { region })).toHaveLength(1);
});

test("allowUnlisted accepts a name with hyphens with a warning, within the other bounds", async () => {
  setup.restartWith({ CLOUDDB_ALLOW_UNLISTED: "name" });
  expect(await reasons({}, { name: "prod-analytics" })).toEqual([]);
  expect(setup.handlers.messages).toEqual([
    expect.stringMatching(/^db: name has a value that this release does not know; it is sent/),
  ]);
  for (const name of [" prod-db", "x-".repeat(26), "", 7])
    expect(await reasons({}, { name })).not.toEqual([]);
});

// A server that trims them would cause a perpetual diff.
test("white space at the ends of names and descriptions is rejected", async () => {
  for (const name of [" db", "db ", "db\n"]) expect(await reasons({}, { name })).toHaveLength(1);
  expect(
    await reasons({}, { ipAccessList: [{ source: "10.0.0.1", description: "office " }] }),
  ).toEqual([
    'ipAccessList[0].description "office " is invalid: must not start or end with whitespace. [CDB1003]',
  ]);
  const organization = createHandlers("Organization", setup.api);
  expect(await reasons({}, { name: "acme " }, organization)).toHaveLength(1);
  expect(
    await reasons({}, { privateEndpoints: [{ id: "a", description: "\t" }] }, organization),
  ).toHaveLength(1);
});

test("a preview announces a replacement with what to do, and with its values unless secret", async () => {
  const db = await setup.createService({
    region: "us-east-1",
    encryptionKey: "first-key",
    encryptionAssumedRoleIdentifier: "one",
  });
  const wanted = {
    region: "eu-west-1",
    encryptionKey: "second-key",
    encryptionAssumedRoleIdentifier: "two",
  };
  expect(await db.diff(wanted)).toMatchObject({
    replaces: expect.arrayContaining(Object.keys(wanted)),
    deleteBeforeReplace: true,
  });
  expect(setup.messages).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Changing region from "us-east-1" to "eu-west-1" and encryptionKey and encryptionAssumedRoleIdentifier from "one" to "two" of service ${db.id} requires a new, empty service, .*retainOnDelete.*keeps running and costing money: save the password first`,
      ),
    ),
  ]);
});

test("another existingServiceId adopts that service and creates nothing", async () => {
  const [{ id }, { id: other }] = [
    await setup.createService({}),
    await setup.createService({ name: "other" }),
  ];
  const adopted = await create(setup.handlers, { existingServiceId: id });
  setup.messages.length = 0;
  await adopted.diff({ existingServiceId: other });
  expect(setup.messages).toEqual([
    expect.stringMatching(
      `^Changing existingServiceId from "${id}" to "${other}" of service ${id} makes the stack release this service and adopt the other; nothing is created .*\\[CDB5003\\]$`,
    ),
  ]);
});

test("the preview of another organization advises to correct a typing error, and names the replacement", async () => {
  const db = await setup.createService({});
  const organizationId = "00000000-0000-4000-8000-000000000001";
  await db.diff({ organizationId });
  expect(setup.messages).toEqual([
    expect.stringMatching(
      `^If the new organizationId is a typing error, correct it. Changing organizationId from "${db.inputs.organizationId}" to "${organizationId}" of service ${db.id} requires a new, empty service`,
    ),
  ]);
});
