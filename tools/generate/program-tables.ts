// The parts of the tables that classes and functions need, generated so that programs load no
// schemas.
import type { Resource } from "../../provider/core/object/resource";
import { render } from "../../provider/errors";
import {
  type Definition,
  describeDeprecation,
  fieldPathsOf,
  namesFromCreation,
  secretNames,
  secretPaths,
} from "../../provider/fields";
import type { FunctionDefinition } from "../../provider/resources/functions";
import type { ClassTable } from "../../provider/sdk/custom-resource";
import { allFunctions, allResources, allSettings, isCreatable } from "./tables";
import { fullType } from "./typescript";

/** The source with the tables of all classes and functions. */
export function programTables(): string {
  const classTables = Object.fromEntries(
    allResources.map(([name, { definition }]) => [name, classTable(name, definition)]),
  );
  const functionTable = Object.fromEntries(
    allFunctions.map(([name, entry]) => [name, functionRow(entry)]),
  );
  const type =
    'Readonly<Record<string, Readonly<Record<"arguments" | "secrets", readonly string[]>>>>';
  return `import type { ClassTable } from "../custom-resource";

export const classTables = ${literal(classTables)} satisfies Readonly<Record<string, ClassTable>>;

/** The names of the arguments of functions, and of secret members of their results. */
export const functionTable = ${literal(functionTable)} satisfies ${type};
`;
}

function classTable(name: string, resource: Resource): ClassTable {
  const { id, fields, outputs } = resource;
  const fieldPaths = fieldPathsOf(fields).filter(({ path }) => path.length === 1);
  return {
    name,
    isCreated: isCreatable(resource),
    id,
    adoption: adoption(resource),
    properties: [...new Set([...Object.keys(fields), ...Object.keys(outputs)])],
    required: requiredArguments(resource),
    secretPaths: secretPaths(resource),
    secretNames: secretNames(resource),
    fromCreation: namesFromCreation(outputs),
    deprecated: Object.fromEntries(
      fieldPaths.flatMap((each) => {
        const warning = describeDeprecation(each);
        return warning ? [[each.name, render(warning)]] : [];
      }),
    ),
  };
}

/** The arguments that a program must pass, because no setting stands in for them. */
export function requiredArguments({ fields }: Definition): string[] {
  return fieldPathsOf(fields).flatMap(({ name, path, field }) =>
    path.length === 1 && field.required && field.setting === undefined ? [name] : [],
  );
}

/** The alternative to Pulumi's import option, as part of a sentence. */
function adoption(resource: Resource): string {
  const { id } = resource;
  const thing = id.replace(/Id$/, "");
  if (isCreatable(resource))
    return `set ${id} to adopt an existing ${thing.replace(/^existing/, "").toLowerCase()}`;
  if (resource.lifecycle !== undefined)
    return `entries that are on the ${thing} already are left unchanged`;
  return `it adopts the existing ${thing} that ${id} names`;
}

export function functionRow({ args, result }: FunctionDefinition): {
  arguments: string[];
  secrets: string[];
} {
  const secrets = new Set(allResources.flatMap(([, { definition }]) => secretMembers(definition)));
  const shown = [...secrets].filter((secret) =>
    new RegExp(`\\b${secret}\\??:`).test(fullType(result)),
  );
  return { arguments: Object.keys(args), secrets: shown };
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
