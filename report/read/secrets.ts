import { isRecord, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";

/** Short values, such as numbers and names of regions, are in many messages. */
const SHORTEST = 4;

/** A stored state without the plain text of its secrets, whose texts are added to a list. */
export function withoutSecrets<T>(value: T, secrets: string[]): T {
  return replaceSecrets(value, secrets) as T;
}

function replaceSecrets(value: unknown, secrets: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(item, secrets));
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_MARK) {
    if (typeof value.plaintext === "string") addTexts(JSON.parse(value.plaintext), secrets);
    return { [SIGNATURE]: SECRET_MARK };
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceSecrets(item, secrets)]));
}

function addTexts(value: unknown, secrets: string[]): void {
  if (typeof value === "string" && value.trim().length >= SHORTEST) secrets.push(value);
  else if (typeof value === "object" && value !== null)
    for (const item of Object.values(value)) addTexts(item, secrets);
}
