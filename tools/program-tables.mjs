// The parts of the tables that classes and functions need, generated so that programs load no schemas.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { operations } = require("../provider/dist/api/operations.js");
const { typeOf } = require("../provider/dist/fields/describe.js");
const { describeDeprecation, fieldPathsOf, secretNames, secretPaths } = require("../provider/dist/fields/index.js");
const { resources } = require("../provider/dist/resources/index.js");

/** The source with a resource's `ClassTable`. */
export function classTable(name, definition) {
  const { fields, outputs } = definition;
  const fieldPaths = fieldPathsOf(fields).filter(({ path }) => path.length === 1);
  const updates = Object.keys(operations).filter((each) => operations[each].method === "PATCH");
  const carriedBy = (operation) =>
    Object.keys(fields).filter((field) =>
      fieldPathsOf({ [field]: fields[field] }).some((each) => each.field.operations.includes(operation)),
    );
  const table = {
    properties: [...new Set([...Object.keys(fields), ...Object.keys(outputs)])],
    required: fieldPaths.flatMap(({ name, field }) => (field.required && field.setting === undefined ? [name] : [])),
    secretPaths: secretPaths(definition),
    secretNames: secretNames(definition),
    deprecated: Object.fromEntries(
      fieldPaths.flatMap((each) => (each.field.deprecated ? [[each.name, describeDeprecation(each)]] : [])),
    ),
    updates: Object.fromEntries(
      updates.map((each) => [each, carriedBy(each)]).filter(([, carried]) => carried.length > 0),
    ),
  };
  const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}Table`;
  const type = `import type { ClassTable } from "../class-description";\n\n`;
  return `${type}export const ${constant} = ${literal(table)} as const satisfies ClassTable;\n`;
}

/** The source with the names of the functions' arguments, and of what is secret in their results. */
export function functionTable(functions) {
  const secrets = Object.values(resources).flatMap(({ definition }) => secretMembers(definition));
  const table = Object.entries(functions).map(([name, { args, result }]) => {
    const [required, optional] = [false, true].map((wanted) =>
      Object.keys(args).filter((arg) => Boolean(args[arg].optional) === wanted),
    );
    const shown = [...new Set(secrets)].filter((secret) => new RegExp(`\\b${secret}\\??:`).test(typeOf(result)));
    return [name, { required, optional, secrets: shown }];
  });
  const type = 'Readonly<Record<string, Readonly<Record<"required" | "optional" | "secrets", readonly string[]>>>>';
  return `export const functionTable = ${literal(Object.fromEntries(table))} satisfies ${type};\n`;
}

/** The source with the names of the provider's settings. */
export function settingLists(settingsTable) {
  const keys = Object.keys(settingsTable);
  const secret = keys.filter((key) => settingsTable[key].secret);
  const list = (name, names) => `export const ${name}: readonly (keyof ProviderArgs)[] = ${literal(names)};\n`;
  return list("SETTINGS", keys) + list("SECRET_SETTINGS", secret);
}

/** The names of all secret members, at any depth. */
export function secretMembers(definition) {
  const secretArguments = secretPaths(definition).map((path) => path.at(-1));
  const secretOutputs = Object.keys(definition.outputs).filter((name) => definition.outputs[name].secret);
  return [...new Set([...secretArguments, ...secretOutputs])].sort();
}

const literal = (value) => JSON.stringify(value, undefined, 2);
