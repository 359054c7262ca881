// Generates the native plugin's schema for other languages from the field tables.
import { parentFields } from "../../provider/core/object/ids";
import type { Definition, Table } from "../../provider/fields";
import {
  dynamicType,
  NATIVE_PACKAGE,
  nativeType,
  pluginDownloadURL,
  settingVariable,
} from "../../provider/names";
import {
  description,
  keywords,
  license,
  name as npmName,
  version,
} from "../../provider/package.json";
import type { FunctionDefinition } from "../../provider/resources/functions";
import versions from "../../versions.json";
import { examplesInSchema } from "../docs/examples";
import { web } from "../docs/site-map";
import { certainOutputs, describeField, factsOf } from "./describe";
import { jsonSchema } from "./language-types";
import { mapEntries, named, objectOf, type Type, type Types, typeOf } from "./package-schema-types";
import { requiredArguments } from "./program-tables";
import {
  allFunctions,
  allResources,
  allSettings,
  capital,
  isCreatable,
  type Resource,
  withArticle,
} from "./tables";

/** The name of the package in Pulumi's registry. */
export const TITLE = "Cloud Database";

export const GO_MODULE = "github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb";

/** The README of the generated SDKs. */
const README = `${description}

Pulumi downloads this package's plugin, \`pulumi-resource-clouddb\`. Where it is no executable, on macOS with Intel's processors and Windows with Arm's, it needs Node.js ${versions.node.at(0)} or later. The API cannot delete services: set the resource option \`protect\` on them. The SDKs of the project do so by default, those that Pulumi's CLI generates do not.
`;

