// Generated parts of the `pulumi new` templates: package versions, and the workflow and policy
// settings of examples/ci.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dependencies, devDependencies, version, workspaces } from "../../package.json";
import { type Manifest, manifestOf, root, textOf } from "../support/repository";
import { withVersion } from "./page-parts";
import type { FileText } from "./tables";

const packages = workspaces.map((folder) => manifestOf(folder).name);
const VERSIONS: Readonly<Record<string, string>> = {
  ...devDependencies,
  ...dependencies,
  ...Object.fromEntries(packages.map((name) => [name, version])),
};
const PLUGIN = `pulumi plugin install resource clouddb v${version} --file node_modules/pulumi-clouddb/native-plugin`;

/** Commands of a language's workflow: before the preview, and for its tests. */
interface Commands {
  readonly before: readonly string[];
  readonly tests: string;
}

const COMMANDS: Readonly<Record<string, Commands>> = {
  typescript: { before: [], tests: "npm test" },
  python: {
    before: [PLUGIN, "python3 -m venv venv", "venv/bin/pip install -r requirements.txt"],
    tests: "venv/bin/pytest test_program.py",
  },
  yaml: { before: [PLUGIN], tests: "npm test" },
};

const HEADER = `# Previews each stack for a pull request: policies stop bad changes, and one comment has the report. README.md lists the
# secrets and variables that it needs.
`;

/** Each generated file of the templates with its text. */
export function templateFiles(): FileText[] {
  return readdirSync(join(root, "templates")).flatMap((name): FileText[] => {
    const folder = `templates/${name}`;
    const [language = ""] = name.split("-").slice(-1);
    const commands = COMMANDS[language];
    if (commands === undefined) throw new Error(`${folder}: no workflow commands for ${language}`);
    const readme = textOf(`${folder}/README.md`);
    return [
      [`${folder}/package.json`, packageWithVersions(folder)],
      [`${folder}/policies.json`, textOf("examples/ci/policies.json")],
      [`${folder}/.github/workflows/preview.yml`, workflow(commands)],
      [`${folder}/README.md`, withVersion(readme)],
      [`${folder}/Pulumi.yaml`, withVersion(textOf(`${folder}/Pulumi.yaml`))],
      ...(name === "clouddb-python" ? [requirements(`${folder}/requirements.txt`)] : []),
    ];
  });
}

function packageWithVersions(folder: string): string {
  const withVersions = (given: Manifest["dependencies"]) =>
    given && Object.fromEntries(Object.keys(given).map((name) => [name, versionOf(name)]));
  const manifest = manifestOf(folder);
  const versions = {
    dependencies: withVersions(manifest.dependencies),
    devDependencies: withVersions(manifest.devDependencies),
  };
  return JSON.stringify({ ...manifest, ...versions }, undefined, 2);
}

function requirements(path: string): FileText {
  const text = textOf(path).replace(/^pulumi>=[\d.]+/m, `pulumi>=${versionOf("@pulumi/pulumi")}`);
  return [path, withVersion(text)];
}

function versionOf(name: string): string {
  const version = VERSIONS[name];
  if (version === undefined)
    throw new Error(`package.json must have ${name}, whose version templates take`);
  return version;
}

/** The workflow of examples/ci for the one stack that `pulumi new` creates. */
function workflow({ before, tests }: Commands): string {
  const setup = before.map((command) => `        ${command}\n`).join("");
  const environment = /( {6}environment: .*\n)/;
  const preview = textOf("examples/ci/github/workflows/preview.yml");
  const [line = ""] = environment.exec(preview) ?? [];
  const commands = `${setup && `      setup: |\n${setup}`}      tests: ${tests}\n`;
  const replacements: readonly (readonly [string | RegExp, string])[] = [
    [/^(#.*\n)+/, HEADER],
    [/stacks: '.*'/, "stacks: '[\"dev\"]'"],
    [environment, line + commands],
  ];
  return replacements.reduce(replaced, preview);
}

function replaced(
  text: string,
  [pattern, replacement]: readonly [string | RegExp, string],
): string {
  const result = text.replace(pattern, () => replacement);
  if (result === text && !text.includes(replacement)) {
    throw new Error(`preview.yml has no ${pattern}, which templates replace`);
  }
  return result;
}
