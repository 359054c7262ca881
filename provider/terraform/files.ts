import { isRecord } from "../fields";
import { type Conversion, type ConvertedResource, type Omitted, Reference } from "./convert";

/*
 * The files and the report of a conversion.
 */

/** The file for `pulumi import --file`. */
export function importsFile({ resources }: Conversion): string {
  const entries = resources.map(({ name, className, importId }) => ({
    type: `clouddb:index:${className}`,
    name,
    id: importId,
  }));
  return `${JSON.stringify({ resources: entries }, undefined, 2)}\n`;
}

/** The program in YAML, from which `pulumi convert` makes programs in other languages. */
export function programFile(project: string, { resources }: Conversion): string {
  const declarations = Object.fromEntries(resources.map((resource) => [resource.name, declarationOf(resource)]));
  return yaml({ name: project, runtime: "yaml", resources: declarations });
}

/** An import protects what it imports, so that the program has to protect it, too. */
function declarationOf({ className, properties }: ConvertedResource): object {
  return { type: `clouddb:${className}`, properties, options: { protect: true } };
}

function yaml(value: unknown, indent = ""): string {
  if (Array.isArray(value)) {
    return value.map((entry) => `${indent}- ${textUnder(entry, indent).trimStart()}`).join("");
  }
  const members = Object.entries(value as object);
  return members.map(([name, member]) => `${indent}${key(name)}:${textUnder(member, indent)}`).join("");
}

/** YAML reads some plain words as other values than texts. */
const PLAIN = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z][\w-]*$/i;
const key = (name: string) => (PLAIN.test(name) ? name : JSON.stringify(name));

/** A member or an entry: on the same line, or on indented lines below. */
function textUnder(value: unknown, indent: string): string {
  const hasLines = (Array.isArray(value) && value.length > 0) || (isRecord(value) && !(value instanceof Reference));
  return hasLines ? `\n${yaml(value, `${indent}  `)}` : ` ${scalar(value)}\n`;
}

/** JSON is YAML, too. Pulumi evaluates `${…}` in it, unless the dollar sign is doubled. */
function scalar(value: unknown): string {
  if (value instanceof Reference) return `\${${value.name}.id}`;
  return JSON.stringify(value).replaceAll("$", "$$$$");
}

const REASONS: Readonly<Record<keyof Omitted, string>> = {
  secret: "secret, not written",
  undeclared: "not declared; add it if the program is to manage it",
  refused: "not declared, because its value is not allowed here",
  unmanaged: "no argument here; it stays as it is",
};

/** Each object with its result, and the attributes that were left out. */
export function report({ outcomes }: Conversion): string {
  const lines = outcomes.flatMap(({ address, result, omitted }) => [
    `${address}: ${result}`,
    ...(Object.keys(REASONS) as (keyof Omitted)[])
      .filter((reason) => (omitted?.[reason] ?? []).length > 0)
      .map((reason) => `  ${REASONS[reason]}: ${omitted?.[reason].join(", ")}`),
  ]);
  return `${lines.join("\n")}\n`;
}
