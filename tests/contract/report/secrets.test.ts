import { UNKNOWN } from "../../../facts";
import {
  markdownOf,
  previewIn,
  previewOf,
  renderReport,
  SECRET,
  stepOf,
  textOf,
} from "./support/preview";

const urnOf = (type: string, name: string) =>
  `urn:pulumi:dev::shop::clouddb:index:${type}::${name}`;

/** A preview with this update, as the engine describes it, and with other events. */
function previewOfUpdate(
  urn: string,
  before: object,
  after: object,
  differing: string[] = [],
  events: object[] = [],
) {
  const type = urn.split("::")[2];
  const [old, now] = [before, after].map((inputs) => ({
    type,
    urn,
    id: "1",
    inputs,
    outputs: inputs,
  }));
  const detailedDiff = Object.fromEntries(
    differing.map((path) => [path, { diffKind: "update", inputDiff: true }]),
  );
  const metadata = { op: "update", urn, type, old, new: now, detailedDiff };
  const summaryEvent = { resourceChanges: { update: 1 } };
  return previewIn(
    textOf([{ preludeEvent: {} }, { resourcePreEvent: { metadata } }, ...events, { summaryEvent }]),
  );
}

const plaintext = { ...SECRET, ciphertext: undefined, plaintext: '"Hidden One"' };
test.each([
  ["with its plain text", { name: "Old" }, { name: plaintext }, "Hidden One", /Hidden/],
  ["and was plain before", { name: "Hidden One" }, { name: SECRET }, "Hidden One", /Hidden/],
  ["and is a number", { numReplicas: 19 }, { numReplicas: SECRET }, "19 replicas", /\b19\b/],
  [
    "in a list",
    { ipAccessList: [{ source: "77.0.0.0/7" }] },
    { ipAccessList: SECRET },
    "77.0.0.0/7",
    /77\.0/,
  ],
])(
  "a value that events mark as secret %s appears in no message and no property",
  async (_, before, after, text, leak) => {
    const urn = urnOf("Service", "analytics");
    const policy = {
      resourceUrn: urn,
      policyName: "theirs",
      policyPackName: "pack",
      enforcementLevel: "mandatory",
    };
    const printed = [
      { policyEvent: { ...policy, message: `policy: ${text}` } },
      { diagnosticEvent: { urn, severity: "error", message: `diagnostic: ${text}` } },
    ];
    const report = markdownOf(await previewOfUpdate(urn, before, after, [], printed));
    expect(report).toContain("policy: &#91;secret&#93;");
    expect(report).toContain("diagnostic: &#91;secret&#93;");
    expect(report.replace(/#+ Capacity[\s\S]*?(?=<details>)/, "")).not.toMatch(leak);
  },
);

test("a secret size is shown as secret, unlike an unknown size", () => {
  const size = (name: string, numReplicas: unknown) =>
    stepOf("Service", name, "create", undefined, {
      inputs: { maxReplicaMemoryGb: 64, numReplicas },
    });
  const report = markdownOf(previewOf(size("hidden", SECRET), size("later", UNKNOWN)));
  expect(report).toContain("capacity of hidden: size is secret");
  expect(report).toContain("capacity of later: size not known yet");
  expect(report).toMatch(/hidden.* \| secret \|/);
});

const pipe = urnOf("Pipe", "orders");
const inputsOf = (place: string, fingerprint: unknown, source: object) => ({
  source,
  secretFingerprints: { [place]: fingerprint },
});

const credentials = { username: SECRET, passwordFromEnvironment: "ORDERS_PASSWORD" };
const accessKey = { accessKeyId: SECRET, secretKeyFromEnvironment: "ORDERS_KEY" };
const objectStorage = { connectionStringFromEnvironment: "ORDERS_STORAGE" };
test.each([
  [
    "the credentials of orders are rotated",
    "source.kafka.credentials.password",
    { kafka: { credentials } },
  ],
  [
    "the access key of orders is rotated",
    "source.kinesis.accessKey.secretKey",
    { kinesis: { accessKey } },
  ],
  [
    "the connection string of orders is rotated",
    "source.objectStorage.connectionString",
    { objectStorage },
  ],
])("a changed fingerprint is reported as: %s", async (text, place, source) => {
  const inputs = inputsOf(place, SECRET, source);
  const preview = await previewOfUpdate(pipe, inputs, inputs, [`secretFingerprints["${place}"]`]);
  for (const format of ["markdown", "text", "json"] as const) {
    const report = renderReport([preview], format);
    expect(report).toContain(text);
    expect(report).not.toContain("ingerprint");
  }
  const [{ changes, irreversible }] = JSON.parse(renderReport([preview], "json")).stacks;
  expect(irreversible).toEqual([{ urn: pipe, name: "orders", reason: text }]);
  expect(changes[0].properties).toMatchObject([{ place, before: "[secret]", after: "[secret]" }]);
});

test("a fingerprint without a secret mark is not shown", async () => {
  const inputs = (print: string) =>
    inputsOf("source.kafka.credentials.password", print, { kafka: { credentials } });
  const preview = await previewOfUpdate(pipe, inputs("$scrypt$old"), inputs("$scrypt$new"));
  const report = renderReport([preview], "json");
  expect(report).toContain("the credentials of orders are rotated");
  expect(report).not.toContain("$scrypt");
});

test("a change between literal and reference neither rotates nor releases the secret", async () => {
  const place = "source.objectStorage.connectionString";
  const literal = { source: { objectStorage: { connectionString: SECRET } } };
  const reference = inputsOf(place, SECRET, { objectStorage });
  const twin = `${place}FromEnvironment`;
  const differing = [place, twin, "secretFingerprints"];
  const there = markdownOf(await previewOfUpdate(pipe, literal, reference, differing));
  expect(there).toContain(`<code>${twin}</code>: <code>"ORDERS&#95;STORAGE"</code>`);
  const back = markdownOf(await previewOfUpdate(pipe, reference, literal, differing));
  expect(back).toContain(
    `<code>${twin}</code>: <code>"ORDERS&#95;STORAGE"</code> → <code>(none)</code>`,
  );
  expect(there + back).not.toMatch(/rotated|no longer managed|ingerprint/);
});
