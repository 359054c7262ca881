// The parts of the tables that classes and functions need, generated so that programs load no schemas.
import { render } from "../../provider/errors";
import {
  type Definition,
  describeDeprecation,
  type FieldPath,
  fieldPathsOf,
  secretNames,
  secretPaths,
} from "../../provider/fields";
import { typeOf } from "../../provider/fields/describe";
import { allFunctions, allOperations, allResources, allSettings } from "./tables";

/** The source with a resource's `ClassTable`. */
export function classTable(name: string, definition: Definition): string {
  const { fields, outputs } = definition;
  const fieldPaths = fieldPathsOf(fields).filter(({ path }) => path.length === 1);
  const updates = allOperations.filter(([, { method }]) => method === "PATCH").map(([operation]) => operation);
  const carriedBy = (operation: string) =>
    Object.entries(fields)
      .filter(([field, entry]) => fieldPathsOf({ [field]: entry }).some((each) => isCarriedBy(operation, each)))
      .map(([field]) => field);
  const table = {
    properties: [...new Set([...Object.keys(fields), ...Object.keys(outputs)])],
    required: fieldPaths.flatMap(({ name, field }) => (field.required && field.setting === undefined ? [name] : [])),
    secretPaths: secretPaths(definition),
    secretNames: secretNames(definition),
    deprecated: Object.fromEntries(
      fieldPaths.flatMap((each) => {
        const warning = describeDeprecation(each);
        return warning ? [[each.name, render(warning)]] : [];
      }),
    ),
    updates: Object.fromEntries(
      updates.map((each) => [each, carriedBy(each)] as const).filter(([, carried]) => carried.length > 0),
    ),
  };
  const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}Table`;
  const type = `import type { ClassTable } from "../class-description";\n\n`;
  return `${type}export const ${constant} = ${literal(table)} as const satisfies ClassTable;\n`;
}

function isCarriedBy(operation: string, { field }: FieldPath): boolean {
  return field.operations.includes(operation);
}

/** The source with the names of the functions' arguments, and of what is secret in their results. */
export function functionTable(): string {
  const secrets = allResources.flatMap(([, { definition }]) => secretMembers(definition));
  const table = allFunctions.map(([name, { args, result }]) => {
    const [required, optional] = [false, true].map((wanted) =>
      Object.keys(args).filter((arg) => Boolean(args[arg]?.optional) === wanted),
    );
    const shown = [...new Set(secrets)].filter((secret) => new RegExp(`\\b${secret}\\??:`).test(typeOf(result)));
    return [name, { required, optional, secrets: shown }];
  });
  const type = 'Readonly<Record<string, Readonly<Record<"required" | "optional" | "secrets", readonly string[]>>>>';
  return `export const functionTable = ${literal(Object.fromEntries(table))} satisfies ${type};\n`;
}

/** The source with the names of the provider's settings. */
export function settingLists(): string {
  const keys = allSettings.map(([key]) => key);
  const secret = allSettings.filter(([, setting]) => setting.secret).map(([key]) => key);
  const list = (name: string, names: readonly string[]) =>
    `export const ${name}: readonly (keyof ProviderArgs)[] = ${literal(names)};\n`;
  return list("SETTINGS", keys) + list("SECRET_SETTINGS", secret);
}

/** The names of all secret members, at any depth. */
export function secretMembers(definition: Definition): string[] {
  const secretArguments = secretPaths(definition).flatMap((path) => path.slice(-1));
  const secretOutputs = Object.entries(definition.outputs)
    .filter(([, { secret }]) => secret)
    .map(([name]) => name);
  return [...new Set([...secretArguments, ...secretOutputs])].sort();
}

const literal = (value: object) => JSON.stringify(value, undefined, 2);
