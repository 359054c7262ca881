import fc from "fast-check";
import { z } from "zod";
import { coded } from "../../provider/errors";
import {
  buildUpdateBody,
  type Definition,
  type ListRules,
  type Properties,
  settable,
  wholeNumber,
} from "../../provider/fields";

/** A field table with a field of each kind, and values for it and for other tables. */

export type Tag = { key: string; note?: string };

const tagRules: ListRules = {
  key: ({ key }: Tag) => key.toLowerCase(),
  canonical: ({ key, note = "" }: Tag) => ({ key: key.toLowerCase(), note }),
  send: "addRemove",
  unmanaged: "remove",
};

const field = settable("change");
export const definition: Definition = {
  fields: {
    size: settable("create", "scale")(wholeNumber({ min: 1, max: 20 }), ""),
    place: {
      schema: z.string(),
      description: "",
      onChange: "replace",
      sentWith: ["create"],
      inResponse: true,
    },
    terms: { schema: z.boolean(), description: "", onChange: "ignore", sentWith: ["create"] },
    tags: settable("create", "change")(
      z.array(z.strictObject({ key: z.string(), note: z.string().optional() })),
      "",
      {
        list: tagRules,
      },
    ),
    source: {
      description: "",
      fields: {
        role: field(z.string(), ""),
        sample: { schema: z.boolean(), description: "", onChange: "ignore", sentWith: ["change"] },
        token: {
          schema: z.string(),
          description: "",
          onChange: "update",
          sentWith: ["change"],
          secret: true,
          apiName: "auth_token",
        },
      },
    },
  },
  outputs: {
    madeAt: { schema: z.string(), description: "" },
    wholeSource: { schema: z.object({}), description: "", apiName: "source" },
    password: { schema: z.string(), description: "", secret: true, fromCreation: true },
  },
  rules: [
    {
      fields: ["size", "place"],
      description: "",
      test: ({ size, place }) =>
        place === "small" && size > 5 ? coded("CDB1003", "size is too much for small") : undefined,
    },
  ],
};

export const ONE = { key: "a", note: "" };

export const changeBody = (state: Properties, wanted: Properties) =>
  buildUpdateBody(definition, "change", state, wanted);

const tag = fc.record({
  key: fc.constantFrom("a", "A", "b", "c", "d"),
  note: fc.constantFrom("", "x", "y"),
});
export const tags = fc.uniqueArray(tag, { selector: ({ key }) => key.toLowerCase() });
export const inputs: fc.Arbitrary<Properties> = fc.record(
  {
    size: fc.integer({ min: 1, max: 20 }),
    place: fc.constantFrom("here", "there"),
    terms: fc.boolean(),
    tags,
    source: fc.record(
      { role: fc.string(), token: fc.string({ minLength: 3 }) },
      { requiredKeys: ["role"] },
    ),
  },
  { requiredKeys: [] },
);

export const canonicalSet = (list: unknown) =>
  new Set((list as Tag[]).map((entry) => JSON.stringify(tagRules.canonical(entry as never))));

/** Texts for fields of any format: names, variables, networks and ids. */
const TEXTS = ["sample", "SAMPLE", "203.0.113.1", "a1b2c3d4-0001-4a53-9c1e-000000000001"];

/** A value that a schema allows. */
export function sampleOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional) return sampleOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element as z.ZodType)];
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.ZodType>(schema.shape);
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(member)]));
  }
  const {
    enum: allowed,
    type,
    minimum = 0,
    multipleOf = 1,
  } = z.toJSONSchema(schema, { unrepresentable: "any" });
  if (allowed) return allowed[0];
  if (type === "string") return TEXTS.find((text) => schema.safeParse(text).success) ?? "sample";
  return type === "boolean" ? true : minimum + multipleOf;
}
