import { render } from "../../errors";
import { asSecret, DECLARED, type Properties, UNKNOWN } from "../../fields";
import { createCodec } from "../../hosts/codec";
import { SECRETS } from "../../names";
import { service } from "../../resources/service/service";
import { serviceScaling } from "../../resources/service-scaling/service-scaling";
import { createSession, type Session } from "../session/session";
import * as checks from "./check";
import * as creations from "./create";
import * as diffs from "./diff";
import * as previews from "./preview";
import * as reads from "./read-object";
import * as releases from "./release";
import type { Context, Resource } from "./resource";
import * as updates from "./updates";

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const [ID, OTHER] = [1, 2].map((digit) => `a1b2c3d4-000${digit}-4a53-9c1e-000000000001`) as [
  string,
  string,
];

type TestContext = Context & Pick<Session, "addSecretsOf">;

/** The operations as an adapter runs them. */
const codecOf = (resource: Resource, context: TestContext) =>
  createCodec(context, resource, { acceptsSecrets: false, stateMembers: {} });
function check(
  resource: Resource,
  context: TestContext,
  name: string,
  oldInputs: Properties,
  inputs: Properties,
) {
  const request = codecOf(resource, context).decodeCheck(name, { properties: inputs }, oldInputs);
  return checks.check(resource, context, request);
}
function diff(
  resource: Resource,
  context: TestContext,
  id: string,
  state: Properties,
  inputs: Properties,
) {
  const codec = codecOf(resource, context);
  return diffs.diff(resource, context, {
    ...codec.decodeObject(id, state),
    inputs: codec.decodeInputs({ properties: inputs }),
    isUnchanged: false,
  });
}
function create(resource: Resource, context: TestContext, inputs: Properties) {
  const codec = codecOf(resource, context);
  const decoded = codec.decodeInputs({ properties: inputs });
  return creations.create(resource, codec.contextFor(context), decoded);
}
async function update(
  resource: Resource,
  context: TestContext,
  id: string,
  state: Properties,
  inputs: Properties,
) {
  const codec = codecOf(resource, context);
  const [object, decoded] = [
    codec.decodeObject(id, state),
    codec.decodeInputs({ properties: inputs }),
  ];
  const updating = updates.update(resource, context, object, decoded);
  return (await codec.encodeResult(updating, decoded, object.state)).state;
}
function planUpdate(resource: Resource, id: string, state: Properties, inputs: Properties) {
  const codec = codecOf(resource, run().context("db"));
  const [object, decoded] = [
    codec.decodeObject(id, state),
    codec.decodeInputs({ properties: inputs }),
  ];
  return codec.encodeState(previews.planUpdate(resource, object, decoded), object.state);
}
const read = (resource: Resource, context: TestContext, id: string, state: Properties) =>
  reads.read(resource, context, codecOf(resource, context).decodeObject(id, state));
const release = async (resource: Resource, context: TestContext, id: string, state: Properties) =>
  releases.release(resource, context, codecOf(resource, context).decodeObject(id, state));

/** One run of a program against an API with one response, with the lines that the user sees. */
function run(respond: () => Properties = () => ({})) {
  const output: string[] = [];
  const { contextFor, redacted, addSecretsOf } = createSession({
    environment: {
      CLOUDDB_BASE_URL: "http://127.0.0.1:1",
      CLOUDDB_KEY_ID: "key",
      CLOUDDB_KEY_SECRET: "key secret",
      CLOUDDB_ORGANIZATION_ID: ORGANIZATION,
      CLOUDDB_JOURNAL: "off",
    },
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 1,
    log: (line) => output.push(`info: ${render(line)}`),
    warn: (line) => output.push(`warning: ${render(line)}`),
    canImport: true,
  });
  const call = async () => respond() as never;
  const context = (name: string): TestContext => ({
    addSecretsOf,
    ...contextFor(`urn:pulumi:dev::test::clouddb:index:Any::${name}`),
    client: () => ({ call, callUnlessDone: call }),
  });
  return { output, redacted, context };
}

const both = (thing: string) =>
  `"one" and "two" both manage ${thing}, and each would undo the other's changes: keep only one of them. [CDB4009]`;
const scaling = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3 };

