// The schema by which other languages know the native plugin, made from the field tables.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { z } = require("zod");
const { describeField, describeValue } = require("../provider/dist/fields/describe.js");
const { dynamicType, NATIVE_PACKAGE, nativeType } = require("../provider/dist/names/stored-names.js");
const { ownFields } = require("../provider/dist/plugin/import.js");
const { operations } = require("../provider/dist/api/operations.js");
const { license, version, description, keywords } = require("../provider/package.json");

/** The schema of the whole package. */
export function packageSchema({ resources, functions, settings }) {
  const types = {};
  return {
    name: NATIVE_PACKAGE,
    displayName: "Cloud Database",
    version,
    description,
    keywords: [...keywords, "category/database", "kind/native"],
    license,
    attribution: "",
    config: { variables: settingProperties(settings) },
    provider: {
      description: "The account and the address that resources are managed with.",
      inputProperties: settingProperties(settings),
    },
    resources: mapEntries(resources, (name, resource) => [nativeType(name), resourceSchema(name, resource, types)]),
    functions: mapEntries(functions, (name, entry) => [nativeType(name), functionSchema(name, entry, types)]),
    types: Object.fromEntries(Object.entries(types).sort(([one], [other]) => (one < other ? -1 : 1))),
    language: {
      nodejs: { packageName: "pulumi-clouddb-sdk", respectSchemaVersion: true },
      python: { packageName: "pulumi_clouddb", respectSchemaVersion: true, pyproject: { enabled: true } },
      go: { generateResourceContainerTypes: true, respectSchemaVersion: true },
      csharp: { namespaces: { [NATIVE_PACKAGE]: "CloudDb" }, respectSchemaVersion: true },
      java: { buildFiles: "gradle" },
    },
  };
}

/** Of settings no defaults are told: a value that a generated SDK fills in would go before the environment's. */
function settingProperties(settings) {
  return mapEntries(settings, (name, setting) => {
    const { doc, facts } = describeValue(setting);
    const property = {
      // A configuration may have no types of its own, and these are plain ones.
      ...typeOf(jsonSchema(setting.schema), name, {}),
      description: sentences(doc, facts),
      ...(setting.secret && { secret: true }),
    };
    return [name, property];
  });
}

function resourceSchema(name, { definition, type, folder }, types) {
  const inputs = properties(definition, definition.fields, [], name, types);
  const outputs = mapEntries(definition.outputs, (output, entry) => {
    const { doc, facts } = describeValue(entry);
    const described = { description: sentences(doc, facts), ...(entry.secret && { secret: true }) };
    return [output, { ...typeOf(jsonSchema(entry.schema), name + capital(output), types), ...described }];
  });
  const fields = Object.entries(definition.fields);
  const known = fields.filter(([, field]) => field.inResponse || field.required).map(([field]) => field);
  const ids = fields.filter(([, { operations }]) => operations?.includes("path")).map(([field]) => field);
  const own = ownFields(type).map((field) => field.name);
  const parents = ids.filter((field) => !own.includes(field));
  return {
    description: summary(name, definition, folder),
    inputProperties: inputs,
    requiredInputs: fields
      .filter(([, field]) => field.required && field.setting === undefined)
      .map(([field]) => field)
      .sort(),
    properties: { ...inputs, ...outputs },
    required: [...known, ...Object.keys(outputs).filter((output) => !definition.outputs[output].secret)].sort(),
    ...(parents.length > 0 && {
      stateInputs: { description: `What leads to a ${name} besides its id.`, properties: pick(inputs, parents) },
    }),
    aliases: [{ type: dynamicType(name) }],
  };
}

const KEPT =
  "The API cannot delete it: a deletion fails, and it keeps running and costing money. Set the resource option `protect: true`; without it, another name in the program or `pulumi up --replace` creates a second one before the deletion of the first fails. To stop managing it, set `retainOnDelete: true`, run `pulumi up`, and then remove it.";

