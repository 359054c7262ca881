import { UNKNOWN } from "../../../facts";
import { analyze } from "../../../report/analyze/analyze";
import type { Preview } from "../../../report/preview";
import { table } from "../../support/example";
import {
  markdownOf,
  previewIn,
  previewOf,
  recorded,
  recording,
  SECRET,
  type Side,
  stepOf,
  verdictsOn,
} from "./support/preview";

/**
 * Changes that the engine does not count but a reviewer must see; the recorded reports show more of
 * them.
 */
const reasonsIn = (preview: Preview) => analyze(preview).attention.map(({ reason }) => reason);

test.each<[string, Side, string[]]>([
  [
    "a service that nothing protects",
    { isProtected: false },
    [expect.stringContaining("is not protected: another name or --replace would create a second")],
  ],
  ["a protected service", {}, []],
  ["a retained service", { isProtected: false, isRetained: true }, []],
  ["adopted services", { isProtected: false, inputs: { existingServiceId: "a" } }, []],
])("a new service needs attention only if nothing protects it: %s", async (_, side, reasons) => {
  expect(reasonsIn(previewOf(stepOf("Service", "db", "create", undefined, side)))).toEqual(reasons);
});

test("a change of a resource's provider needs attention", () => {
  const [before, after] = ["default", "other"].map((name) => ({
    provider: `urn:pulumi:p::s::pulumi:providers:x::${name}`,
  }));
  expect(
    analyze(previewOf(stepOf("Service", "db", "update", before, after))).attention,
  ).toMatchObject([{ name: "other", reason: "1 resource moves to this provider from default" }]);
});

test("steps that only the engine's summary counts are reported, instead of `no changes`", async () => {
  const preview = await recorded("nothing");
  expect(markdownOf(preview)).toContain("no changes.");
  const report = markdownOf({ ...preview, summary: { same: 1, update: 1 } });
  expect(report).not.toContain("no changes.");
  expect(report).toContain("1 more to update in the engine's summary than its events describe");
});

const accessTo = (...sources: string[]) => ({
  inputs: {
    serviceId: "a1b2",
    ipAccessList: sources.map((source) => ({ source, description: "web" })),
    privateEndpointIds: ["vpce-1"],
  },
});
const shared = {
  ...accessTo("192.0.2.1", "192.0.2.2"),
  outputs: { sharedSources: ["192.0.2.2/32"] },
};

test.each<
  [string, "create" | "update" | "delete" | "forget", Side | undefined, Side | undefined, string[]]
>([
  [
    "opens",
    "create",
    undefined,
    accessTo("192.0.2.1"),
    ['opens access to service "a1b2" for 192.0.2.1/32, vpce-1'],
  ],
  [
    "closes",
    "delete",
    shared,
    undefined,
    ['closes access to service "a1b2" for 192.0.2.1/32, vpce-1'],
  ],
  ["stays", "forget", shared, undefined, []],
  [
    "moves",
    "update",
    shared,
    accessTo("192.0.2.3"),
    ['closes access to service "a1b2" for 192.0.2.1/32'],
  ],
  ["only changes its spelling", "update", shared, accessTo("192.0.2.1/32", "192.0.2.2"), []],
  [
    "opens to everyone",
    "create",
    undefined,
    accessTo("0.0.0.0/0"),
    [
      'is open to everyone through "0.0.0.0/0"',
      'opens access to service "a1b2" for 0.0.0.0/0, vpce-1',
    ],
  ],
])("access by a ServiceAccess that %s is reported", (_, operation, ...rest) => {
  const [old, now, reasons] = rest;
  expect(reasonsIn(previewOf(stepOf("ServiceAccess", "web", operation, old, now)))).toEqual(
    reasons,
  );
});

test("the engine's events show a removed ServiceAccess as deleted, not released", async () => {
  const deleted = await previewIn(
    recording("forget").replaceAll("clouddb:ServiceScaling", "clouddb:ServiceAccess"),
  );
  expect(
    deleted.changes.map(({ type, operation }) => `${type.split(":").at(-1)} ${operation}`),
  ).toEqual(["ServiceAccess delete", "Service forget"]);
});

const OFFICE = { source: "203.0.113.0/24", description: "office" };
const OTHER = { source: "192.0.2.5/32", description: "" };
const outputs = { ipAccessList: [OFFICE, OTHER], privateEndpointIds: ["vpce-1"] };
const update = (inputs: object, before: object = {}, stored: object = outputs) =>
  previewOf(stepOf("Service", "db", "update", { inputs: before, outputs: stored }, { inputs }));
const RULE =
  "ipAccessList is declared for the first time, and the service keeps only the declared entries";
const BOTH = "203.0.113.0/24, 192.0.2.5/32";

