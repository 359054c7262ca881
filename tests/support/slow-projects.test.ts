import { type SlowProject, slowProjects } from "../../tools/slow-projects";

test("a changed file runs the slow projects that name it or a folder above it", () => {
  const projects = [
    { displayName: "page", slow: ["simulator"] },
    { displayName: "site", slow: ["docs", "README.md"] },
  ];
  expect(slowProjects(projects, ["docs/limits.md"])).toEqual(["site"]);
  expect(slowProjects(projects, ["simulator/cli.ts", "README.md"])).toEqual(["page", "site"]);
  expect(slowProjects(projects, ["simulators/cli.ts", "policies/README.md"])).toEqual([]);
});

test("each path that a slow project names exists", () => {
  const { slow }: { slow: readonly SlowProject[] } = require("../../jest.config.cjs");
  expect(slowProjects(slow)).toEqual(slow.map(({ displayName }) => displayName));
});

test("a path of a slow project that the repository lacks is an error", () => {
  expect(() => slowProjects([{ displayName: "page", slow: ["simulators"] }], [])).toThrow(
    "jest.config.cjs names paths that do not exist: simulators",
  );
});
