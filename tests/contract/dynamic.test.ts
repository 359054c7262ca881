import { type Message, render } from "../../provider/errors";
import { createDynamicRuntime } from "../../provider/hosts/dynamic";
import { entryText } from "../../provider/names";
import { resources } from "../../provider/resources";
import { service as serviceType } from "../../provider/resources/service/service";
import type { Properties } from "../support/adapters/handlers";
import { plain, secret } from "../support/adapters/values";
import { environmentOf } from "../support/api";
import { EXAMPLE } from "../support/example";
import { temporaryFolder } from "../support/temporary-folder";
import { recordsIn } from "./journal-setup";
import { useSeededSimulator } from "./simulators";
import { type Failure, failureOf, fakeClock, type ResourceType } from "./support";

/** Behavior of the adapter to Pulumi's dynamic provider alone. */

const seeded = useSeededSimulator();
const __provider = entryText("Service");
const __urn = "urn:pulumi:dev::test::type::db";
const withoutJournal = () => ({ ...environmentOf(seeded.api), CLOUDDB_JOURNAL: "off" });

/** A process of the adapter. */
const start = (
  environment: Record<string, string> = withoutJournal(),
  log: (line: Message) => void = () => {},
) => createDynamicRuntime({ environment, clock: fakeClock(), random: () => 1, log });
const service = (...host: Parameters<typeof start>) => start(...host).providerFor(serviceType);

/** The inputs of a service that a class declares, as the engine passes them to later operations. */
async function checked(args: Properties, { check } = service()) {
  const { inputs } = await check({}, { __provider, __urn, __resourceName: "db", ...args });
  return { ...plain(inputs as Properties), __provider };
}

async function created(args: Properties, process = service()) {
  const inputs = await checked(args, process);
  const { id, outs } = await process.create(inputs);
  return { inputs, id, outs: outs as Properties, state: plain(outs as Properties) };
}

function expectNoTrace(failure: Failure): void {
  // The engine prints the stack.
  expect(failure.stack).toBe(failure.message);
}

describe("a state of the native plugin", () => {
  const args = { __provider, __urn, name: "db" };

  test("a state without a URN is unchanged after a refresh, and an update adds the URN", async () => {
    const { id, outs } = await created(args);
    const { __urn: _, ...state } = outs;
    const { inputs: refreshed = {} } = await service().read(id, state);
    expect(refreshed).not.toHaveProperty("__urn");
    const { inputs: next } = await service().check(refreshed, args);
    expect((await service().diff(id, state, { ...next, __provider })).changes).toBe(false);
    const updated = await service().update(id, state, { ...next, name: "renamed", __provider });
    expect((await service().read(id, updated.outs as Properties)).inputs).toMatchObject({ __urn });
  });

  test("a state without a URN is compared in a refresh, and the program still owns the service", async () => {
    const { id, inputs, outs } = await created(args);
    const { __urn: _, ...state } = outs;
    const { __urn: __, ...stored } = inputs as Properties;
    // All operations are of one process, as in `pulumi up --refresh`.
    const { read, diff, check } = service();
    const { props } = await read(id, state);
    await diff(id, props as Properties, stored);
    const { inputs: next, failures } = await check(stored, args);
    expect(failures).toEqual([]);
    expect((await diff(id, props as Properties, { ...next, __provider })).changes).toBe(false);
  });
});

describe("a property that the class marks as secret", () => {
  const endpoint = "vpce-0a1b2c3d4e5f60001";
  const args = {
    __secrets: ["privateEndpointIds[]", "encryptionKey"],
    privateEndpointIds: [endpoint],
    encryptionKey: "key",
  };

  test("a marked property is stored with its mark under each of its names", async () => {
    const { id, inputs, outs, state } = await created(args);
    expect(inputs).toMatchObject({
      __secrets: ["privateEndpointIds"],
      privateEndpointIds: [endpoint],
    });
    // The engine itself marks the outputs of marked inputs.
    const marked = {
      privateEndpointIds: [endpoint],
      availablePrivateEndpointIds: secret(expect.anything()),
    };
    expect(outs).toMatchObject({ ...marked, __secrets: ["privateEndpointIds"] });
    expect(await service().read(id, state)).toMatchObject({
      props: marked,
      inputs: { __secrets: ["privateEndpointIds"] },
    });
    expect((await service().update(id, state, { ...inputs, name: "renamed" })).outs).toMatchObject(
      marked,
    );
    // A newly marked argument is a change, even if no value differs.
    const { __secrets, ...unmarked } = state;
    const changes = async (stored: Properties) =>
      (await service().diff(id, stored, inputs)).changes;
    expect([await changes(unmarked), await changes(state)]).toEqual([true, false]);
  });

  test("a marked list is not shown when others have added to it", async () => {
    const lines: string[] = [];
    const process = service(withoutJournal(), (line) => lines.push(render(line)));
    const declared = { ipAccessList: [{ source: "203.0.113.0/24" }], __secrets: ["ipAccessList"] };
    const { id, inputs, state } = await created(declared, process);
    await seeded.api.change("PATCH", `/${id}`, {
      ipAccessList: { add: [{ source: "192.0.2.1" }] },
    });
    await process.update(id, state, { ...inputs, numReplicas: 4 });
    expect(lines).toEqual([
      expect.stringMatching(/^ipAccessList of service .* has 1 entry that the program/),
    ]);
  });

  test("a marked property is in no record of the creation journal", async () => {
    const CLOUDDB_JOURNAL = temporaryFolder("journal");
    const place = { CLOUDDB_JOURNAL, PULUMI_BACKEND_URL: "file:///states" };
    await created(
      { name: "canary", __secrets: ["name"] },
      service({ ...environmentOf(seeded.api), ...place }),
    );
    const records = recordsIn(CLOUDDB_JOURNAL).map(({ text }) => text);
    expect(records).toEqual([expect.not.stringContaining("canary")]);
  });

  test("a partial failure marks properties, and stores the runtime's name for the engine", async () => {
    const inputs = await checked(args);
    await seeded.api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
    const failure = await failureOf(service().create(inputs));
    const marked = { availablePrivateEndpointIds: secret(expect.arrayContaining([endpoint])) };
    expect(failure).toMatchObject({
      id: expect.any(String),
      properties: { ...marked, __provider, name: "db" },
    });
    expectNoTrace(failure);
  });
});