test.each<[string, object, string[]]>([
  ["lacks a stored entry", { ipAccessList: [OFFICE] }, [`closes access for 192.0.2.5/32: ${RULE}`]],
  ["is empty", { ipAccessList: [] }, [`closes access for ${BOTH}: ${RULE}`]],
  [
    "has all entries, in other words",
    { ipAccessList: [{ source: "192.0.2.5" }, { source: "203.0.113.9/24" }] },
    [],
  ],
  [
    "has an unknown entry",
    { ipAccessList: [OFFICE, UNKNOWN] },
    [`may close access for 192.0.2.5/32: ${RULE}`],
  ],
  ["is unknown", { ipAccessList: UNKNOWN }, [`may close access for ${BOTH}: ${RULE}`]],
  ["is secret", { ipAccessList: SECRET }, [`may close access for secret entries: ${RULE}`]],
  [
    "names private endpoints",
    { privateEndpointIds: [] },
    [`closes access for vpce-1: ${RULE.replace("ipAccessList", "privateEndpointIds")}`],
  ],
])("a new complete list that %s reports the entries that it removes", (_, inputs, reasons) => {
  expect(reasonsIn(update(inputs))).toEqual(reasons);
});

test.each<[string, object, object, object, string[]]>([
  ["had entries before", [OTHER], { ipAccessList: [OFFICE] }, outputs, []],
  ["has no stored entries", [], {}, {}, []],
  [
    "had all entries before",
    [],
    { ipAccessList: [OFFICE, OTHER] },
    {},
    [`every entry of ipAccessList: ${BOTH}`],
  ],
  [
    "was secret before",
    [],
    { ipAccessList: "[secret]" },
    {},
    ["every entry of ipAccessList: secret entries"],
  ],
  ["keeps an entry", [OFFICE], { ipAccessList: [OFFICE, OTHER] }, {}, []],
])(
  "a list that %s is not reported as declared for the first time",
  (_, ipAccessList, before, stored, reasons) => {
    expect(reasonsIn(update({ ipAccessList }, before, stored))).toEqual(
      reasons.map((text) => `removes ${text}`),
    );
  },
);

test("the first declaration of a list shows changed entries, but not unchanged entries", () => {
  const report = markdownOf(
    update({ ipAccessList: [{ source: "192.0.2.9" }, { ...OFFICE, source: "203.0.113.7/24" }] }),
  );
  expect(report).toContain('opens access to "192.0.2.9"\n');
  expect(report).toMatch(
    /ipAccessList<\/code>:\n {2}- − .*"192\.0\.2\.5\/32".*\n {2}- &#43; .*"192\.0\.2\.9".*\n\n/,
  );
});

test("a changed description alone is not reported as access", () => {
  const report = markdownOf(
    update({ ipAccessList: [{ source: "192.0.2.5", description: "vpn" }, OFFICE] }),
  );
  expect(report).not.toMatch(/opens access|closes access/);
  expect(report).toContain('description: "vpn"');
});

test("a complete list of a pipe shows removed mappings, without server defaults", () => {
  const filledIn = { useCustomSortingKey: false, sortingKeys: [] };
  const stored = ["orders", "users"].map((name) => ({ ...table(name), ...filledIn }));
  const before = {
    inputs: { source: { postgres: {} } },
    outputs: { currentSource: { postgres: { tableMappings: stored } } },
  };
  const after = { inputs: { source: { postgres: { tableMappings: [table("orders")] } } } };
  const report = markdownOf(previewOf(stepOf("Pipe", "orders", "update", before, after)));
  expect(report).toMatch(/tableMappings<\/code>:\n {2}- − .*"users"[^\n]*\n\n/);
});

describe("adopted services", () => {
  const side = (existingServiceId: string | undefined, more: object = {}) => ({
    inputs: { existingServiceId, ...more },
    outputs: { existingServiceId },
  });
  const step = (operation: "adopt" | "update" | "replace", before: Side | undefined, after: Side) =>
    previewOf(stepOf("Service", "db", operation, before, after));

  test.each(["adopt", "replace"] as const)(
    "the update is said to compare an adopted service first: %s",
    (operation) => {
      expect(analyze(step(operation, undefined, side("a1b2"))).unchecked).toContain(
        'adoption by db: the update changes what differs in "a1b2", which it reads first',
      );
    },
  );

  test("an adopted service does not count as new", async () => {
    const creation = (type: string, inputs: object) => {
      const urn = `urn:pulumi:dev::shop::clouddb:index:${type}::${type}`;
      const metadata = { op: "create", urn, type: `clouddb:index:${type}`, new: { urn, inputs } };
      return JSON.stringify({ sequence: 1, resourcePreEvent: { metadata } });
    };
    const events = [
      creation("Service", { existingServiceId: "a1b2", maxReplicaMemoryGb: 32, numReplicas: 3 }),
      creation("ServiceScaling", { serviceId: "c3d4" }),
      creation("ServiceAccess", { serviceId: "c3d4" }),
    ];
    const report = markdownOf(await previewIn(events.join("\n")));
    expect(report).toContain("**➕ 1 to create, 🔗 2 to adopt");
    expect(report).toContain(
      "🔗 adopt <code>Service</code> (<code>Service</code> <code>a1b2</code>)",
    );
    expect(report).toContain("| <code>Service</code> | - | 32 GB × 3 = 96 GB |");
  });

  test("an adopted service keeps its id if existingServiceId is removed", () => {
    const report = markdownOf(
      step("update", side("a1b2", { waitForEndpoint: true }), side(undefined, { name: "db" })),
    );
    expect(report).toContain(
      '<code>existingServiceId</code>: <code>"a1b2"</code> → <code>(none)</code>',
    );
    expect(report).toContain(
      "<code>waitForEndpoint</code>: <code>true</code> → <code>(none)</code>",
    );
    expect(report).not.toContain("no longer managed");
  });

  test("an adopted service is released by another id or by its removal", async () => {
    expect(analyze(step("replace", side("a1b2"), side("c3d4"))).irreversible).toMatchObject([
      { reason: expect.stringContaining("keeps running and costing money, unmanaged") },
    ]);
    const urn = "urn:pulumi:dev::shop::clouddb:index:Service::db";
    const old = { urn, outputs: { existingServiceId: "a1b2" } };
    const metadata = { op: "delete", urn, type: "clouddb:index:Service", old };
    const removed = await previewIn(
      JSON.stringify({ sequence: 1, resourcePreEvent: { metadata } }),
    );
    expect(removed.changes.map(({ operation }) => operation)).toEqual(["forget"]);
  });
});

