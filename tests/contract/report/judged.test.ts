import { UNKNOWN } from "../../../facts";
import { analyze } from "../../../report/analyze/analyze";
import type { Capacity } from "../../../report/json-report";
import type { ResourceStep } from "../../../report/preview";
import {
  irreversibleReasons,
  markdownOf,
  previewOf,
  SECRET,
  type Side,
  stepOf,
  verdictsOn,
} from "./support/preview";

/** The analysis of changes: capacity, irreversible changes, changed secrets. */

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const size = (memory: unknown, replicas: unknown) => ({
  maxReplicaMemoryGb: memory,
  numReplicas: replicas,
});

function changeOf(type: string, name: string, before?: Side, after?: Side): ResourceStep {
  return stepOf(
    type,
    name,
    before === undefined ? "create" : after === undefined ? "delete" : "update",
    before,
    after,
  );
}
/** A service whose arguments change. */
const updateOf = (before: object, after: object) =>
  changeOf("Service", "a", { inputs: before }, { inputs: after });
const capacityOf = (...steps: ResourceStep[]) => analyze(previewOf(...steps)).capacity;

test.each<[unknown, Partial<Capacity>]>([
  [7, { beforeGb: 448, afterGb: 448 }],
  [8, { beforeGb: 448, afterGb: 512 }],
  [UNKNOWN, { beforeGb: 0, afterGb: 0, uncounted: ["a"] }],
])("a ServiceScaling changes its service's size from 7 to %s replicas", (numReplicas, capacity) => {
  const service = changeOf("Service", "a", { id: ID, outputs: size(64, 3) }, { id: ID });
  const [before, after] = [7, numReplicas].map((number) => ({
    inputs: { serviceId: ID, numReplicas: number },
  }));
  expect(capacityOf(service, changeOf("ServiceScaling", "s", before, after))).toMatchObject(
    capacity,
  );
});

test("a ServiceScaling finds its service by an id in capital letters", () => {
  const service = changeOf("Service", "a", { id: ID, outputs: size(64, 3) }, { id: ID });
  const scaling = changeOf("ServiceScaling", "s", undefined, {
    inputs: { serviceId: ID.toUpperCase(), numReplicas: 7 },
  });
  expect(capacityOf(service, scaling).rows).toHaveLength(1);
});

test("a ServiceScaling of an unknown service does not count a service twice", () => {
  const service = changeOf("Service", "a", undefined, { inputs: size(64, 3) });
  const scaling = changeOf("ServiceScaling", "s", undefined, {
    inputs: { serviceId: UNKNOWN, ...size(64, 3) },
  });
  expect(capacityOf(service, scaling)).toMatchObject({ afterGb: 192, uncounted: ["s"] });
});

test.each<[string, object, object, Partial<Capacity>]>([
  ["of a new service", {}, { maxTotalMemoryGb: 96 }, { afterGb: 96, uncounted: [] }],
  ["raised", size(32, 3), { maxTotalMemoryGb: 192 }, { beforeGb: 96, afterGb: 192 }],
  [
    "declared when the service was smaller",
    { ...size(64, 3), maxTotalMemoryGb: 96 },
    { maxTotalMemoryGb: 96 },
    { beforeGb: 192, afterGb: 192 },
  ],
  [
    "next to fewer replicas",
    size(32, 3),
    { maxTotalMemoryGb: 96, numReplicas: 2 },
    { beforeGb: 96, afterGb: 96 },
  ],
  [
    "next to a size that adds up to more",
    {},
    { maxTotalMemoryGb: 96, ...size(64, 3) },
    { afterGb: 192 },
  ],
  [
    "next to a size that adds up to less",
    {},
    { maxTotalMemoryGb: 384, ...size(64, 3) },
    { afterGb: 384 },
  ],
  ["not known yet", size(32, 3), { maxTotalMemoryGb: UNKNOWN }, { afterGb: 0, uncounted: ["a"] }],
  [
    "not known yet next to a size",
    {},
    { maxTotalMemoryGb: UNKNOWN, ...size(64, 3) },
    { uncounted: ["a"] },
  ],
  [
    "next to a size not known yet",
    {},
    { maxTotalMemoryGb: 96, ...size(UNKNOWN, 3) },
    { uncounted: ["a"] },
  ],
  [
    "that the API returned, superseded by a size",
    { ...size(64, 3), maxTotalMemoryGb: 192 },
    { maxReplicaMemoryGb: 32 },
    { beforeGb: 192, afterGb: 96 },
  ],
  [
    "that the API returned, superseded by replicas",
    { ...size(64, 3), maxTotalMemoryGb: 192 },
    { numReplicas: 2 },
    { beforeGb: 192, afterGb: 128 },
  ],
  // Growth and loss need both sizes.
  [
    "of an unknown number of replicas",
    size(64, 3),
    size(64, UNKNOWN),
    { beforeGb: 0, afterGb: 0, uncounted: ["a"] },
  ],
])("the capacity follows from a total memory %s", (_, outputs, inputs, capacity) => {
  const before = Object.keys(outputs).length > 0 ? { id: ID, outputs } : undefined;
  expect(capacityOf(changeOf("Service", "a", before, { inputs }))).toMatchObject(capacity);
});