describe("diff", () => {
  const state = { ...scaling, [DECLARED]: ["numReplicas"] };

  test("a replacement claims no object, since the object in the state will be released", async () => {
    const { context, output } = run();
    const moved = { ...scaling, serviceId: OTHER };
    const replaced = {
      kind: "arguments",
      replaces: ["serviceId"],
      changed: new Map([["serviceId", "UPDATE"]]),
      isHidden: false,
    };
    expect(await diff(serviceScaling, context("one"), ID, state, moved)).toEqual(replaced);
    expect(output).toEqual([
      expect.stringMatching(/^warning: Changing serviceId from .* to .* of scaling of service/),
    ]);
    expect((await diff(serviceScaling, context("two"), ID, state, scaling)).kind).toBe("none");
    // Nor is it refused for an object that another resource manages.
    expect(await diff(serviceScaling, context("one"), ID, state, moved)).toEqual(replaced);
  });

  test("a diff finds an uncertain state, even of equal arguments", async () => {
    const { context } = run();
    const uncertain = { ...state, __uncertain: ["numReplicas"] };
    expect(await diff(serviceScaling, context("one"), ID, uncertain, scaling)).toMatchObject({
      kind: "state",
    });
  });

  test("a diff distinguishes arguments that are no longer declared from changed ones", async () => {
    const { context, output } = run();
    const stored = { ...scaling, idleScaling: true, [DECLARED]: ["idleScaling", "numReplicas"] };
    const difference = await diff(serviceScaling, context("one"), ID, stored, {
      ...scaling,
      numReplicas: 4,
    });
    expect(difference).toMatchObject({
      kind: "arguments",
      changed: new Map([["numReplicas", "UPDATE"]]),
      isHidden: true,
    });
    expect(output).toEqual([
      `info: The scaling of service ${ID} keeps what the program does not declare: idleScaling. [CDB5005]`,
    ]);
  });

  test.each<[string, unknown, Properties, removed: string, places: [string, string][]]>([
    [
      "places of stored and declared entries",
      [
        { source: "192.0.2.7" },
        { source: "192.0.2.9" },
        { source: "192.0.2.10" },
        { source: "192.0.2.11" },
      ],
      {},
      "2 entries (192.0.2.5/32, 192.0.2.6/32).",
      [
        ["ipAccessList[0]", "DELETE"],
        ["ipAccessList[1]", "UPDATE"],
        ["ipAccessList[2]", "ADD"],
        ["ipAccessList[3]", "ADD"],
      ],
    ],
    [
      "no entries of a marked list",
      [{ source: "192.0.2.6" }, { source: "192.0.2.7" }],
      { [SECRETS]: ["ipAccessList"] },
      "1 entry.",
      [["ipAccessList[0]", "DELETE"]],
    ],
    [
      "a list that is not known yet as one change",
      UNKNOWN,
      {},
      "3 entries (192.0.2.5/32, 192.0.2.6/32, 192.0.2.7/32), unless values that are not known yet declare them.",
      [["ipAccessList", "UPDATE"]],
    ],
  ])(
    "the first complete declaration of a list shows %s",
    async (_, ipAccessList, marks, removed, places) => {
      const { context, output } = run();
      const networks = ["192.0.2.5", "192.0.2.6", "192.0.2.7"].map((source) => ({ source }));
      const stored = { organizationId: ORGANIZATION, ipAccessList: networks, [DECLARED]: [] };
      const inputs = { organizationId: ORGANIZATION, ipAccessList, ...marks };
      const { changed } = await diff(service, context("db"), ID, stored, inputs);
      expect([...changed]).toEqual(places);
      expect(output).toContainEqual(
        expect.stringContaining(`\`pulumi up\` removes ${removed} [CDB5016]`),
      );
    },
  );

  test("the error about a second owner shows no marked id", async () => {
    const { context, redacted } = run();
    const marks = { [SECRETS]: ["serviceId"] };
    const marked = (name: string) => {
      const declared = context(name);
      declared.owners.declare(declared.identity.urn);
      return diff(serviceScaling, declared, ID, { ...state, ...marks }, { ...scaling, ...marks });
    };
    await marked("one");
    const { message } = redacted(await marked("two").catch((error: unknown) => error));
    expect(message).toContain('"one" and "two" both manage scaling of service [secret], ');
  });
});

