// Generates types, reference pages and the report's list of fields from the field tables. Part of the build;
// `--check` only compares.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { policiesPage } from "./policies-page.mjs";
import { functionPage, resourcePage } from "./reference.mjs";
import { packageSchema } from "./schema.mjs";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { describeField, describeValue, typeOf } = require("../provider/dist/fields/describe.js");
const { operations } = require("../provider/dist/api/operations.js");
const { fieldPathsOf } = require("../provider/dist/fields/index.js");
const { functions } = require("../provider/dist/functions/definitions.js");
const { resources } = require("../provider/dist/resources/index.js");
const { document } = require("../simulator/dist/schema/document.js");
const { settingsTable } = require("../provider/dist/settings/settings.js");
const { policies } = require("../policies/dist/rules/index.js");
const { settingName } = require("../provider/dist/fields/display.js");

const NOTE = "// Made by `npm run build` from the tables of fields. Do not edit.\n";
const HEADER = `// Made by \`npm run build\` from the tables of fields. Do not edit.\nimport type * as pulumi from "@pulumi/pulumi";\n\n`;

const files = [
  ["provider/settings/provider-args.ts", HEADER + providerArgs()],
  ["provider/functions/types.ts", NOTE + functionTypes()],
  ...Object.entries(resources).map(([name, { folder, definition }]) => [
    `provider/resources/${folder}/types.ts`,
    HEADER + argumentsOf(name, definition) + outputsOf(name, definition),
  ]),
  ...Object.entries(resources).map(([name, { folder, definition }]) => [
    `docs/reference/${name}.md`,
    resourcePage(name, definition, folder),
  ]),
  ["report/fields.json", `${JSON.stringify(reportFields(), undefined, 2)}\n`],
  [
    "provider/schema.json",
    `${JSON.stringify(packageSchema({ resources, functions, settings: settingsTable }), undefined, 2)}\n`,
  ],
  ["simulator/openapi.json", `${JSON.stringify(document, undefined, 2)}\n`],
  ["docs/policies.md", policiesPage(policies)],
  ...Object.entries(functions).map(([name, entry]) => [`docs/reference/${name}.md`, functionPage(name, entry)]),
];

// CI builds what was committed: there, a file that is out of date is an error.
const mayWrite = !process.argv.includes("--check") && !process.env.CI;
const stale = files.filter(([path, text]) => {
  const formatted = /\.(ts|json)$/.test(path) ? format(path, text) : text;
  if (readOr(path) === formatted) return false;
  if (mayWrite) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), formatted);
  }
  return true;
});
for (const [path] of stale)
  console.log(mayWrite ? `Updated ${path}` : `Out of date: ${path}. Run \`npm run build\` and commit the result.`);
if (!mayWrite && stale.length > 0) process.exitCode = 1;

/** What a report has to know of our resources, without their code. */
function reportFields() {
  return Object.fromEntries(
    Object.entries(resources).map(([name, { definition }]) => {
      const leaves = fieldPathsOf(definition.fields);
      const isCreated = leaves.some(({ field }) =>
        field.operations.some((each) => operations[each]?.method === "POST"),
      );
      return [name, { name, staysWhenDeleted: isCreated, secrets: secretMembers(definition) }];
    }),
  );
}

/** The names of everything secret, at whatever depth it stands. */
function secretMembers(definition) {
  const places = fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .map(({ path }) => path.at(-1));
  const outputs = Object.entries(definition.outputs)
    .filter(([, { secret }]) => secret)
    .map(([name]) => name);
  return [...new Set([...places, ...outputs])].sort();
}

function providerArgs() {
  const members = Object.entries(settingsTable).map(([key, setting]) => {
    const { doc, facts, inputType } = describeValue(setting);
    return member(key, true, inputType, [doc, ...facts, `Otherwise: ${settingName(key)}.`]);
  });
  return block(
    "The arguments of a Provider. Each that is missing comes from the stack's configuration or the environment.",
    "ProviderArgs",
    members,
  );
}

