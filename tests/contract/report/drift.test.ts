import type { Preview } from "../../../report/preview";
import { previewIn, textOf } from "./support/preview";
import { markdownOf, verdictsOn } from "./support/render";

/** Drift of resources whose providers do not list differences. */
const urn = (type: string) => `urn:pulumi:dev::shop::${type}::it`;
const state = (type: string, outputs: object, more: object = {}) => ({
  urn: urn(type),
  type,
  id: "1",
  outputs,
  ...more,
});

function looked(type: string, old: object, now: object | null, more: object = {}): Promise<Preview> {
  const metadata = { op: "refresh", urn: urn(type), type, old, new: now, diffs: null, detailedDiff: null, ...more };
  const summaryEvent = { resourceChanges: {} };
  return previewIn(textOf([{ preludeEvent: {} }, { resOutputsEvent: { metadata } }, { summaryEvent }]));
}

test("outputs that differ are shown as drift", async () => {
  const type = "aws:s3/bucket:Bucket";
  const preview = await looked(
    type,
    state(type, { acl: "private", tags: [] }),
    state(type, { acl: "public", tags: [] }),
  );
  expect(verdictsOn(preview, "drift")).toEqual(["holds"]);
  expect(markdownOf(preview)).toContain(
    '- <code>it</code> <code>acl</code>: <code>"private"</code> → <code>"public"</code>',
  );
});

test("a resource that was replaced outside of Pulumi is drift", async () => {
  const type = "aws:s3/bucket:Bucket";
  const preview = await looked(type, state(type, {}), { ...state(type, {}), id: "2" });
  expect(markdownOf(preview)).toContain("- <code>it</code> differs from its stored state");
});

test.each([
  ["the same outputs", "aws:s3/bucket:Bucket", { acl: "private" }],
  ["what the engine keeps for itself", "aws:s3/bucket:Bucket", { acl: "private", __meta: "2" }],
  ["fields of ours that only the server changes", "clouddb:index:Service", { acl: "other" }],
])("%s are not", async (_, type, outputs) => {
  const preview = await looked(type, state(type, { acl: "private", __meta: "1" }), state(type, outputs));
  expect(verdictsOn(preview, "drift")).toEqual(["passes"]);
});

test("secret outputs are not shown", async () => {
  const type = "aws:iam/key:Key";
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "canary" };
  const preview = await looked(type, state(type, { key: "canary-old" }), state(type, { key: secret }));
  expect(markdownOf(preview)).toContain("&#91;secret&#93;");
});
