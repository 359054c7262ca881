import { isRecord } from "pulumi-clouddb-facts";
import type { Preview } from "../preview";

/** Types of what the input claims to be: reading takes values as they are. */

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const properties: Check = isRecord;
const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const recordOf =
  (item: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(item);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const objectOf = (members: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(members);
  return (value) => isRecord(value) && checks.every(([name, check]) => check(value[name]));
};

const state = optional(objectOf({ id: text, provider: text, inputs: properties, outputs: properties }));
const step = objectOf({
  ...{ urn: text, type: text, name: text, parent: text, before: state, after: state },
  ...{ differing: listOf(text), replacing: listOf(text) },
});
const preview = objectOf({
  changes: listOf(step),
  drift: listOf(step),
  policies: listOf(objectOf({ policy: text, pack: text, urn: text, message: text })),
  packs: listOf(text),
  outputs: optional(objectOf({ before: properties, after: properties })),
  summary: optional(recordOf((value) => typeof value === "number")),
  diagnostics: listOf(objectOf({ urn: text, message: text })),
});

/** True if all parts of a preview have their types. */
export function hasTypes(read: Preview): boolean {
  return preview(read);
}
