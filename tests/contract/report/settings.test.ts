import { join } from "node:path";
import { analyze } from "../../../report/analyze/analyze";
import { weakenedPolicies } from "../../../report/analyze/policy-settings";
import { readSettings } from "../../../report/read/settings";
import { recorded } from "./support/preview";
import { markdownOf } from "./support/render";

/** A pull request can change the settings: the report lists policies that it disables or weakens. */

test("unreadable settings are listed, not treated as empty", () => {
  const settings = readSettings({ before: undefined, after: join(__dirname, "nowhere.json") });
  expect(weakenedPolicies(settings)).toMatchObject([
    { reason: expect.stringMatching(/^settings could not be read: ENOENT.*nowhere\.json/) },
  ]);
  expect(readSettings({ before: undefined, after: __filename }).problem).toContain("is not a policy settings file");
});

test("the report lists it under what needs attention", async () => {
  const preview = await recorded("nothing");
  const settings = { before: {}, after: { all: "disabled" } };
  expect(analyze(preview, { masks: [], settings }).weakened).toBe(1);
  expect(markdownOf(preview, { settings })).toContain(
    "- 👀 <code>all policies</code>: disabled (was the default level)",
  );
});
