// Generated parts of the `pulumi new` templates: package versions, and the workflow and policy settings of examples/ci.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { withVersion } from "./pages-with-version.mjs";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { version, workspaces, dependencies, devDependencies } = require("../package.json");

const packages = workspaces.map((folder) => require(`../${folder}/package.json`).name);
const VERSIONS = {
  ...devDependencies,
  ...dependencies,
  ...Object.fromEntries(packages.map((name) => [name, version])),
};
const PLUGIN = `pulumi plugin install resource clouddb v${version} --file node_modules/pulumi-clouddb/native-plugin`;

/** Commands of a language's workflow: before the preview, and for its tests. */
const COMMANDS = {
  typescript: { before: [], tests: "npm test" },
  python: {
    before: [PLUGIN, "python3 -m venv venv", "venv/bin/pip install -r requirements.txt"],
    tests: "venv/bin/pytest test_program.py",
  },
  yaml: { before: [PLUGIN], tests: "npm test" },
};

const HEADER = `# Previews each stack for a pull request: policies stop bad changes, and each stack's report is one comment and part of
# the job summary. README.md lists the secrets and variables that it needs.
`;

/** Each file with its text. */
export function templateFiles() {
  return readdirSync(join(root, "templates")).flatMap((name) => {
    const folder = `templates/${name}`;
    const commands = COMMANDS[name.split("-").at(-1)];
    const readme = textOf(`${folder}/README.md`);
    return [
      [`${folder}/package.json`, packageWithVersions(`${folder}/package.json`)],
      [`${folder}/policies.json`, textOf("examples/ci/policies.json")],
      [`${folder}/.github/workflows/preview.yml`, workflow(commands)],
      [`${folder}/README.md`, withVersion(readme)],
      ...(name === "clouddb-python" ? [requirements(`${folder}/requirements.txt`)] : []),
    ];
  });
}

function packageWithVersions(path) {
  const manifest = JSON.parse(textOf(path));
  for (const kind of ["dependencies", "devDependencies"]) {
    for (const name of Object.keys(manifest[kind] ?? {})) manifest[kind][name] = versionOf(name);
  }
  return JSON.stringify(manifest, undefined, 2);
}

function requirements(path) {
  return [path, textOf(path).replace(/^pulumi>=[\d.]+/m, `pulumi>=${versionOf("@pulumi/pulumi")}`)];
}

function versionOf(name) {
  if (VERSIONS[name] === undefined) throw new Error(`package.json must have ${name}, whose version templates take`);
  return VERSIONS[name];
}

/** The workflow of examples/ci for the one stack that `pulumi new` creates. */
function workflow({ before, tests }) {
  const install = "      - run: npm ci --ignore-scripts\n";
  const after = "\n  # A separate job with";
  const testStep = `      - run: ${tests}\n        if: \${{ !cancelled() }}\n`;
  return [
    [/^(#.*\n)+/, HEADER],
    [/stack: \[.*\]/g, "stack: [dev]"],
    [install, install + before.map((command) => `      - run: ${command}\n`).join("")],
    [after, testStep + after],
  ].reduce(replaced, textOf("examples/ci/github/workflows/preview.yml"));
}

function replaced(text, [found, replacement]) {
  const result = text.replace(found, () => replacement);
  if (result === text && !text.includes(replacement)) {
    throw new Error(`preview.yml has no ${found}, which templates replace`);
  }
  return result;
}

function textOf(path) {
  return readFileSync(join(root, path), "utf8");
}
