import { previewIn, previewOf, stateOf, stepOf, textOf } from "./support/preview";
import { markdownOf, renderReport } from "./support/render";

const MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const hidden = { ...MARK, ciphertext: "[secret]" };
const urn = "urn:pulumi:dev::shop::clouddb:index:Service::analytics";

/** The report on an update from the first to the second inputs, with a policy and a provider that print a text. */
async function reportOn(before: object, after: object, printed: string): Promise<string> {
  const state = (inputs: object) => ({ type: "clouddb:index:Service", urn, id: "1", inputs, outputs: {} });
  const metadata = { op: "update", urn, type: "clouddb:index:Service", old: state(before), new: state(after) };
  const policy = { resourceUrn: urn, policyName: "theirs", policyPackName: "pack", enforcementLevel: "mandatory" };
  const preview = await previewIn(
    textOf([
      { preludeEvent: {} },
      { resourcePreEvent: { metadata } },
      { policyEvent: { ...policy, message: `policy: ${printed}` } },
      { diagnosticEvent: { urn, severity: "error", message: `diagnostic: ${printed}` } },
      { summaryEvent: { resourceChanges: { update: 1 } } },
    ]),
  );
  return markdownOf(preview);
}

test.each([
  ["with its plain text", { name: "Old" }, { name: { ...MARK, plaintext: '"Hidden One"' } }, "Hidden One", /Hidden/],
  ["and was plain before", { name: "Hidden One" }, { name: hidden }, "Hidden One", /Hidden/],
  ["and is a number", { numReplicas: 19 }, { numReplicas: hidden }, "19 replicas", /\b19\b/],
  ["in a list", { ipAccessList: [{ source: "77.0.0.0/7" }] }, { ipAccessList: hidden }, "77.0.0.0/7", /77\.0/],
])("a value that events mark as secret %s is in no message and no property", async (_, before, after, text, leak) => {
  const report = await reportOn(before, after, text);
  expect(report).toContain("policy: &#91;secret&#93;");
  expect(report).toContain("diagnostic: &#91;secret&#93;");
  expect(report.replace(/#+ Capacity[\s\S]*?(?=<details>)/, "")).not.toMatch(leak);
});

test("a secret size is called secret, and one that is not known yet is not", () => {
  const size = (name: string, numReplicas: unknown) =>
    stepOf("Service", name, "create", undefined, stateOf({ inputs: { maxReplicaMemoryGb: 64, numReplicas } }));
  const report = markdownOf(previewOf(size("hidden", hidden), size("later", "04da6b54-80e4-46f7-96ec-b56ff0331ba9")));
  expect(report).toContain("capacity of hidden: size is secret");
  expect(report).toContain("capacity of later: size not known yet");
  expect(report).toMatch(/hidden.* \| secret \|/);
});

describe("secrets by reference", () => {
  const pipe = "urn:pulumi:dev::shop::clouddb:index:Pipe::orders";

  /** The preview of an update of a pipe, as the engine describes it. */
  const updateOf = (before: object, after: object, ...differing: string[]) => {
    const state = (inputs: object) => ({ type: "clouddb:index:Pipe", urn: pipe, id: "1", inputs, outputs: inputs });
    const detailedDiff = Object.fromEntries(differing.map((path) => [path, { diffKind: "update", inputDiff: true }]));
    const sides = { old: state(before), new: state(after) };
    const metadata = { op: "update", urn: pipe, type: "clouddb:index:Pipe", ...sides, detailedDiff };
    return previewIn(
      textOf([
        { preludeEvent: {} },
        { resourcePreEvent: { metadata } },
        { summaryEvent: { resourceChanges: { update: 1 } } },
      ]),
    );
  };
  const inputsOf = (place: string, fingerprint: unknown, source: object) => ({
    source,
    secretFingerprints: { [place]: fingerprint },
  });

  const credentials = { username: hidden, passwordFromEnvironment: "ORDERS_PASSWORD" };
  const accessKey = { accessKeyId: hidden, secretKeyFromEnvironment: "ORDERS_KEY" };
  test.each([
    ["the credentials of orders are rotated", "source.kafka.credentials.password", { kafka: { credentials } }],
    ["the access key of orders is rotated", "source.kinesis.accessKey.secretKey", { kinesis: { accessKey } }],
    [
      "the connection string of orders is rotated",
      "source.objectStorage.connectionString",
      { objectStorage: { connectionStringFromEnvironment: "ORDERS_STORAGE" } },
    ],
  ])("a changed fingerprint reads as: %s", async (text, place, source) => {
    const inputs = inputsOf(place, hidden, source);
    const preview = await updateOf(inputs, inputs, `secretFingerprints["${place}"]`);
    for (const format of ["markdown", "text", "json"] as const) {
      const report = renderReport([preview], format);
      expect(report).toContain(text);
      expect(report).not.toContain("ingerprint");
    }
    const [{ changes, irreversible }] = JSON.parse(renderReport([preview], "json")).stacks;
    expect(irreversible).toEqual([{ urn: pipe, name: "orders", reason: text }]);
    expect(changes[0].properties).toMatchObject([{ place, before: "[secret]", after: "[secret]" }]);
  });

  test("a fingerprint without the mark of a secret is not shown", async () => {
    const inputs = (print: string) => inputsOf("source.kafka.credentials.password", print, { kafka: { credentials } });
    const report = renderReport([await updateOf(inputs("$scrypt$old"), inputs("$scrypt$new"))], "json");
    expect(report).toContain("the credentials of orders are rotated");
    expect(report).not.toContain("$scrypt");
  });

  test("a reference instead of a literal, or the reverse, neither rotates nor releases the secret", async () => {
    const place = "source.objectStorage.connectionString";
    const literal = { source: { objectStorage: { connectionString: hidden } } };
    const reference = inputsOf(place, hidden, { objectStorage: { connectionStringFromEnvironment: "ORDERS_STORAGE" } });
    const twin = `${place}FromEnvironment`;
    const there = markdownOf(await updateOf(literal, reference, place, twin, "secretFingerprints"));
    expect(there).toContain(`<code>${twin}</code>: <code>"ORDERS&#95;STORAGE"</code>`);
    const back = markdownOf(await updateOf(reference, literal, place, twin, "secretFingerprints"));
    expect(back).toContain(`<code>${twin}</code>: <code>"ORDERS&#95;STORAGE"</code> → <code>(none)</code>`);
    expect(there + back).not.toMatch(/rotated|no longer managed|ingerprint/);
  });
});
