// Types in TypeScript. Shared types have names.
import type { z } from "zod";
import * as schemas from "../../provider/api/schemas";
import type { Field } from "../../provider/fields";
import { resources } from "../../provider/resources/index";
import { shownSettings } from "../../provider/resources/pipe/pipe";
import {
  type JsonSchema,
  jsonSchema,
  SPELLINGS,
  type Spelling,
  typeText,
  withoutNull,
} from "./language-types";

type Schemas = Readonly<Record<string, z.ZodType>>;

const { region, tier, profile } = resources.Service.definition.fields as Readonly<
  Record<string, Field>
>;

/** Named types by the resource's folder, sorted like imports. */
export const namedTypes: Readonly<Record<string, Schemas>> = {
  pipe: {
    KafkaSource: schemas.source.shape.kafka,
    KinesisSource: schemas.source.shape.kinesis,
    ObjectStorageSource: schemas.source.shape.objectStorage,
    PipeDestination: schemas.destination,
    PipeScaling: schemas.pipe.shape.scaling,
    PipeSettings: shownSettings,
    PostgresSource: schemas.source.shape.postgres,
  },
  service: { Profile: profile?.schema, Region: region?.schema, Tier: tier?.schema } as Schemas,
};

/** The types that programs can import, because outputs and results contain them. */
export const exportedTypes: Readonly<Record<string, readonly string[]>> = {
  pipe: Object.keys(namedTypes.pipe ?? {}),
};

const named = Object.values(namedTypes).flatMap((schemasByName) =>
  Object.entries(schemasByName).map(
    ([name, schema]) => [name, withoutNull(jsonSchema(schema))] as const,
  ),
);

/**
 * Editors offer the listed texts, but any text compiles, for values from a configuration. The check
 * refuses other texts.
 */
const UNNAMED: Spelling = {
  ...SPELLINGS.typescript,
  listed: (values) =>
    [...values.map((value) => JSON.stringify(value)), "(string & {})"].join(" | "),
};
const OUTPUT: Spelling = { ...UNNAMED, named: nameOf };
/** Any part of an argument may be an Output. */
const INPUT: Spelling = { ...OUTPUT, around: (type) => `pulumi.Input<${type}>` };

/** The type of a value with all of its members. */
export const fullType = (schema: z.ZodType) => typeText(UNNAMED, jsonSchema(schema));
export const outputType = (schema: z.ZodType) => typeText(OUTPUT, jsonSchema(schema));
export const inputType = (schema: z.ZodType) => typeText(INPUT, jsonSchema(schema));

/** The name of a type. An object with a named type's members and more is an intersection type. */
function nameOf(schema: JsonSchema): string | undefined {
  const { properties = {} } = schema;
  for (const [name, known] of named) {
    if (isSame(known, schema)) return name;
    const members = known.properties ?? {};
    const isPart = Object.entries(members).every(
      ([member, type]) => member in properties && isSame(type, properties[member]),
    );
    const others = Object.entries(properties).filter(([member]) => !(member in members));
    if (known.properties && isPart)
      return `${name} & ${typeText(OUTPUT, { ...schema, properties: Object.fromEntries(others) })}`;
  }
  return undefined;
}

/** True for schemas with equal types, even with different bounds. */
function isSame(one: unknown, other: unknown): boolean {
  return typeText(UNNAMED, one as JsonSchema) === typeText(UNNAMED, other as JsonSchema);
}
