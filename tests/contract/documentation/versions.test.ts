import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import repository, { version, workspaces } from "../../../package.json";
import { pagesWithVersion, withVersion } from "../../../tools/generate/page-parts";
import { templateFiles } from "../../../tools/generate/templates";
import { manifestOf } from "../../../tools/support/repository";
import versions from "../../../versions.json";
import { root } from "../../support/root";

/** The versions that pages and packages name. */

test("the build rewrites each version of the packages that a page or an example names", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "*.xml", "*.yaml", "*requirements.txt"], {
    cwd: root,
    encoding: "utf8",
  });
  const rewritten = [...pagesWithVersion(), ...templateFiles()].map(([name]) => name);
  const stale = files
    .trim()
    .split("\n")
    .filter((name) => !["CHANGELOG.md", "CONTRIBUTING.md"].includes(name))
    .filter((name) => {
      const text = readFileSync(join(root, name), "utf8").replace(/(until|before) 1\.0\.0/gi, "");
      const next = withVersion(text, "99.0.0");
      return next.includes(version) || (next !== text && !rewritten.includes(name));
    });
  expect(stale).toEqual([]);
});

test("engines names the versions of Node.js that are tested, and later ones", () => {
  const [newest, ...others] = [...versions.node].reverse();
  const tested = [...others.reverse().map((major) => `^${major}`), `>=${newest}`].join(" || ");
  for (const { engines } of [repository, ...workspaces.map(manifestOf)])
    expect(engines).toEqual({ node: tested });
});
