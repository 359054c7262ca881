import { Address4, Address6 } from "ip-address";
import { z } from "zod";

/**
 * Shapes that several bodies share, and their validation. An unknown member is an error everywhere.
 */

export const text = z.string();
export const count = z.number();
export const flag = z.boolean();
/** Any version of UUID, in upper or lower case. */
export const id = z.guid("must be a UUID");
export const dateTime = z.iso.datetime({
  offset: true,
  error: "must be a date and time in ISO 8601",
});

/** An object without required members. */
export function partial<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).partial();
}

/** A change of a list in an update. */
export function listChange<Entry extends z.ZodType>(entry: Entry) {
  return partial({ add: z.array(entry), remove: z.array(entry) });
}

/** The type of a schema's values. They are JSON, so a member is absent or has a value. */
export type ValueOf<Schema extends z.ZodType> = Defined<z.infer<Schema>>;

type Defined<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Defined<Exclude<Value[Name], undefined>> }
  : Value;

/**
 * The first error of a value, as a sentence that calls the value `root`; undefined where the value
 * is valid.
 */
export function findError(schema: z.ZodType, value: unknown, root = "body"): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return undefined;
  const place = issue.path.join(".") || root;
  if (issue.code === "unrecognized_keys") return `${place} has no field ${issue.keys[0]}`;
  if (issue.message.endsWith("received undefined")) return `${place} is missing`;
  // Without the first words of "Too small: expected number to be >=8".
  return `${place}: ${issue.message.replace(/^(Invalid|Too) [a-z]+: /, "")}`;
}

/**
 * The network of an access entry: an address becomes its /32 or /128, host bits are masked.
 * Undefined for other texts, for addresses with a zone, which names an interface of one machine,
 * and for lengths that begin with a zero.
 */
export function canonicalNetwork(source: string): string | undefined {
  const Address = source.includes(":") ? Address6 : Address4;
  if (/%|\/0\d/.test(source) || !Address.isValid(source)) return undefined;
  const network = new Address(source);
  return `${network.startAddress().correctForm()}/${network.subnetMask}`;
}