/** The first paragraph above its class, and what that class would do for a program in TypeScript. */
function summary(name, { fields }, folder) {
  const source = readFileSync(join(root, "provider/resources", folder, `${folder}.ts`), "utf8");
  const [, doc] = new RegExp(`/\\*\\*\\n((?: \\*.*\\n)+?) \\*/\\nexport const ${name}:`).exec(source) ?? [];
  const [first] = (doc ?? "").replaceAll(/^ \* ?/gm, "").split("\n\n");
  if (!first) throw new Error(`No documentation above the class ${name} in provider/resources/${folder}`);
  const isCreated = Object.values(fields).some((field) =>
    field.operations?.some((each) => operations[each]?.method === "POST"),
  );
  return [first.trim().replaceAll("\n", " "), ...(isCreated ? [KEPT] : [])].join("\n\n");
}

/** The arguments of a table. A group is a type of its own. */
function properties(definition, table, path, typeName, types) {
  return mapEntries(table, (name, entry) => {
    const place = [...path, name];
    const entryType = typeName + capital(name);
    if (entry.fields) {
      const members = properties(definition, entry.fields, place, entryType, types);
      return [name, { ...named(entryType, { properties: members }, types), description: entry.doc }];
    }
    const { doc, facts, deprecated } = describeField(definition, place.join("."), entry);
    const schema = jsonSchema(entry.schema);
    const allowed = schema.enum ? [`One of ${schema.enum.join(", ")}.`] : [];
    const property = {
      ...typeOf(schema, entryType, types),
      description: sentences(doc, [...allowed, ...facts]),
      ...(entry.secret && { secret: true }),
      ...(deprecated && { deprecationMessage: deprecated }),
      // For documentation. `replaceOnChanges` would have the engine replace an object whenever such an argument is
      // declared or left out, also where the provider knows that nothing has to change.
      ...(entry.onChange === "replace" && { willReplaceOnChanges: true }),
    };
    return [name, property];
  });
}

function functionSchema(name, { doc, args, result }, types) {
  const { properties: members, required } = objectOf(jsonSchema(result), capital(name), types);
  const entries = Object.entries(args);
  const needed = entries.flatMap(([arg, { optional }]) => (optional ? [] : [arg])).sort();
  const inputs = {
    properties: mapEntries(args, (arg, { doc: description }) => [arg, { type: "string", description }]),
    ...(needed.length > 0 && { required: needed }),
  };
  return {
    description: doc,
    ...(entries.length > 0 && { inputs }),
    outputs: { properties: members, ...(required && { required }) },
  };
}

/** A value's type; objects become types of the package, named after where they stand. */
function typeOf(schema, name, types) {
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  if (only !== undefined && more.length === 0) return typeOf(only, name, types);
  if (schema.type === "array") return { type: "array", items: typeOf(schema.items, singular(name), types) };
  if (schema.type === "object" && schema.properties) return named(name, objectOf(schema, name, types), types);
  if (schema.type === "object") return { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };
  return schema.type === undefined ? { $ref: "pulumi.json#/Any" } : { type: schema.type };
}

function objectOf(schema, name, types) {
  const members = mapEntries(schema.properties, (member, inner) => [
    member,
    typeOf(inner, name + capital(member), types),
  ]);
  return { properties: members, ...(schema.required?.length > 0 && { required: [...schema.required].sort() }) };
}

function named(name, object, types) {
  types[nativeType(name)] = { type: "object", ...object };
  return { $ref: `#/types/${nativeType(name)}` };
}

/** What an entry of a list is called. */
function singular(name) {
  return name.endsWith("s") && !name.endsWith("eries") ? name.slice(0, -1) : `${name}Entry`;
}

function jsonSchema(schema) {
  return z.toJSONSchema(schema, { unrepresentable: "any", reused: "inline" });
}

function sentences(doc, facts) {
  return [doc, ...facts].join(" ");
}

function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function pick(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

function mapEntries(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => change(name, value)));
}
