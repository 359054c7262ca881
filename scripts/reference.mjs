// The pages under docs/reference/, made from the tables of fields; `npm run build` writes them.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { ANY_OTHER, describeField, describeValue, typeOf } = require("../provider/dist/fields/describe.js");
const { operations } = require("../provider/dist/api/operations.js");

const NOTE = "<!-- Made by `npm run build` from the tables of fields. Do not edit. -->\n\n";

/** One page for a resource: its example, arguments and outputs. */
export function resourcePage(name, definition, folder) {
  const outputs = Object.entries(definition.outputs).map(([output, entry]) => {
    const { doc, facts, type } = describeValue(entry);
    return row(output, type, [doc, ...facts].join(" "), "");
  });
  return `${NOTE}# ${name}\n\n${example(folder)}## Arguments\n\n${HEAD}${argumentRows(definition, definition.fields, []).join("\n")}\n\n## Outputs\n\nThe arguments, and what only the API gives:\n\n${HEAD}${outputs.join("\n")}\n`;
}

/** One page for a function: its arguments and what it gives. */
export function functionPage(name, { doc, operation, args, result }) {
  const { method, path, api: side } = operations[operation];
  const rows = Object.entries(args).map(([arg, entry]) =>
    row(arg, "string", entry.doc, entry.optional ? "" : "required"),
  );
  const given = rows.length > 0 ? `## Arguments\n\n${HEAD}${rows.join("\n")}\n\n` : "";
  return `${NOTE}# ${name}\n\n${doc} \`${name}Output\` takes and gives outputs. One request in a run of the program, however often it is asked: \`${method} ${path}\` of the ${side} interface. Under \`pulumi.runtime.setMocks\` the mock is called instead, with the token \`clouddb:index:${name}\`.\n\n${example(name)}${given}## Result\n\n\`\`\`ts\ntype ${name.charAt(0).toUpperCase()}${name.slice(1)}Result = ${typeOf(result).replaceAll("; ", ";\n")};\n\`\`\`\n`;
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
      carriers.length > 0 ? `by ${carriers.join(", ")}` : "",
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

/** A hand-written example, where there is one. */
function example(name) {
  const file = join(root, "docs", "reference", "examples", `${name}.ts`);
  return existsSync(file) ? `\`\`\`ts\n${readFileSync(file, "utf8").trim()}\n\`\`\`\n\n` : "";
}
