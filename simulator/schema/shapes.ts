import { Address4, Address6 } from "ip-address";
import { z } from "zod";

/** Shared shapes and their validation. Unknown members are always errors. */

export const text = z.string();
export const count = z.number();
export const flag = z.boolean();
/** A UUID of any version, in upper or lower case. */
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

/** The type of a schema's values. Members are absent or have a value, as in JSON. */
export type ValueOf<Schema extends z.ZodType> = Defined<z.infer<Schema>>;

type Defined<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Defined<Exclude<Value[Name], undefined>> }
  : Value;

/** The first error of a value, named `root`; undefined if valid. */
export function findError(schema: z.ZodType, value: unknown, root = "body"): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return undefined;
  const place = issue.path.join(".") || root;
  if (issue.code === "unrecognized_keys") return `${place} has no field ${issue.keys[0]}`;
  if (issue.message.endsWith("received undefined")) return `${place} is missing`;
  // Drops the start of messages such as "Too small: expected number to be >=8".
  return `${place}: ${issue.message.replace(/^(Invalid|Too) [a-z]+: /, "")}`;
}

/**
 * The network of an access entry, with a length and cleared host bits. Undefined for other texts,
 * for addresses with a zone, which names an interface of one machine, and for lengths with a
 * leading zero.
 */
export function canonicalNetwork(source: string): string | undefined {
  const Address = source.includes(":") ? Address6 : Address4;
  if (/%|\/0\d/.test(source) || !Address.isValid(source)) return undefined;
  const network = new Address(source);
  return `${network.startAddress().correctForm()}/${network.subnetMask}`;
}
