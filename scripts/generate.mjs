// Generates types, reference pages and the report's list of fields from the field tables. Part of the build;
// `--check` only compares.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { policiesPage } from "./policies-page.mjs";
import { examplesOf, functionPage, providerPage, resourcePage } from "./reference.mjs";
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
const schemas = require("../provider/dist/api/schemas.js");
const { shownSettings } = require("../provider/dist/resources/pipe/settings.js");

const NOTE = "// Made by `npm run build` from the tables of fields. Do not edit.\n";
const HEADER = `// Made by \`npm run build\` from the tables of fields. Do not edit.\nimport type * as pulumi from "@pulumi/pulumi";\n\n`;

/** What stands in several types, by the name that it is given; sorted, as imports are. */
const PIPE_TYPES = {
  KafkaSource: schemas.source.shape.kafka,
  KinesisSource: schemas.source.shape.kinesis,
  ObjectStorageSource: schemas.source.shape.objectStorage,
  PipeDestination: schemas.destination,
  PipeScaling: schemas.pipe.shape.scaling,
  PipeSettings: shownSettings,
  PostgresSource: schemas.source.shape.postgres,
};
const { region, tier, profile } = resources.Service.definition.fields;
const SERVICE_TYPES = { Profile: profile.schema, Region: region.schema, Tier: tier.schema };
/** Those of pipes are public, since results of functions hold them; the others a compiler writes out where it needs them. */
const SHARED_TYPES = { pipe: PIPE_TYPES, service: SERVICE_TYPES };

