import { UNKNOWN } from "../support/adapters/values";
import { office, useServices } from "./simulators";
import { createHandlers, failureOf, type Properties, type ResourceType } from "./support";

/**
 * Settings that an `up` will need are missed in the preview, which knows whether a request will be
 * sent.
 */

const setup = useServices();

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const NOTHING = { CLOUDDB_BASE_URL: "", CLOUDDB_KEY_ID: "", CLOUDDB_KEY_SECRET: "" };
const MISSING = [
  ["baseUrl (CLOUDDB_BASE_URL)", ""],
  ["keyId (CLOUDDB_KEY_ID)", ""],
  ["keySecret (CLOUDDB_KEY_SECRET)", " --secret"],
].map(
  ([name, option]) =>
    `clouddb:${name} is not set: use \`pulumi config set${option}\`, an argument of the provider, or the environment variable. [CDB2001]`,
);

async function reasons(
  environment: Record<string, string>,
  olds: Properties,
  args: Properties,
  type: ResourceType = "Service",
) {
  const { failures = [] } = await createHandlers(type, setup.api, environment).check(olds, args);
  return failures.map(({ reason }) => reason);
}

test.each<[string, ResourceType, Properties]>([
  ["a service", "Service", { numReplicas: 3 }],
  ["an adopted service", "Service", { existingServiceId: ID }],
  ["a service's scaling", "ServiceScaling", { serviceId: ID, numReplicas: 3 }],
  ["a pipe", "Pipe", { serviceId: ID, pipeId: ID, name: "orders" }],
  ["an organization", "Organization", { name: "us" }],
])("%s that is not in the stack requires the settings for requests", async (_, type, args) => {
  expect(await reasons(NOTHING, {}, args, type)).toEqual(MISSING);
  expect(await reasons({ CLOUDDB_KEY_ID: "" }, {}, args, type)).toEqual([MISSING[1]]);
  expect(await reasons({}, {}, args, type)).toEqual([]);
});

test.each<[string, Properties, expected: readonly string[]]>([
  ["nothing else", {}, []],
  [
    "the same entries in another order and spelling",
    { ipAccessList: [{ source: "198.51.100.7/32" }, office] },
    [],
  ],
  ["an argument that is not sent", { privatePreviewTermsChecked: true }, []],
  [
    "an unknown value, which may equal the old one",
    { ipAccessList: [office, { source: UNKNOWN }] },
    [],
  ],
  ["another value", { numReplicas: 4 }, MISSING],
  ["another value beside an unknown one", { numReplicas: 4, ipAccessList: UNKNOWN }, MISSING],
  ["an empty list", { ipAccessList: [] }, MISSING],
  ["a value that replaces the service", { region: "us-east-1" }, MISSING],
  ["one argument less", { numReplicas: null }, MISSING],
])(
  "a service in the stack requires the settings for requests only for a change: %s",
  async (_, change, expected) => {
    const args = {
      numReplicas: 3,
      ipAccessList: [office, { source: "198.51.100.7" }],
      endpoints: [],
    };
    expect(await reasons(NOTHING, await setup.checkArgs(args), { ...args, ...change })).toEqual(
      expected,
    );
  },
);

test("a new service with an unknown value requires the settings for requests", async () => {
  expect(await reasons(NOTHING, {}, { ipAccessList: UNKNOWN })).toEqual(MISSING);
});

test("an invalid change is reported without missing settings", async () => {
  const olds = await setup.checkArgs({ ipAccessList: [office] });
  expect(await reasons(NOTHING, olds, { ipAccessList: ["203.0.113.7", 7] })).toHaveLength(2);
});

test("an error names all missing settings of a change, including the organization", async () => {
  const olds = await setup.checkArgs({ numReplicas: 3 });
  const organization = expect.stringMatching(
    /^organizationId is missing: set `organizationId` on the resource, or set clouddb:organizationId/,
  );
  const nothing = { ...NOTHING, CLOUDDB_ORGANIZATION_ID: "" };
  expect(await reasons(nothing, {}, { numReplicas: 3 })).toEqual([...MISSING, organization]);
  expect(await reasons(nothing, olds, { numReplicas: 4 })).toEqual([...MISSING, organization]);
  expect(await reasons(nothing, olds, { numReplicas: 3 })).toEqual([organization]);
  expect(await reasons(nothing, olds, { numReplicas: -1 })).toHaveLength(2);
});

test("an invalid setting is not reported as missing", async () => {
  expect(await reasons({ CLOUDDB_BASE_URL: "db.example" }, {}, {})).toEqual([
    expect.stringContaining("clouddb:baseUrl (CLOUDDB_BASE_URL) is invalid"),
  ]);
  expect(await reasons({ CLOUDDB_ORGANIZATION_ID: "acme" }, {}, { numReplicas: 3 })).toEqual([
    "clouddb:organizationId (CLOUDDB_ORGANIZATION_ID) is invalid: must be a UUID such as 3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640. [CDB2002]",
  ]);
});

test("a missing rateLimit beside rateLimitUrl is reported in one sentence by the preview", async () => {
  const environment = { CLOUDDB_RATE_LIMIT_URL: "redis://127.0.0.1" };
  expect(await reasons(environment, {}, { numReplicas: 3 })).toEqual([
    "clouddb:rateLimit (CLOUDDB_RATE_LIMIT) is not set, and processes share that limit through clouddb:rateLimitUrl (CLOUDDB_RATE_LIMIT_URL): set it to the API's limit for one key, such as `10 per 10 s`. [CDB2001]",
  ]);
  expect(
    await reasons({ ...environment, CLOUDDB_RATE_LIMIT: "10 per 10 s" }, {}, { numReplicas: 3 }),
  ).toEqual([]);
});

test("an operation without its settings fails with their names, before any request", async () => {
  const { id, outs, inputs } = await setup.createService({});
  setup.restartWith({ CLOUDDB_BASE_URL: "", CLOUDDB_KEY_SECRET: "" });
  // Several problems in one error have one code, at its end.
  const creation = await failureOf(setup.handlers.create(inputs));
  expect(creation.message).toMatch(
    /clouddb:baseUrl \(CLOUDDB_BASE_URL\) is not set: use `pulumi config set`[^[]*clouddb:keySecret \(CLOUDDB_KEY_SECRET\) is not set[^[]*\. \[CDB2001\]$/,
  );
  setup.restartWith({ CLOUDDB_BASE_URL: "http://api.example.com" });
  const read = await failureOf(setup.handlers.read(id, outs));
  expect(read.message).toContain(
    "must use https, since plain HTTP sends the credentials unencrypted",
  );
  setup.restartWith({ CLOUDDB_ORGANIZATION_ID: "" });
  const elsewhere = await failureOf(setup.handlers.read(id, {}));
  expect(elsewhere.message).toContain(
    "clouddb:organizationId (CLOUDDB_ORGANIZATION_ID). Nothing was changed.",
  );
  expect(await setup.api.requests()).toEqual([]);
});
