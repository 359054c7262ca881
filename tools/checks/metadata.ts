import shared from "../../package.json";
import { web } from "../docs/links";
import { changesetsIn } from "../release/changelog";
import { run } from "../support/process";
import { manifestOf, root, textOf } from "../support/repository";
import { type CheckResult, resultOf } from "./tool";

/** A newcomer reads them all. */
const MOST_SCRIPTS = 20;

/** One version, one address and one license for all packages; a lock file that works with any registry. */
export async function metadata(): Promise<CheckResult> {
  return resultOf([
    ...shared.workspaces.flatMap(problemsOf),
    ...problemsOfLockFile(),
    ...problemsOfScripts(),
    ...(await problemsOfLinks()),
    ...(await problemsOfChangesets()),
  ]);
}

/** The repository's own package.json is the one place for what all packages share. */
function problemsOf(folder: string): string[] {
  const manifest = manifestOf(folder);
  const wanted = {
    version: shared.version,
    homepage: `${web}/tree/main/${folder}#readme`,
    bugs: shared.bugs,
    repository: { ...shared.repository, directory: folder },
    license: shared.license,
    engines: shared.engines,
  };
  const internal = packageNames().filter((name) => manifest.dependencies?.[name]);
  return [
    ...Object.entries(wanted)
      .filter(([key, value]) => JSON.stringify(manifest[key]) !== JSON.stringify(value))
      .map(([key, value]) => `${folder}/package.json: ${key} must be ${JSON.stringify(value)}`),
    ...internal
      .filter((name) => manifest.dependencies?.[name] !== shared.version)
      .map((name) => `${folder}/package.json: the dependency ${name} must be ${shared.version}`),
  ];
}

/** `resolved` would tie every user to the registry of the author. */
function problemsOfLockFile(): string[] {
  const { packages }: { packages: Record<string, { resolved?: string }> } = JSON.parse(textOf("package-lock.json"));
  return Object.entries(packages)
    .filter(([, { resolved = "" }]) => resolved.includes("://"))
    .map(([path]) => `package-lock.json: ${path} names a registry; run npm install with the repository's .npmrc`);
}

/** CONTRIBUTING.md lists the commands by what a contributor wants to do. */
function problemsOfScripts(): string[] {
  const names = Object.keys(shared.scripts);
  const page = textOf("CONTRIBUTING.md");
  return [
    ...names
      .filter((name) => !new RegExp(`\\bnpm (?:run )?${name}\\b`).test(page))
      .map((name) => `CONTRIBUTING.md does not mention npm run ${name}`),
    ...(names.length > MOST_SCRIPTS
      ? [`package.json: at most ${MOST_SCRIPTS} scripts; there are ${names.length}`]
      : []),
  ];
}

/** Every link to the repository, in whatever file. */
async function problemsOfLinks(): Promise<string[]> {
  const name = web.split("/").at(-1);
  const found = await run("git", ["grep", "-oE", `github\\.com/[A-Za-z0-9-]+/${name}\\b`], { cwd: root });
  return found.stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(web.replace("https://", ":")))
    .map((line) => `${line} must be ${web}`);
}

/** A package that does not exist would only be found by the next release. */
async function problemsOfChangesets(): Promise<string[]> {
  const names = packageNames();
  return (await changesetsIn(root)).flatMap(({ id, releases }) =>
    releases.filter(({ name }) => !names.includes(name)).map(({ name }) => `.changeset/${id}.md: no package ${name}`),
  );
}

function packageNames(): string[] {
  return shared.workspaces.map((folder) => manifestOf(folder).name);
}