test("a value that the server no longer has is drift, and not released", () => {
  const drift = [stepOf("Service", "db", "update", { inputs: { name: "db" } }, {})];
  expect(markdownOf({ ...previewOf(), drift })).toContain(
    '- <code>db</code> <code>name</code>: <code>"db"</code> → <code>(none)</code>',
  );
});

test("unknown outputs are listed in one line after the changed outputs", async () => {
  const preview = await recorded("components");
  const before = { note: "one", password: SECRET, hosts: [{ port: 1 }], gone: 1 };
  const after = { note: "two", password: UNKNOWN, hosts: [{ port: UNKNOWN }], added: UNKNOWN };
  const report = markdownOf({ ...preview, outputs: { before, after } });
  expect(report).toContain("· 3 outputs change**");
  for (const text of [
    'note</code>: <code>"one"',
    "gone</code>: <code>1",
    "added</code>: <code>known after apply",
  ])
    expect(report).toContain(`- <code>${text}`);
  expect(report).toContain(
    "</details>\n\n2 stack outputs are not known yet and may change: <code>hosts</code>, <code>password</code>.\n\nTo apply",
  );
  const alone = markdownOf({
    ...previewOf(),
    outputs: { before: { a: 1 }, after: { a: UNKNOWN } },
  });
  expect(alone).toContain(
    "**no resource changes**\n\n1 stack output is not known yet and may change: <code>a</code>.",
  );
});

const MARK = "@isPulumiResource";
test.each<[string, unknown, unknown, string[]]>([
  ["only the preview's mark", { urn: "u" }, { urn: "u", [MARK]: true }, []],
  [
    "unknown members that are not stored",
    { urn: "u", parts: [{ a: 1 }] },
    { urn: "u", extra: UNKNOWN, parts: [{ a: 1, b: UNKNOWN }], [MARK]: true },
    [],
  ],
  [
    "another member that changes",
    { urn: "u", name: "a" },
    { urn: "u", name: "b", extra: UNKNOWN, [MARK]: true },
    ["server.name"],
  ],
  ["an unknown member outside of a resource", { a: 1 }, { a: 1, b: UNKNOWN }, ["server.b"]],
])("an exported resource with %s changes the outputs %j", (_, before, after, places) => {
  const outputs = { before: { server: before }, after: { server: after } };
  const preview = { ...previewOf(), outputs };
  expect(analyze(preview).outputs.map(({ place }) => place)).toEqual(places);
  expect(verdictsOn(preview, "changes")).toEqual([places.length === 0 ? "passes" : "holds"]);
});

test("replacing a secret by an unknown value is reported as irreversible", () => {
  const [old, now] = ["key-1", UNKNOWN].map((encryptionKey) => ({ inputs: { encryptionKey } }));
  const report = markdownOf(previewOf(stepOf("Service", "a", "update", old, now)));
  expect(report).toContain("encryptionKey changes; the old secret cannot be recovered");
  expect(report).toContain("<code>&#91;secret&#93;</code> → <code>known after apply</code>");
});

test.each([
  ["0.0.0.0/0", ['is open to everyone through "0.0.0.0/0"']],
  [UNKNOWN, ["gets access entries that are not known yet"]],
  ["[secret]", ["gets secret access entries, which cannot be checked"]],
])("a new service with the access entry %s is reported", (source, reasons) => {
  const created = stepOf("Service", "db", "create", undefined, {
    inputs: { ipAccessList: [{ source }] },
  });
  expect(reasonsIn(previewOf(created))).toEqual(reasons);
});
