// The pages under docs/reference/, made from the tables of fields; `npm run build` writes them.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { ANY_OTHER, describeField, describeValue, typeOf } = require("../provider/dist/fields/describe.js");
const { operations } = require("../provider/dist/api/operations.js");
const { settingName } = require("../provider/dist/fields/display.js");

const NOTE = "<!-- Made by `npm run build` from the tables of fields. Do not edit. -->\n\n";

/** The settings of the provider, each with its key and its environment variable. */
export function providerPage(settingsTable) {
  const rows = Object.entries(settingsTable).map(([key, setting]) => {
    const { doc, facts, type } = describeValue(setting);
    return row(key, type, [doc, ...facts].join(" "), `\`${settingName(key).replace(" (", "`, `").replace(")", "")}\``);
  });
  return `${NOTE}# Provider\n\n${examples("provider")}## Arguments\n\nEach defaults to the stack's configuration, then to the environment variable.\n\n${HEAD}${rows.join("\n")}\n`;
}

/** One page for a resource: its examples, arguments and outputs. */
export function resourcePage(name, definition, folder) {
  const outputs = Object.entries(definition.outputs).map(([output, entry]) => {
    const { doc, facts, type } = describeValue(entry);
    return row(output, type, [doc, ...facts].join(" "), "");
  });
  return `${NOTE}# ${name}\n\n${examples(folder)}## Arguments\n\n${HEAD}${argumentRows(definition, definition.fields, []).join("\n")}\n\n## Outputs\n\nThe arguments, and what only the API returns:\n\n${HEAD}${outputs.join("\n")}\n`;
}

/** One page for a function: its arguments and its result. */
export function functionPage(name, { doc, operation, args, result }) {
  const { method, path, api: side } = operations[operation];
  const rows = Object.entries(args).map(([arg, entry]) =>
    row(arg, "string", entry.doc, entry.optional ? "" : "required"),
  );
  const given = rows.length > 0 ? `## Arguments\n\n${HEAD}${rows.join("\n")}\n\n` : "";
  return `${NOTE}# ${name}\n\n${doc} \`${name}Output\` takes and returns Outputs. It sends \`${method} ${path}\` to the ${side} API, once per run of the program for the same arguments. Under \`pulumi.runtime.setMocks\`, the mock is called instead, with the token \`clouddb:index:${name}\`.\n\n${examples(name)}${given}## Result\n\n\`\`\`ts\ntype ${name.charAt(0).toUpperCase()}${name.slice(1)}Result = ${typeOf(result).replaceAll("; ", ";\n")};\n\`\`\`\n`;
}

const HEAD = "| name | type | meaning | |\n|---|---|---|---|\n";

function argumentRows(definition, table, path) {
  return Object.entries(table).flatMap(([name, entry]) => {
    const place = [...path, name].join(".");
    if (entry.fields)
      return [row(place, "object", entry.doc, ""), ...argumentRows(definition, entry.fields, [...path, name])];
    const { type, doc, facts, deprecated } = describeField(definition, place, entry);
    const carriers = entry.operations.filter((each) => operations[each]).map((each) => `\`${each}\``);
    const marks = [
      entry.required && !entry.setting ? "required" : "",
      entry.secret ? "secret" : "",
      deprecated ? "deprecated" : "",
      carriers.length > 0 ? `sent with ${carriers.join(", ")}` : "",
    ];
    const meaning = [doc, ...facts, deprecated ? `**Deprecated.** ${deprecated}` : ""];
    return [
      row(place, type, meaning.filter((each) => each !== "").join(" "), marks.filter((each) => each !== "").join("; ")),
    ];
  });
}

function row(name, type, meaning, marks) {
  const allowed = type.replaceAll(` | ${ANY_OTHER}`, "");
  const short = allowed.length > 160 ? `${allowed.slice(0, allowed.lastIndexOf("|", 160))}| …` : allowed;
  return `| \`${name}\` | \`${short.replaceAll("|", "\\|")}\` | ${meaning.replaceAll("|", "\\|")} | ${marks} |`;
}

/** The hand-written examples: `name.ts`, and beside it `name.situation.ts`, each with what it shows as its first line. */
export function examplesOf(name) {
  const folder = join(root, "docs", "reference", "examples");
  const files = readdirSync(folder).filter((file) => file === `${name}.ts` || file.startsWith(`${name}.`));
  // The plain one comes first.
  return files
    .sort((one, other) => one.length - other.length)
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
}

function examples(name) {
  return examplesOf(name)
    .map((code) => `\`\`\`ts\n${code}\n\`\`\`\n\n`)
    .join("");
}