test("a second resource of any type for the same object is refused in the check", async () => {
  const { providerFor } = start();
  const check = async (type: ResourceType, name: string, args: Properties) => {
    const internal = {
      __provider: entryText(type),
      __urn: `urn:pulumi:dev::test::type::${name}`,
      __resourceName: name,
    };
    const { failures = [] } = await providerFor(resources[type].definition).check(
      {},
      { ...internal, ...args },
    );
    return failures.map(({ reason }) => reason);
  };
  const [service] = await seeded.api.services();
  expect(await check("Service", "one", { existingServiceId: service?.id, numReplicas: 3 })).toEqual(
    [],
  );
  expect(await check("ServiceScaling", "two", { serviceId: service?.id, numReplicas: 3 })).toEqual([
    `"one" and "two" both manage numReplicas of ${service?.id}, and each would undo the other's changes: keep only one of them. [CDB4009]`,
  ]);
});

test("no error has a stack trace", async () => {
  expectNoTrace(await failureOf(service({}).create({ __provider })));
  expectNoTrace(await failureOf(service({}).read("id", { __provider })));
});

test("an unexpected error in check or diff is one redacted sentence", async () => {
  const environment = { ...withoutJournal(), CLOUDDB_ALLOW_UNLISTED: "region" };
  const log = () => {
    throw new Error(`broken ${seeded.api.keySecret}`);
  };
  const { check, diff } = service(environment, log);
  const { id, inputs, state } = await created({ region: "us-east-1" });
  for (const operation of [
    check({}, { __provider, __resourceName: "db", region: "moon-1" }),
    diff(id, state, { ...inputs, region: "eu-west-1" }),
  ]) {
    const failure = await failureOf(operation);
    expect(failure.message).toMatch(/^unexpected error: Error: broken \[secret\] \[CDB9004\]$/);
    expectNoTrace(failure);
  }
});

test("the default provider is refused for a new resource if the stack's configuration excludes it", async () => {
  const __urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/clouddb:Service::db";
  const configured = async (configuration: Record<string, string>) => {
    const provider = service(withoutJournal());
    await provider.configure({ config: { get: (key: string) => configuration[key] } as never });
    return provider;
  };
  const excluding = await configured({ "pulumi:disable-default-providers": '["clouddb"]' });
  const problem =
    'Service "db" has no provider, and pulumi:disable-default-providers excludes the default one: pass a clouddb.Provider to it or to its parent. [CDB2010]';
  const news = { __provider, __urn, __resourceName: "db" };
  expect((await excluding.check({}, news)).failures).toEqual([{ property: "", reason: problem }]);
  const read = excluding.read(EXAMPLE.service, { __provider, __urn });
  expect((await failureOf(read)).message).toBe(problem);
  // The program's arguments, or a setting for other packages.
  for (const configuration of [{}, { "pulumi:disable-default-providers": '["aws"]' }])
    expect((await (await configured(configuration)).check({}, news)).failures).toEqual([]);
});

test("a refused key is named by its source, with advice for that source", async () => {
  const { CLOUDDB_KEY_ID, CLOUDDB_KEY_SECRET, ...others } = environmentOf(seeded.api);
  const [id] = (await seeded.api.services()).map(({ id }) => String(id));
  const read = async (
    environment: Record<string, string>,
    configuration: Record<string, string>,
  ) => {
    const provider = service(environment);
    await provider.configure({ config: { get: (key: string) => configuration[key] } as never });
    return (await failureOf(provider.read(String(id), { __provider, __declared: [] }))).message;
  };

  const ofEnvironment = await read({ ...others, CLOUDDB_KEY_ID, CLOUDDB_KEY_SECRET: "wrong" }, {});
  expect(ofEnvironment).toMatch(
    / Check CLOUDDB_KEY_ID and CLOUDDB_KEY_SECRET in the environment\. \[CDB3401\]$/,
  );

  const wrong = { "clouddb:keySecret": "wrong" };
  const stored = { "clouddb:keyId": CLOUDDB_KEY_ID, ...wrong };
  const place = "in the stack's configuration or the provider's arguments";
  const advice = "`pulumi refresh` and `pulumi destroy` use the keys of the last `pulumi up`";
  const ofStack = await read({ ...others, CLOUDDB_KEY_ID: "other" }, stored);
  expect(ofStack).toContain(` Check clouddb:keyId and clouddb:keySecret ${place}. ${advice}`);
  const ofBoth = await read({ ...others, CLOUDDB_KEY_ID }, wrong);
  expect(ofBoth).toContain(
    ` Check clouddb:keySecret ${place}, and CLOUDDB_KEY_ID in the environment. ${advice}`,
  );
});
