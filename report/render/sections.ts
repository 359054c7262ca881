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

const MOST_NODES = 30;

/** The dependencies between changed resources; omitted if there are none or too many. */
export function graphSection(changes: readonly ResourceChange[]): Block[] {
  const resources = [...new Map(changes.map((change) => [change.urn, change])).values()];
  const ids = new Map(resources.map(({ urn }, index) => [urn, `n${index}`]));
  const edges = resources.flatMap(({ urn, dependencies }) =>
    dependencies.flatMap((source) => (ids.has(source) ? [`  ${ids.get(source)} --> ${ids.get(urn)}`] : [])),
  );
  if (edges.length === 0 || resources.length > MOST_NODES) return [];
  const nodes = resources.map(
    (resource) => `  ${ids.get(resource.urn)}["${label(resource.name)}<br>${verbOf(resource.operation)}"]`,
  );
  const graph = `\`\`\`mermaid\ngraph LR\n${[...nodes, ...edges].join("\n")}\n\`\`\``;
  return [{ head: `<details><summary>Dependencies</summary>\n\n${graph}\n\n</details>`, lines: [] }];
}

/** Mermaid has its own markup: only characters that are certainly plain text stay. */
function label(text: string): string {
  return text.replace(/[^\p{L}\p{N} ._-]/gu, "·").slice(0, 60);
}

/** The components that contain the changes; omitted if there are none. */
export function treeSection(changes: readonly ResourceChange[]): Block[] {
  if (!changes.some(({ path }) => path.length > 0)) return [];
  const listed = new Set<string>();
  const lines = [...changes]
    .sort((left, right) => comparePaths([...left.path, left.name], [...right.path, right.name]))
    .flatMap(({ path, name: resource, operation }) => [
      ...path.flatMap((component, depth) => {
        const key = JSON.stringify(path.slice(0, depth + 1));
        if (listed.has(key)) return [];
        listed.add(key);
        return [`${indent(depth)}- ${nameSpan(component)}`];
      }),
      `${indent(path.length)}- ${SIGNS[operation]} ${nameSpan(resource)}`,
    ]);
  const tail = "\n\n</details>";
  return [{ head: "<details><summary>Component tree</summary>\n\n", lines, tail, most: 100 }];
}

function comparePaths(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  if (at === -1) return left.length - right.length;
  return (left[at] as string) < (right[at] ?? "") ? -1 : 1;
}

const DEEPEST = 8;

function indent(depth: number): string {
  return "  ".repeat(Math.min(depth, DEEPEST));
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