/** The names and settings of the generated SDKs. */
const language = {
  nodejs: { packageName: npmName, readme: README, respectSchemaVersion: true },
  python: {
    packageName: "pulumi_clouddb",
    readme: README,
    respectSchemaVersion: true,
    pyproject: { enabled: true },
  },
  go: {
    importBasePath: GO_MODULE,
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { namespaces: { [NATIVE_PACKAGE]: "CloudDb" }, respectSchemaVersion: true },
  java: { buildFiles: "gradle" },
};

/** The schema of the whole package. */
export function packageSchema(): object {
  const types: Types = {};
  return {
    name: NATIVE_PACKAGE,
    displayName: TITLE,
    version,
    description,
    keywords: [
      ...keywords.filter((each) => each !== "typescript"),
      "category/database",
      "kind/native",
    ],
    license,
    attribution: "",
    homepage: web,
    repository: web,
    logoUrl: `${web}/raw/v${version}/simulator/page/icon.svg`,
    publisher: new URL(web).pathname.split("/")[1],
    pluginDownloadURL,
    config: { variables: settingProperties() },
    provider: {
      description: `The account and the address that resources are managed with. What an explicit provider omits is taken from the environment: the stack's configuration reaches only the default provider.${examplesInSchema("Provider")}`,
      inputProperties: settingProperties(),
    },
    resources: mapEntries(Object.fromEntries(allResources), (name, resource) => [
      nativeType(name),
      resourceSchema(name, resource, types),
    ]),
    functions: mapEntries(Object.fromEntries(allFunctions), (name, entry) => [
      nativeType(name),
      functionSchema(name, entry, types),
    ]),
    types: Object.fromEntries(
      Object.entries(types).sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
    language,
  };
}

/**
 * Without defaults and `defaultInfo`, since a default from an SDK would be stored and outlive a
 * rotated key.
 */
function settingProperties(): Record<string, Type> {
  return mapEntries(Object.fromEntries(allSettings), (name, setting) => {
    const { enum: values, ...schema } = jsonSchema(setting.schema);
    const property = {
      // A configuration cannot have named types, and these types are plain.
      ...typeOf(schema, { name, path: name, of: "" }, {}),
      description: sentences(setting.description, [
        ...allowed(values),
        ...factsOf(setting),
        `Falls back to the environment variable ${settingVariable(name)}.`,
      ]),
      ...(setting.secret && { secret: true }),
    };
    return [name, property];
  });
}

function resourceSchema(name: string, { definition }: Resource, types: Types): object {
  const of = `of ${withArticle(name)}`;
  const inputs = properties(definition, definition.fields, { name, path: [], of }, types);
  const outputs = mapEntries(definition.outputs, (output, entry) => {
    const description = sentences(entry.description, factsOf(entry));
    const described = { description, ...(entry.secret && { secret: true }) };
    const place = { name: name + capital(output), path: output, of };
    return [output, { ...typeOf(jsonSchema(entry.schema), place, types), ...described }];
  });
  const parents = parentFields(definition).map((parent) => [parent.name, inputs[parent.name]]);
  return {
    description: summary(definition) + examplesInSchema(name),
    inputProperties: inputs,
    requiredInputs: requiredArguments(definition).sort(),
    properties: { ...inputs, ...outputs },
    required: [...certainOutputs(definition)].sort(),
    ...(parents.length > 0 && {
      stateInputs: {
        description: `What leads to a ${name} besides its id.`,
        properties: Object.fromEntries(parents),
      },
    }),
    aliases: [{ type: dynamicType(name) }],
  };
}

const KEPT =
  "The API cannot delete it: a deletion fails, and it keeps running and costing money. The project's SDKs for Python, Go, Java, Node.js and .NET set the resource option `protect` unless the program sets it or `retainOnDelete`. Elsewhere, set `protect` yourself: without it, another name in the program or `pulumi up --replace` creates a second one before the deletion of the first fails. To stop managing it, set the resource option `retainOnDelete`, run `pulumi up`, and then remove it.";

/** A resource's description, with its protection, which YAML lacks by default. */
function summary(definition: Resource["definition"]): string {
  return [definition.description[0], ...(isCreatable(definition) ? [KEPT] : [])].join("\n\n");
}

/** The arguments of a table. Each group gets its own type. */
function properties(
  definition: Definition,
  table: Table,
  {
    name: owner,
    path: parents,
    of,
  }: { readonly name: string; readonly path: readonly string[]; readonly of: string },
  types: Types,
): Record<string, Type> {
  return mapEntries(table, (field, entry) => {
    const [name, path] = [owner + capital(field), [...parents, field]];
    if ("fields" in entry) {
      const members = properties(definition, entry.fields, { name, path, of }, types);
      return [
        field,
        {
          ...named(name, { properties: members }, entry.description, types),
          description: entry.description,
        },
      ];
    }
    const place = path.join(".");
    const { description, facts, deprecated } = describeField(definition, place, entry);
    const schema = jsonSchema(entry.schema);
    const property = {
      ...typeOf(schema, { name, path: place, of }, types),
      description: sentences(description, [...allowed(schema.enum), ...facts]),
      ...(entry.secret && { secret: true }),
      ...(deprecated && { deprecationMessage: deprecated }),
      // For documentation only. `replaceOnChanges` would make the engine replace an object whenever
      // such an argument is added or removed, even without an effect.
      ...(entry.onChange === "replace" && { willReplaceOnChanges: true }),
    };
    return [field, property];
  });
}

function functionSchema(
  name: string,
  { description, args, result }: FunctionDefinition,
  types: Types,
): object {
  const place = { name: capital(name), path: "", of: `in the result of ${name}` };
  const { properties: members, required } = objectOf(jsonSchema(result), place, types);
  const entries = Object.entries(args);
  const needed = entries.flatMap(([arg, { optional }]) => (optional ? [] : [arg])).sort();
  const inputs = {
    properties: mapEntries(args, (arg, { description }) => [arg, { type: "string", description }]),
    ...(needed.length > 0 && { required: needed }),
  };
  return {
    description: description + examplesInSchema(name),
    ...(entries.length > 0 && { inputs }),
    outputs: { properties: describedMembers(name, members), ...(required && { required }) },
  };
}

/** The members of a function's result, with descriptions from the tables. */
function describedMembers(
  functionName: string,
  members: Readonly<Record<string, Type>>,
): Record<string, Type> {
  const [owner, resource] =
    allResources.find(([each]) => functionName.startsWith(`get${each}`)) ?? [];
  if (owner === undefined || resource === undefined) return members;
  const { fields, outputs } = resource.definition;
  const table = tableOf(fields, functionName.slice(`get${owner}`.length));
  return mapEntries(members, (name, member) => {
    const output = Object.entries(outputs).find(([each, { apiName = each }]) => apiName === name);
    const entry = output?.[1] ?? table[name];
    if (entry === undefined) return [name, member];
    // Only the first sentence fits. The rest is about declaring the value.
    const description = `${entry.description.split(/\.(?: |$)/)[0]}.`;
    return [name, { ...member, description }];
  });
}

/** The fields of a group; without a group, all fields. */
function tableOf(fields: Table, group: string): Table {
  const entry = fields[group.charAt(0).toLowerCase() + group.slice(1)];
  return entry !== undefined && "fields" in entry ? entry.fields : fields;
}

function allowed(values: readonly unknown[] | undefined): string[] {
  return values ? [`One of ${values.join(", ")}.`] : [];
}

function sentences(description: string, facts: readonly string[]): string {
  return [description, ...facts].join(" ");
}