describe("update plan", () => {
  const state = {
    organizationId: ORGANIZATION,
    name: "db",
    numReplicas: 3,
    endpoints: [{ protocol: "https", enabled: true }],
    serviceEndpoints: [{ protocol: "https", host: "db.example.com", port: 443 }],
    createdAt: "2026-11-21T10:00:00Z",
    [DECLARED]: ["endpoints", "name", "numReplicas"],
  };
  const inputs = {
    organizationId: ORGANIZATION,
    name: "db",
    numReplicas: 4,
    endpoints: state.endpoints,
  };

  test("an update plan keeps outputs that no changed argument can change", () => {
    const { serviceEndpoints, createdAt } = state;
    expect(planUpdate(service, ID, state, inputs)).toMatchObject({
      numReplicas: 4,
      serviceEndpoints,
      createdAt,
    });
  });

  test.each<[string, Properties, Properties]>([
    ["its argument changes", {}, { endpoints: [{ protocol: "mysql", enabled: true }] }],
    ["its argument is no longer declared", {}, { endpoints: undefined }],
    [
      "a request that carried its argument has an unknown outcome",
      { __uncertain: ["endpoints"] },
      {},
    ],
    ["it is empty, as of a new service", { serviceEndpoints: [] }, {}],
    ["an endpoint has no host yet", { serviceEndpoints: [{ protocol: "https", host: "" }] }, {}],
    ["the state lacks it", { serviceEndpoints: undefined }, {}],
  ])("an update plan has unknown endpoints if %s", (_, stored, declared) => {
    const planned = planUpdate(service, ID, { ...state, ...stored }, { ...inputs, ...declared });
    expect(planned.serviceEndpoints).toBe(UNKNOWN);
  });
});

test.each<[string, (state: Properties, inputs: Properties) => Properties | Promise<Properties>]>([
  ["planned", (state, inputs) => planUpdate(service, ID, state, inputs)],
  [
    "applied",
    (state, inputs) => update(service, run(() => ({ id: ID })).context("db"), ID, state, inputs),
  ],
])(
  "an output kept by a %s update does not show the former text of a marked argument",
  async (_, updated) => {
    const marks = { organizationId: ORGANIZATION, [SECRETS]: ["name"] };
    const state = { ...marks, name: "alpha", iamRole: "arn:role/alpha", [DECLARED]: ["name"] };
    expect((await updated(state, { ...marks, name: "beta" })).iamRole).toEqual(
      asSecret("arn:role/alpha"),
    );
  },
);

describe("creation", () => {
  const inputs = { organizationId: ORGANIZATION, name: "db", numReplicas: 3 };
  const created = () => ({ service: { id: ID, name: "db", numReplicas: 3 }, password: "p" });

  test.each([
    [[], ID],
    [["serviceId"], "[secret]"],
  ])(
    "a creation warns of a second owner once the service has an id, with the marks %j",
    async (marks, shown) => {
      const { context, output } = run(created);
      const { reasons } = check(
        serviceScaling,
        context("one"),
        "one",
        {},
        { ...scaling, [SECRETS]: marks },
      );
      expect(reasons).toEqual([]);
      check(service, context("two"), "two", {}, inputs);
      expect(await create(service, context("two"), inputs)).toMatchObject({
        id: ID,
        state: { password: "p" },
      });
      expect(output.at(-1)).toEqual(`warning: ${both(`numReplicas of ${shown}`)}`);
    },
  );

  test("a creation claims the new service", async () => {
    const { context, output } = run(created);
    check(service, context("one"), "one", {}, inputs);
    await create(service, context("one"), inputs);
    expect(output).toEqual([]);
    const { reasons } = check(serviceScaling, context("two"), "two", {}, scaling);
    expect(reasons.map(render)).toEqual([both(`numReplicas of ${ID}`)]);
  });
});

describe("errors", () => {
  const state = { organizationId: ORGANIZATION, encryptionKey: "old-secret", [DECLARED]: [] };
  const inputs = {
    organizationId: ORGANIZATION,
    encryptionKey: "new-secret",
    name: "db-name",
    [SECRETS]: ["name"],
  };

  test.each<[string, string, (context: TestContext) => Promise<unknown>]>([
    ["creation", "new-secret and db-name", (context) => create(service, context, inputs)],
    [
      "update",
      "old-secret and new-secret",
      (context) => update(service, context, ID, state, inputs),
    ],
    ["read", "old-secret and old-secret", (context) => read(service, context, ID, state)],
    ["release", "", (context) => release(service, context, ID, { ...state, name: "old-secret" })],
  ])(
    "an error of a %s shows no secret of the arguments or the state",
    async (_, text, operation) => {
      const { context, redacted } = run(() => {
        throw new Error(`the keys ${text}`);
      });
      const { message } = redacted(await operation(context("db")).catch((error: unknown) => error));
      const unexpected = "unexpected error: Error: the keys [secret] and [secret]";
      expect(message).toContain(text === "" ? `Deleting service ${ID} ("[secret]")` : unexpected);
      expect(message).not.toMatch(/-secret|db-name/);
    },
  );
});
