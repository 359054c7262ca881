import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stage } from "../../../tools/docs/stage";
import { temporaryFolder } from "../../support/temporary-folder";

test("a page is written again only when it has changed, so that open pages are reloaded for changes alone", () => {
  const folder = temporaryFolder("site");
  stage(folder);
  const [same, other] = [join(folder, "glossary.md"), join(folder, "concepts.md")];
  utimesSync(same, 1, 1);
  writeFileSync(other, "outdated");
  stage(folder);
  expect(statSync(same).mtimeMs).toBe(1000);
  expect(statSync(other).size).toBeGreaterThan(100);
});
