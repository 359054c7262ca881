import { isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { coded } from "../errors";
import { FINGERPRINTS, isReferenceName, REFERENCE_SUFFIX } from "../names";
import type { Definition, Field, Properties, Rule, Table } from "./field";
import { type FieldPath, fieldPathsOf, isGroup, valueAt, withValue } from "./paths";
import { record } from "./shapes";

/*
 * Secrets by reference: an argument that names an environment variable instead of the secret
 * itself. Programs, inputs and states have the name and, beside it, a fingerprint; the core has one
 * `Reference` at the secret's own place, so that diff, bodies and states need no rule for it.
 */

/**
 * The argument whose change sends the secrets again. Where it stands, nothing is derived from them.
 */
export const VERSION = "secretsVersion";

/**
 * A secret that an environment variable holds. Two are equal if their fingerprints are, whatever
 * the variable.
 */
export class Reference {
  /** Private members do not count for `isDeepStrictEqual`, nor as texts of the properties. */
  readonly #variable: string;
  /** Of the value or its version; undefined while the variable is not set. */
  readonly fingerprint: string | undefined;

  constructor(variable: string, fingerprint: string | undefined) {
    this.#variable = variable;
    this.fingerprint = fingerprint;
  }

  get variable(): string {
    return this.#variable;
  }

  /** False for a version, and where the fingerprint is unknown. */
  get isHashed(): boolean {
    return this.fingerprint?.startsWith("$") === true;
  }

  /** A body with a reference is never sent, nor a state with one stored. */
  toJSON(): never {
    throw new Error("a reference must be revealed or stored first");
  }
}

/** A secret that a variable may hold. */
export interface Leaf {
  readonly name: string;
  /** The place of the secret itself, and of the argument that names its variable. */
  readonly path: readonly string[];
  readonly twinPath: readonly string[];
  readonly field: Field;
}

/** The secrets of a resource that a variable may hold. */
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

/**
 * Capital letters only: a secret that is passed by mistake instead of a name is hardly ever
 * accepted.
 */
const NAME =
  "must be the name of an environment variable, in capital letters, digits and underscores";
const variable = () => z.string(NAME).regex(/^[A-Z_][A-Z0-9_]*$/, NAME);

const REFERENCE_DOC =
  "The value is read from the environment of Pulumi's command, or else from the file that `NAME_FILE` names. It is never stored.";

/** True for a secret that an update can send; another one is sent by a creation alone. */
export function isSent({ onChange }: Pick<Field, "onChange">): boolean {
  return onChange === "update";
}

/** The definition with the arguments that name variables, made from its fields. */
export function withReferences<Resource extends Definition>(definition: Resource): Resource {
  const fields = tableWithTwins(definition.fields);
  const leaves = leavesOf({ fields });
  const hasVersion = leaves.some(({ field }) => isSent(field));
  const version: Field = {
    schema: z.string("must be a string").min(1, "must be a non-empty string"),
    doc: "Any text. Secrets by reference are then sent again only when it changes: no fingerprint of them is computed or stored.",
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
      const doc = `${entry.doc} Instead of \`${member}\`, \`${twin}\` can name an environment variable, whose value is never stored.`;
      return [[name, { ...entry, doc, schema: withTwin(entry.schema as z.ZodObject, member) }]];
    }
    const doc = `The environment variable that holds \`${name}\`. ${REFERENCE_DOC}`;
    return [
      [name, entry],
      [
        `${name}${REFERENCE_SUFFIX}`,
        { schema: variable(), doc, onChange: isSent(entry) ? "update" : "ignore", sentWith: [] },
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** The object with a member that names the variable of another. */
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
    ? [{ fields: [name, twin], doc: `Instead of \`${twin.split(".").at(-1)}\`.`, test }]
    : [];
}

function versionRule(leaves: readonly Leaf[]): Rule {
  const twins = leaves.map(({ twinPath }) => twinPath);
  return {
    fields: [VERSION, ...new Set(twins.map(([name = ""]) => name))],
    doc: "Requires a secret by reference.",
    test: (values) =>
      values[VERSION] !== undefined &&
      twins.every((path) => valueAt(values, path) === undefined) &&
      coded("CDB1018", `${VERSION} requires a secret by reference; remove it.`),
  };
}

/** An argument's values by the places at which engines store them. */
export type StoredValues = ReadonlyMap<string, unknown>;

/** The values of an argument, which has several places with a secret by reference. */
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

/**
 * The places of the fingerprints among properties: each is a secret by itself, so that a preview
 * shows their names.
 */
export function fingerprintPaths(properties: Properties): (readonly string[])[] {
  const fingerprints = properties[FINGERPRINTS];
  return isRecord(fingerprints)
    ? Object.keys(fingerprints).map((name) => [FINGERPRINTS, name])
    : [];
}

/** The references in a value, such as a body. */
export function referencesIn(value: unknown): Reference[] {
  if (value instanceof Reference) return [value];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isRecord(value) ? Object.values(value).flatMap(referencesIn) : [];
}

/** A copy in which each reference is replaced. */
export function replaceReferences<Value>(
  value: Value,
  replace: (reference: Reference) => unknown,
): Value {
  if (value instanceof Reference) return replace(value) as Value;
  if (Array.isArray(value)) return value.map((entry) => replaceReferences(entry, replace)) as Value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceReferences(inner, replace)]),
  ) as Value;
}

/**
 * The paths of the secrets in a secret argument: all members of an object but the name of a
 * variable.
 */
export function secretMembers(path: readonly string[], value: unknown): (readonly string[])[] {
  if (!isRecord(value)) return [path];
  return Object.keys(value).flatMap((name) => (isReferenceName(name) ? [] : [[...path, name]]));
}
