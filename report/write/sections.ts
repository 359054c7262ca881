import type { Analysis, ResourceChange } from "../judge/analysis";
import { type Capacity, type CapacityRow, gbOf, type Size } from "../judge/capacity";
import type { Warning } from "../judge/irreversible";
import type { Block } from "./fit";
import { line, name, names, propertyText, SIGNS } from "./lines";

/** The sections of a report, each as far as there is room. */

export function section(title: string, lines: readonly string[]): Block[] {
  return lines.length > 0 ? [{ head: `#### ${title}\n\n`, lines, most: MOST_LINES }] : [];
}

/** A comment that is too long is no comment: of what is never left out, the first are shown and the rest counted. */
const MOST_LINES = 40;

export function warningLines(warnings: readonly Warning[], sign: string): string[] {
  return warnings.map((each) => `- ${sign} ${each.name === "" ? "" : `${name(each.name)}: `}${line(each.reason)}`);
}

export function outputSection({ outputs }: Analysis): Block[] {
  return section(
    "Outputs of the stack",
    outputs.map((each) => `- ${propertyText(each)}`),
  );
}

export function capacitySection({ rows, beforeGb, afterGb, uncounted }: Capacity): Block[] {
  const shownRows = rows.filter(
    ({ before, after, isLeftBehind }) => isLeftBehind || sizeText(before) !== sizeText(after),
  );
  if (shownRows.length === 0) return [];
  const open = uncounted.length > 0 ? `\n\nNot counted in full: ${names(uncounted, 10)}.` : "";
  const total = `| **together** | ${beforeGb} GB | ${afterGb} GB | ${difference(beforeGb, afterGb)} |`;
  const head = "#### Capacity\n\n| service | before | after | change |\n|---|---|---|---|\n";
  const rest = (count: number) => `| … and ${count} more | | | |`;
  return [{ head, lines: shownRows.map(capacityLine), tail: `\n${total}${open}`, rest }];
}

function capacityLine({ name: service, before, after, isLeftBehind }: CapacityRow): string {
  const [was, is] = [gbOf(before) ?? 0, gbOf(after) ?? 0];
  const isKnown = (size: Size | undefined) => size === undefined || gbOf(size) !== undefined;
  const change = isKnown(before) && isKnown(after) ? difference(was, is) : "not known yet";
  const left = isLeftBehind ? ", no longer managed" : "";
  return `| ${name(service)}${left} | ${sizeText(before)} | ${sizeText(after)} | ${change} |`;
}

function sizeText(size: Size | undefined): string {
  if (size === undefined) return "-";
  const gb = gbOf(size);
  return `${size.memoryGb ?? "?"} GB × ${size.replicas ?? "?"}${gb === undefined ? "" : ` = ${gb} GB`}`;
}

export function difference(before: number, after: number): string {
  const sign = after >= before ? "+" : "−";
  const percent = before === 0 ? "" : ` (${sign}${Math.round((100 * Math.abs(after - before)) / before)} %)`;
  return `${sign}${Math.abs(after - before)} GB${percent}`;
}

export function driftSection(drift: readonly ResourceChange[]): Block[] {
  return section("Changed outside of Pulumi", drift.flatMap(driftLines));
}

function driftLines({ name: resource, isGone, properties }: ResourceChange): string[] {
  if (isGone) return [`- ${name(resource)} is gone`];
  const lines = properties.map((property) => `- ${name(resource)} ${propertyText(property)}`);
  // Some providers only tell that something has changed.
  return lines.length > 0 ? lines : [`- ${name(resource)} differs from its stored state`];
}

const MOST_NODES = 30;

/** What is touched, and what depends on what; left out where there is little or too much to see. */
export function graphSection(changes: readonly ResourceChange[]): Block[] {
  const resources = [...new Map(changes.map((change) => [change.urn, change])).values()];
  const ids = new Map(resources.map(({ urn }, index) => [urn, `n${index}`]));
  const edges = resources.flatMap(({ urn, dependencies }) =>
    dependencies.flatMap((source) => (ids.has(source) ? [`  ${ids.get(source)} --> ${ids.get(urn)}`] : [])),
  );
  if (edges.length === 0 || resources.length > MOST_NODES) return [];
  const nodes = resources.map((each) => `  ${ids.get(each.urn)}["${label(each.name)}<br>${each.operation}"]`);
  const graph = `\`\`\`mermaid\ngraph LR\n${[...nodes, ...edges].join("\n")}\n\`\`\``;
  return [{ head: `<details><summary>What depends on what</summary>\n\n${graph}\n\n</details>`, lines: [] }];
}

/** A diagram has its own markup: only what is surely none of it stays. */
function label(text: string): string {
  return text.replace(/[^\p{L}\p{N} ._-]/gu, "·").slice(0, 60);
}

/** The components that the changes are part of; left out where there are none. */
export function treeSection(changes: readonly ResourceChange[]): Block[] {
  if (!changes.some(({ path }) => path.length > 0)) return [];
  const told = new Set<string>();
  const lines = [...changes]
    .sort((left, right) => compared([...left.path, left.name], [...right.path, right.name]))
    .flatMap(({ path, name: resource, operation }) => [
      ...path.flatMap((component, depth) => {
        const key = JSON.stringify(path.slice(0, depth + 1));
        if (told.has(key)) return [];
        told.add(key);
        return [`${indent(depth)}- ${name(component)}`];
      }),
      `${indent(path.length)}- ${SIGNS[operation]} ${name(resource)}`,
    ]);
  const tail = "\n\n</details>";
  return [{ head: "<details><summary>Component tree</summary>\n\n", lines, tail, most: 100 }];
}

function compared(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  if (at === -1) return left.length - right.length;
  return (left[at] as string) < (right[at] ?? "") ? -1 : 1;
}

const DEEPEST = 8;

function indent(depth: number): string {
  return "  ".repeat(Math.min(depth, DEEPEST));
}

const MOST_PROPERTIES = 60;

export function details({ operation, name: resource, path, type, properties }: ResourceChange): Block {
  const [, kind = type] = /(?:^|:)([^:]+)$/.exec(type) ?? [];
  const place = [...path.slice(-3), resource].map(name).join(" / ");
  const summary = `${SIGNS[operation]} ${operation} ${place} (${name(kind)})`;
  const lines = properties.map((property) => `- ${propertyText(property)}`);
  if (lines.length === 0) return { head: summary, lines };
  const head = `<details><summary>${summary}</summary>\n\n`;
  return { head, lines, tail: "\n\n</details>", most: MOST_PROPERTIES };
}
