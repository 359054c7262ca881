import { previewIn, previewOf, stateOf, stepOf, textOf } from "./support/preview";
import { markdownOf } from "./support/render";

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