test("the total memory is shown without a number of replicas", () => {
  const report = markdownOf(
    previewOf(updateOf({ maxTotalMemoryGb: 48 }, { maxTotalMemoryGb: 96 })),
  );
  expect(report).toContain("| <code>a</code> | 48 GB | 96 GB | +48 GB (+100 %) |");
});

const entry = (description: string) => ({ source: "1.2.3.4", description });
test.each<[string, object, object, string[]]>([
  ["another description", { ipAccessList: [entry("a")] }, { ipAccessList: [entry("b")] }, []],
  [
    "a new entry",
    { ipAccessList: [] },
    { ipAccessList: [entry("a")] },
    ['opens access to "1.2.3.4"'],
  ],
  [
    "an unknown list",
    { ipAccessList: [entry("a")] },
    { ipAccessList: UNKNOWN },
    ["gets access entries that are not known yet"],
  ],
])("a change reports the access that it opens: %s", (_, before, after, reasons) => {
  expect(irreversibleReasons(previewOf(updateOf(before, after)))).toEqual(reasons);
});

test("lowering replicas below the API's default is reported as irreversible", () => {
  const change = changeOf(
    "Service",
    "a",
    { id: ID, outputs: size(64, 7) },
    { inputs: { numReplicas: 1 } },
  );
  expect(irreversibleReasons(previewOf(change))).toEqual(["numReplicas is lowered from 7 to 1"]);
});

test.each<[string, object, string[]]>([
  ["inside of a list", { tokens: [SECRET] }, ["tokens"]],
  [
    "inside of a group that the engine names",
    { source: { kafka: { credentials: SECRET } } },
    ["source"],
  ],
])("a changed secret %s is reported", (_, inputs, differing) => {
  const preview = previewOf({ ...changeOf("Pipe", "p", { inputs }, { inputs }), differing });
  expect(irreversibleReasons(preview)).toEqual([
    expect.stringContaining("changes; the old secret cannot be recovered"),
  ]);
  expect(markdownOf(preview)).toContain("&#91;secret&#93;");
});

const credentials = { username: SECRET, passwordFromEnvironment: "ORDERS_PASSWORD" };
const kafka = (value: unknown) => ({ source: { kafka: { credentials: value } } });
test.each<[string, object, object, string[]]>([
  [
    "a literal key moves to a variable",
    { encryptionKey: SECRET },
    { encryptionKeyFromEnvironment: "KEY" },
    [],
  ],
  [
    "a key moves from a variable to a literal",
    { encryptionKeyFromEnvironment: "KEY" },
    { encryptionKey: SECRET },
    [],
  ],
  [
    "another variable holds the key",
    { encryptionKeyFromEnvironment: "OLD_KEY" },
    { encryptionKeyFromEnvironment: "KEY" },
    [],
  ],
  [
    "another literal key is declared",
    { encryptionKey: SECRET },
    { encryptionKey: UNKNOWN },
    ["encryptionKey changes; the old secret cannot be recovered"],
  ],
  [
    "encryption is turned off",
    { hasTransparentDataEncryption: true },
    { hasTransparentDataEncryption: false },
    ["hasTransparentDataEncryption changes from true to false"],
  ],
  ["encryption stays", { encryptionKey: SECRET }, { encryptionKey: SECRET, name: "a" }, []],
])("irreversible changes of encryption are reported: %s", (_, before, after, reasons) => {
  expect(irreversibleReasons(previewOf(updateOf(before, after)))).toEqual(reasons);
});

test("the condition irreversible passes if credentials move to a variable", () => {
  const step = changeOf("Pipe", "p", { inputs: kafka(SECRET) }, { inputs: kafka(credentials) });
  const preview = previewOf({ ...step, differing: ["source.kafka.credentials"] });
  expect(verdictsOn(preview, "irreversible")).toEqual(["passes"]);
});

test("values that differ only in redacted parts are reported as changed", () => {
  const report = markdownOf(
    previewOf(updateOf({ encryptionKey: "key-1" }, { encryptionKey: "key-2" })),
  );
  expect(report).toContain("<code>encryptionKey</code>: <code>&#91;secret&#93;</code> changed");
});

test("a type of another package is counted generically, whatever its name", () => {
  const change = {
    ...changeOf("Service", "a", undefined, { inputs: {} }),
    type: "clouddb:index:constructor",
  };
  expect(markdownOf(previewOf(change))).toContain("1 to create");
});
