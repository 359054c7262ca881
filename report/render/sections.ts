import type { Analysis, ResourceChange, Warning } from "../json-report";
import type { Block } from "./fit";
import { escapeLine, nameSpan, propertyText, SIGNS, verbOf } from "./lines";

/** The sections of a report. */

export function section(title: string, lines: readonly string[]): Block[] {
  return lines.length > 0 ? [{ head: `#### ${title}\n\n`, lines, most: MOST_LINES }] : [];
}

/** Even important lists are limited: the first lines are shown, the rest are counted. */
const MOST_LINES = 40;

export function warningLines(warnings: readonly Warning[], sign: string): string[] {
  return warnings.map(
    (warning) => `- ${sign} ${warning.name === "" ? "" : `${nameSpan(warning.name)}: `}${escapeLine(warning.reason)}`,
  );
}

export function outputSection({ outputs }: Analysis): Block[] {
  return section(
    "Stack outputs",
    outputs.map((output) => `- ${propertyText(output)}`),
  );
}

export function driftSection(drift: readonly ResourceChange[]): Block[] {
  return section("Changed outside of Pulumi", drift.flatMap(driftLines));
}

function driftLines({ name: resource, isGone, properties }: ResourceChange): string[] {
  if (isGone) return [`- ${nameSpan(resource)} no longer exists`];
  const lines = properties.map((property) => `- ${nameSpan(resource)} ${propertyText(property)}`);
  // Some providers only say that something has changed.
  return lines.length > 0 ? lines : [`- ${nameSpan(resource)} differs from its stored state`];
}

const MOST_PROPERTIES = 60;

export function changeDetails({ operation, name: resource, path, type, id, properties }: ResourceChange): Block {
  const [, kind = type] = /(?:^|:)([^:]+)$/.exec(type) ?? [];
  const place = [...path.slice(-3), resource].map(nameSpan).join(" / ");
  const summary = `${SIGNS[operation]} ${verbOf(operation)} ${place} (${nameSpan(kind)}${id === undefined ? "" : ` ${nameSpan(id)}`})`;
  const lines = properties.map((property) => `- ${propertyText(property)}`);
  if (lines.length === 0) return { head: summary, lines };
  const head = `<details><summary>${summary}</summary>\n\n`;
  return { head, lines, tail: "\n\n</details>", most: MOST_PROPERTIES };
}
