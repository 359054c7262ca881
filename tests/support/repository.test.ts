import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import repository, { version, workspaces } from "../../package.json";
import { pagesWithVersion, withVersion } from "../../tools/generate/page-parts";
import { templateFiles } from "../../tools/generate/templates";
import { type SlowProject, slowProjects } from "../../tools/slow-projects";
import { manifestOf } from "../../tools/support/repository";
import versions from "../../versions.json";
import { root } from "./root";

test("a changed file selects the slow projects that name it or a folder above it", () => {
  const projects = [
    { displayName: "page", slow: ["simulator"] },
    { displayName: "site", slow: ["docs", "README.md"] },
  ];
  expect(slowProjects(projects, ["docs/limits.md"])).toEqual(["site"]);
  expect(slowProjects(projects, ["simulator/cli.ts", "README.md"])).toEqual(["page", "site"]);
  expect(slowProjects(projects, ["simulators/cli.ts", "policies/README.md"])).toEqual([]);
});

test("each path in a slow project exists", () => {
  const { slow }: { slow: readonly SlowProject[] } = require("../../jest.config.cjs");
  expect(slowProjects(slow)).toEqual(slow.map(({ displayName }) => displayName));
});

test("a missing path in a slow project is an error", () => {
  expect(() => slowProjects([{ displayName: "page", slow: ["simulators"] }], [])).toThrow(
    "jest.config.cjs names paths that do not exist: simulators",
  );
});

/** The versions that pages and packages name. */

test("the build updates each package version in pages and examples", () => {
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

test("engines allows the tested versions of Node.js and later ones", () => {
  const [newest, ...others] = [...versions.node].reverse();
  const tested = [...others.reverse().map((major) => `^${major}`), `>=${newest}`].join(" || ");
  for (const { engines } of [repository, ...workspaces.map(manifestOf)])
    expect(engines).toEqual({ node: tested });
});
