import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changesetsIn } from "../release/changesets.mjs";
import { run } from "../setup/command.mjs";
import { root } from "../setup/root.mjs";

/** The repository's own package.json is the one place for what all packages share. */
const shared = packageIn(".");
const web = shared.homepage.replace(/#readme$/, "");

/** One version, one address and one license for all packages; a lock file that works with any registry. */
export async function metadata() {
  const problems = [
    ...shared.workspaces.flatMap(problemsOf),
    ...problemsOfLockFile(),
    ...(await problemsOfLinks()),
    ...(await problemsOfChangesets()),
  ];
  return { code: problems.length === 0 ? 0 : 1, stdout: problems.join("\n"), stderr: "" };
}

function problemsOf(folder) {
  const given = packageIn(folder);
  const wanted = {
    version: shared.version,
    homepage: `${web}/tree/main/${folder}#readme`,
    bugs: shared.bugs,
    repository: { ...shared.repository, directory: folder },
    license: shared.license,
    engines: shared.engines,
  };
  const internal = shared.workspaces.map((each) => packageIn(each).name).filter((name) => given.dependencies[name]);
  return [
    ...Object.keys(wanted)
      .filter((key) => JSON.stringify(given[key]) !== JSON.stringify(wanted[key]))
      .map((key) => `${folder}/package.json: ${key} must be ${JSON.stringify(wanted[key])}`),
    ...internal
      .filter((name) => given.dependencies[name] !== shared.version)
      .map((name) => `${folder}/package.json: the dependency ${name} must be ${shared.version}`),
    ...(textOf(folder, "LICENSE") === textOf(".", "LICENSE") ? [] : [`${folder}/LICENSE must be a copy of LICENSE`]),
  ];
}

/** `resolved` would tie everybody to the registry of whoever wrote the file. */
function problemsOfLockFile() {
  return Object.entries(packageIn(".", "package-lock.json").packages)
    .filter(([, { resolved = "" }]) => resolved.includes("://"))
    .map(([path]) => `package-lock.json: ${path} names a registry; run npm install with the repository's .npmrc`);
}

/** Every link to the repository, in whatever file. */
async function problemsOfLinks() {
  const name = web.split("/").at(-1);
  const found = await run("git", ["grep", "-oE", `github\\.com/[A-Za-z0-9-]+/${name}\\b`], { cwd: root });
  return found.stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(web.replace("https://", ":")))
    .map((line) => `${line} must be ${web}`);
}

/** A package that does not exist would only be found by the next release. */
async function problemsOfChangesets() {
  const names = shared.workspaces.map((folder) => packageIn(folder).name);
  return (await changesetsIn(root)).flatMap(({ id, releases }) =>
    releases.filter(({ name }) => !names.includes(name)).map(({ name }) => `.changeset/${id}.md: no package ${name}`),
  );
}

function packageIn(folder, name = "package.json") {
  return JSON.parse(textOf(folder, name));
}

function textOf(...path) {
  return readFileSync(join(root, ...path), "utf8");
}