const files = [
  ["provider/settings/provider-args.ts", HEADER + providerArgs()],
  ["provider/functions/types.ts", NOTE + functionTypes()],
  ...Object.entries(resources).map(([name, { folder, definition }]) => [
    `provider/resources/${folder}/types.ts`,
    HEADER + resourceTypes(name, definition, SHARED_TYPES[folder]),
  ]),
  ...Object.entries(resources).map(([name, { folder, definition }]) => [
    `docs/reference/${name}.md`,
    resourcePage(name, definition, folder),
  ]),
  ["docs/reference/Provider.md", providerPage(settingsTable)],
  ...sourcesWithExamples(),
  ["report/fields.json", `${JSON.stringify(reportFields(), undefined, 2)}\n`],
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

/** What a report has to know about our resources, without their code. */
function reportFields() {
  return Object.fromEntries(
    Object.entries(resources).map(([name, { definition }]) => {
      const isCreated = fieldPathsOf(definition.fields).some(({ field }) =>
        field.operations.some((each) => operations[each]?.method === "POST"),
      );
      return [name, { name, staysWhenDeleted: isCreated, secrets: secretMembers(definition) }];
    }),
  );
}

/** The names of everything secret, at whatever depth it stands. */
function secretMembers(definition) {
  const secretArguments = fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .map(({ path }) => path.at(-1));
  const secretOutputs = Object.keys(definition.outputs).filter((name) => definition.outputs[name].secret);
  return [...new Set([...secretArguments, ...secretOutputs])].sort();
}

/** Types with names in place of what several of them hold. */
function withNames(shared, text) {
  let named = text;
  for (const [name, schema] of Object.entries(shared)) {
    const type = typeOf(schema);
    named = named.replaceAll(type, name);
    // An object with the same members, and others after them.
    if (type.endsWith(" }")) named = named.replaceAll(`${type.slice(0, -2)}; `, `${name} & { `);
  }
  return named;
}

function resourceTypes(name, definition, shared = {}) {
  const modifier = shared === PIPE_TYPES ? "export " : "";
  const declarations = Object.entries(shared).map(
    ([each, schema]) => `${modifier}type ${each} = ${typeOf(schema)};\n\n`,
  );
  return withNames(shared, argumentsOf(name, definition) + outputsOf(name, definition)) + declarations.join("");
}

function providerArgs() {
  const members = Object.entries(settingsTable).map(([key, setting]) => {
    const { default: standard, ...described } = setting;
    const { doc, facts, inputType } = describeValue(described);
    const last = standard === undefined ? "" : `, and otherwise to ${standard}`;
    const sentences = [doc, ...facts, `Defaults to ${settingName(key)}${last}.`];
    return member({ name: key, type: inputType, sentences, isOptional: true });
  });
  return block(
    "The arguments of a Provider. Each defaults to the stack's configuration, then to the environment.",
    "ProviderArgs",
    members,
  );
}

function functionTypes() {
  const seen = new Set();
  const imports = `import type { ${Object.keys(PIPE_TYPES).join(", ")} } from "../resources/pipe/types";\n\n`;
  const types = Object.entries(functions)
    .flatMap(([name, { args, result }]) => {
      const capital = name.charAt(0).toUpperCase() + name.slice(1);
      // Two functions with the same arguments share the type of the first.
      const shared = [...seen].includes(JSON.stringify(args));
      seen.add(JSON.stringify(args));
      const members = Object.entries(args).map(([arg, entry]) =>
        member({ name: arg, type: "string", sentences: [entry.doc], isOptional: entry.optional, isReadonly: true }),
      );
      const hasArgs = members.length > 0 && !shared;
      return [
        hasArgs ? block(`The arguments of ${name}.`, `${capital}Args`, members) : "",
        `/** The result of ${name}. A member that the API does not return is absent. */\nexport type ${capital}Result = ${typeOf(result)};\n\n`,
      ];
    })
    .join("");
  return imports + withNames(PIPE_TYPES, types);
}

/** The sources of the public classes and functions, with the examples in their doc comments. */
function sourcesWithExamples() {
  const classes = Object.entries(resources).map(([name, { folder }]) => [
    `provider/resources/${folder}/${folder}.ts`,
    { [name]: folder },
  ]);
  const lookups = Object.keys(functions).flatMap((name) => [
    [name, name],
    [`${name}Output`, name],
  ]);
  const sources = [
    ...classes,
    ["provider/settings/provider.ts", { Provider: "provider" }],
    ["provider/functions/index.ts", Object.fromEntries(lookups)],
  ];
  return sources.map(([path, examples]) => [
    path,
    Object.entries(examples).reduce((text, [name, example]) => withExamples(text, name, example), readOr(path)),
  ]);
}

/** The source with the examples at the end of the doc comment of an export. */
function withExamples(source, name, example) {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/(?=\nexport (?:class|const|function) ${name}\\b)`);
  if (!comment.test(source)) throw new Error(`${name} has no doc comment`);
  return source.replace(comment, (_, text) => {
    const lines = text.split("\n").map((line) => line.replace(/^ ?\* ?/, "").trim());
    const prose = lines.join("\n").split("@example")[0].trim().split("\n");
    const examples = examplesOf(example).flatMap((code) => ["@example", "```ts", ...code.split("\n"), "```"]);
    const body = [...prose, "", ...examples].map((line) => ` * ${line}`.trimEnd());
    return ["/**", ...body, " */"].join("\n");
  });
}

function argumentsOf(name, definition) {
  return block(
    `The arguments of ${withArticle(name)}.`,
    `${name}Args`,
    argumentMembers(definition, definition.fields, []),
  );
}

/** The arguments of a table; those of a group stand inside its type, each with its own documentation. */
function argumentMembers(definition, table, path) {
  return Object.entries(table).map(([name, entry]) => {
    const place = [...path, name];
    if (entry.fields) {
      const inner = argumentMembers(definition, entry.fields, place).join("\n");
      return member({ name, type: `pulumi.Input<{\n${inner}\n}>`, sentences: [entry.doc], isOptional: true });
    }
    const { doc, facts, inputType, deprecated } = describeField(definition, place.join("."), entry);
    const isOptional = !entry.required || entry.setting !== undefined;
    const sentences = [doc, ...facts, sentBy(entry)];
    return member({ name, type: inputType, sentences, deprecated, isOptional });
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
  const declared = Object.entries(definition.fields).map(([field, entry]) => {
    if (entry.fields) {
      const sentence = `${entry.doc} This is what the program declares; ${entry.observedAs} is what the API returns.`;
      return outputMember(field, `${groupType(definition, entry)} | undefined`, [sentence]);
    }
    const { doc, type } = describeField(definition, field, entry);
    return outputMember(field, entry.inResponse || entry.required ? type : `${type} | undefined`, [doc]);
  });
  const computed = Object.entries(definition.outputs).map(([output, entry]) => {
    const { doc, facts, type } = describeValue(entry);
    return outputMember(output, entry.secret ? `${type} | undefined` : type, [doc, ...facts]);
  });
  return block(`The outputs of ${withArticle(name)}.`, `${name}Outputs`, [...declared, ...computed]);
}

function outputMember(name, type, sentences) {
  return member({ name, type: `pulumi.Output<${type}>`, sentences, isReadonly: true });
}

function withArticle(name) {
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

function sentBy({ operations: names }) {
  const requests = names.filter((name) => operations[name]).map((name) => operations[name]);
  if (requests.length === 0) return "Part of the request path.";
  return `Sent with ${requests.map(({ method, path }) => `${method} ${path}`).join(" and ")}.`;
}

function member({ name, type, sentences, deprecated, isOptional = false, isReadonly = false }) {
  const lines = [...sentences, ...(deprecated ? [`@deprecated ${deprecated}`] : [])];
  const comment = lines.map((line) => ` * ${line}\n`).join("");
  return `/**\n${comment} */\n${isReadonly ? "readonly " : ""}${name}${isOptional ? "?" : ""}: ${type};`;
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