function functionTypes() {
  const seen = new Set();
  return Object.entries(functions)
    .flatMap(([name, { doc, args, result }]) => {
      const capital = name.charAt(0).toUpperCase() + name.slice(1);
      // Two functions with the same arguments share the type of the first.
      const shared = [...seen].includes(JSON.stringify(args));
      seen.add(JSON.stringify(args));
      const members = Object.entries(args).map(([arg, entry]) =>
        member(arg, entry.optional, "string", [entry.doc], undefined, "readonly "),
      );
      const hasArgs = members.length > 0 && !shared;
      return [
        hasArgs ? block(`The arguments of ${name}.`, `${capital}Args`, members) : "",
        `/** What ${name} gives. ${doc} What the API does not say is absent. */\nexport type ${capital}Result = ${typeOf(result)};\n\n`,
      ];
    })
    .join("");
}

function argumentsOf(name, definition) {
  return block(`The arguments of a ${name}.`, `${name}Args`, argumentMembers(definition, definition.fields, []));
}

/** The arguments of a table; those of a group stand inside its type, each with its own documentation. */
function argumentMembers(definition, table, path) {
  return Object.entries(table).map(([name, entry]) => {
    const place = [...path, name];
    if (entry.fields) {
      const inner = argumentMembers(definition, entry.fields, place).join("\n");
      return member(name, true, `pulumi.Input<{\n${inner}\n}>`, [entry.doc]);
    }
    const { doc, facts, inputType, deprecated } = describeField(definition, place.join("."), entry);
    const isOptional = !entry.required || entry.setting !== undefined;
    return member(name, isOptional, inputType, [doc, ...facts, sentBy(entry)], deprecated);
  });
}

/** The type of a group's value. */
function groupType(definition, { fields }) {
  const members = Object.entries(fields).map(
    ([name, entry]) =>
      `${name}?: ${entry.fields ? groupType(definition, entry) : describeField(definition, name, entry).type}`,
  );
  return `{ ${members.join("; ")} }`;
}

function outputsOf(name, definition) {
  const given = Object.entries(definition.fields).map(([field, entry]) => {
    if (entry.fields) {
      const type = `pulumi.Output<${groupType(definition, entry)} | undefined>`;
      return member(
        field,
        false,
        type,
        [`As it is declared. ${entry.observedAs} has all of it.`],
        undefined,
        "readonly ",
      );
    }
    const { doc, type } = describeField(definition, field, entry);
    const known = entry.inResponse || entry.required ? "" : " | undefined";
    return member(field, false, `pulumi.Output<${type}${known}>`, [doc], undefined, "readonly ");
  });
  const made = Object.entries(definition.outputs).map(([output, entry]) => {
    const { doc, facts, type } = describeValue(entry);
    const known = entry.secret ? " | undefined" : "";
    return member(output, false, `pulumi.Output<${type}${known}>`, [doc, ...facts], undefined, "readonly ");
  });
  return block(`What is known of a ${name} once it is in a stack.`, `${name}Outputs`, [...given, ...made]);
}

function sentBy({ operations: names }) {
  const requests = names.map((name) =>
    operations[name] ? `${operations[name].method} ${operations[name].path}` : "the request path",
  );
  return `Carried by: ${requests.join(", ")}.`;
}

function member(name, isOptional, type, sentences, deprecated, modifier = "") {
  const lines = [...sentences, ...(deprecated ? [`@deprecated ${deprecated}`] : [])];
  return `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n${modifier}${name}${isOptional ? "?" : ""}: ${type};`;
}

function block(doc, name, members) {
  return `/** ${doc} */\nexport interface ${name} {\n${members.join("\n")}\n}\n\n`;
}

function format(path, text) {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const target = join(root, path);
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${target}`], {
    cwd: root,
    input: text,
    encoding: "utf8",
  });
}

function readOr(path) {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return "";
  }
}
