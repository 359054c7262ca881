import { isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { coded } from "../errors";
import { FINGERPRINTS, isReferenceName, REFERENCE_SUFFIX } from "../names";
import {
  type Definition,
  type Field,
  type Properties,
  type Rule,
  record,
  type Table,
} from "./field";
import {
  type FieldPath,
  fieldPathsOf,
  isGroup,
  mapMembers,
  membersOf,
  valueAt,
  withValue,
} from "./paths";

/*
 * Secrets by reference: an argument names an environment variable instead of the secret. Programs,
 * inputs and states have the variable's name and a fingerprint. The core has one `Reference` in the
 * secret's own place, so that diff, bodies and states need no special rules.
 */

/**
 * A change of this argument sends all secrets again. If it is set, nothing is derived from the
 * secrets.
 */
export const VERSION = "secretsVersion";

/**
 * A secret in an environment variable. References are equal if their fingerprints are, even with
 * different variables.
 */
export class Reference {
  /** Private, so that `isDeepStrictEqual` and searches for texts ignore it. */
  readonly #variable: string;
  /** The fingerprint of the value, or the version; undefined if the variable is not set. */
  readonly fingerprint: string | undefined;

  constructor(variable: string, fingerprint: string | undefined) {
    this.#variable = variable;
    this.fingerprint = fingerprint;
  }

  get variable(): string {
    return this.#variable;
  }

  /** False for a version or an unknown fingerprint. */
  get isHashed(): boolean {
    return this.fingerprint?.startsWith("$") === true;
  }

  /** Prevents that a body or state with a reference is sent or stored. */
  toJSON(): never {
    throw new Error("a reference must be revealed or stored first");
  }
}

/** A secret that a variable may hold. */
interface Leaf {
  readonly name: string;
  /** The paths of the secret and of the argument with its variable's name. */
  readonly path: readonly string[];
  readonly twinPath: readonly string[];
  readonly field: Field;
}

/** The secrets of a resource that may be in variables. */
export function leavesOf({ fields }: Pick<Definition, "fields">): Leaf[] {
  return fieldPathsOf(fields).flatMap(({ path: place, field }) => {
    if (field.fromEnvironment === undefined) return [];
    const path = field.fromEnvironment === true ? place : [...place, field.fromEnvironment];
    return [{ name: path.join("."), path, twinPath: twinOf(path), field }];
  });
}

function twinOf(path: readonly string[]): string[] {
  return [...path.slice(0, -1), `${path.at(-1)}${REFERENCE_SUFFIX}`];
}

/** Only capital letters, so that a secret passed by mistake is hardly ever accepted. */
const NAME =
  "must be the name of an environment variable, in capital letters, digits and underscores";
const variable = () => z.string(NAME).regex(/^[A-Z_][A-Z0-9_]*$/, NAME);

const REFERENCE_DOC =
  "The value is read from the environment of Pulumi's command, or else from the file that `NAME_FILE` names. It is never stored.";

/** True for a secret that updates can send. Other secrets are only sent at creation. */
export function isSent({ onChange }: Pick<Field, "onChange">): boolean {
  return onChange === "update";
}

/** The definition with additional arguments for the names of variables. */
export function withReferences<Resource extends Definition>(definition: Resource): Resource {
  const fields = tableWithTwins(definition.fields);
  const leaves = leavesOf({ fields });
  const hasVersion = leaves.some(({ field }) => isSent(field));
  const version: Field = {
    schema: z.string("must be a string").min(1, "must be a non-empty string"),
    description:
      "Any text. Secrets by reference are then sent again only when it changes: no fingerprint of them is computed or stored.",
    onChange: "update",
    sentWith: [],
  };
  return {
    ...definition,
    fields: { ...fields, ...(hasVersion && { [VERSION]: version }) },
    rules: [
      ...definition.rules,
      ...leaves.flatMap(eitherRule),
      ...(hasVersion ? [versionRule(leaves)] : []),
    ],
  };
}

function tableWithTwins(table: Table): Table {
  const entries = Object.entries(table).flatMap(([name, entry]): [string, Table[string]][] => {
    if (isGroup(entry)) return [[name, { ...entry, fields: tableWithTwins(entry.fields) }]];
    const member = entry.fromEnvironment;
    if (member === undefined) return [[name, entry]];
    if (member !== true) {
      const twin = `${member}${REFERENCE_SUFFIX}`;
      const alternative = `Instead of \`${member}\`, \`${twin}\` can name an environment variable`;
      const description = `${entry.description} ${alternative}, whose value is never stored.`;
      return [
        [name, { ...entry, description, schema: withTwin(entry.schema as z.ZodObject, member) }],
      ];
    }
    const description = `The environment variable that holds \`${name}\`. ${REFERENCE_DOC}`;
    return [
      [name, entry],
      [
        `${name}${REFERENCE_SUFFIX}`,
        {
          schema: variable(),
          description,
          onChange: isSent(entry) ? "update" : "ignore",
          sentWith: [],
        },
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** The object with an additional member for a variable's name. */
function withTwin({ shape }: z.ZodObject, member: string): z.ZodType {
  const twin = `${member}${REFERENCE_SUFFIX}`;
  const own = shape[member] as z.ZodType;
  return record({ ...shape, [member]: own.optional(), [twin]: variable().optional() }).refine(
    (value) => {
      const given = [value[member], value[twin]].filter((one) => one !== undefined);
      return given.length === 1 || given.includes(UNKNOWN);
    },
    `must have either ${member} or ${twin}`,
  );
}

/** Objects check their members themselves. */
function eitherRule({ name, twinPath, field }: Leaf): Rule[] {
  const twin = twinPath.join(".");
  const text = `${name} and ${twin} are both declared; keep one of them.`;
  const test: Rule["test"] = (values) =>
    values[name] !== undefined && values[twin] !== undefined && coded("CDB1018", text);
  return field.fromEnvironment === true
    ? [{ fields: [name, twin], description: `Instead of \`${twin.split(".").at(-1)}\`.`, test }]
    : [];
}

function versionRule(leaves: readonly Leaf[]): Rule {
  const twins = leaves.map(({ twinPath }) => twinPath);
  return {
    fields: [VERSION, ...new Set(twins.map(([name = ""]) => name))],
    description: "Requires a secret by reference.",
    test: (values) =>
      values[VERSION] !== undefined &&
      twins.every((path) => valueAt(values, path) === undefined) &&
      coded("CDB1018", `${VERSION} requires a secret by reference; remove it.`),
  };
}

/** An argument's values by their stored paths. */
export type StoredValues = ReadonlyMap<string, unknown>;

/** The stored values of an argument. A secret by reference has several. */
export function storedValues(
  definition: Pick<Definition, "fields">,
  { name, path }: FieldPath,
  properties: Properties,
): StoredValues {
  const value = valueAt(properties, path);
  const isReference = value instanceof Reference;
  const places = new Map<string, unknown>();
  if (value === undefined) return places;
  if (referencesIn(value).length === 0) return places.set(name, value);
  if (!isReference)
    places.set(
      name,
      replaceReferences(value, ({ variable }) => ({ variable })),
    );
  for (const leaf of leavesOf(definition)) {
    const reference = valueAt(properties, leaf.path);
    if (!(reference instanceof Reference) || !path.every((part, at) => leaf.path[at] === part))
      continue;
    const { variable, fingerprint, isHashed } = reference;
    if (isReference) places.set(leaf.twinPath.join("."), variable);
    if (fingerprint === undefined || variable === UNKNOWN) continue;
    places.set(isHashed ? `${FINGERPRINTS}["${leaf.name}"]` : VERSION, fingerprint);
  }
  return places;
}

export function withFingerprints(
  properties: Properties,
  fingerprints: Readonly<Record<string, string>>,
): Properties {
  return withValue(
    properties,
    [FINGERPRINTS],
    Object.keys(fingerprints).length > 0 ? fingerprints : undefined,
  );
}

/** The paths of fingerprints. Each is marked separately, so that a preview shows their names. */
export function fingerprintPaths(properties: Properties): (readonly string[])[] {
  const fingerprints = properties[FINGERPRINTS];
  return isRecord(fingerprints)
    ? Object.keys(fingerprints).map((name) => [FINGERPRINTS, name])
    : [];
}

export function referencesIn(value: unknown): Reference[] {
  return value instanceof Reference ? [value] : membersOf(value).flatMap(referencesIn);
}

/** A copy with replaced references. */
export function replaceReferences<Value>(
  value: Value,
  replace: (reference: Reference) => unknown,
): Value {
  if (value instanceof Reference) return replace(value) as Value;
  return mapMembers(value, (inner) => replaceReferences(inner, replace));
}

/** The paths of secrets in a secret argument: each member of an object except a variable's name. */
export function secretMembers(path: readonly string[], value: unknown): (readonly string[])[] {
  if (!isRecord(value)) return [path];
  return Object.keys(value).flatMap((name) => (isReferenceName(name) ? [] : [[...path, name]]));
}
