import { formatAmount, formatMoney, type MonthlyCost } from "pulumi-clouddb-facts";
import { unknownCosts } from "../analyze/cost";
import { capacityGb, type Size } from "../analyze/size";
import type { Analysis, Capacity, CapacityRow, CostChange, TotalCost } from "../json-report";
import type { Block } from "./fit";
import { escapeLine, nameList, nameSpan } from "./lines";

/** The size that services may grow to, and their cost. */
export function capacitySection(analysis: Pick<Analysis, "capacity" | "notCovered">): Block[] {
  const { rows, beforeGb, afterGb, uncounted, cost } = analysis.capacity;
  const shownRows = rows.filter((row) => row.isLeftBehind || hasChanged(row));
  if (shownRows.length === 0) return [];
  const columns = [
    "service",
    "before",
    "after",
    "change",
    ...(cost ? [`${cost.currency} per month, from … to …`] : []),
  ];
  const open = uncounted.length > 0 ? [`Not fully counted: ${nameList(uncounted, 10)}.`] : [];
  const total = [
    `**total${scopeOf(analysis)}**`,
    `${beforeGb} GB`,
    `${afterGb} GB`,
    formatDifference(beforeGb, afterGb),
  ];
  const notes = [...open, ...unknownText(rows)].map((text) => `\n\n${text}`);
  return [
    {
      head: `#### Capacity\n\n${tableRow(columns)}\n|${"---|".repeat(columns.length)}\n`,
      lines: shownRows.map((row) => tableRow([...sizeCells(row), ...costCell(row.cost, cost?.currency)])),
      tail: `\n${tableRow([...total, ...costCell(cost, cost?.currency)])}${notes.join("")}`,
      rest: (count) => `| … and ${count} more${" |".repeat(columns.length)}`,
    },
  ];
}

/** A digest may leave out the services that do not change. */
export function scopeOf({ notCovered }: Pick<Analysis, "notCovered">): string {
  return notCovered.includes("unchanged resources") ? " of changed services" : "";
}

function hasChanged({ before, after, cost }: CapacityRow): boolean {
  if (sizeText(before) !== sizeText(after)) return true;
  return cost?.before?.from !== cost?.after?.from || cost?.before?.to !== cost?.after?.to;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function sizeCells({ name: service, before, after, isLeftBehind, isSecret }: CapacityRow): string[] {
  const [was, is] = [capacityGb(before) ?? 0, capacityGb(after) ?? 0];
  const isKnown = (size: Size | undefined) => size === undefined || capacityGb(size) !== undefined;
  const change = isKnown(before) && isKnown(after) ? formatDifference(was, is) : isSecret ? "secret" : "not known yet";
  const left = isLeftBehind ? ", no longer managed" : "";
  return [`${nameSpan(service)}${left}`, sizeText(before), sizeText(after), change];
}

function sizeText(size: Size | undefined): string {
  if (size === undefined) return "-";
  const gb = capacityGb(size);
  if (gb !== undefined && gb === size.totalGb) return `${gb} GB`;
  return `${size.memoryGb ?? "?"} GB × ${size.replicas ?? "?"}${gb === undefined ? "" : ` = ${gb} GB`}`;
}

export function formatDifference(before: number, after: number): string {
  const sign = after >= before ? "+" : "−";
  const percent = before === 0 ? "" : ` (${sign}${Math.round((100 * Math.abs(after - before)) / before)} %)`;
  return `${sign}${Math.abs(after - before)} GB${percent}`;
}

/** The maximum cost of all services, if it changes. */
export function costText({ before, after, currency }: TotalCost, scope: string): string {
  if (after?.to === undefined || before?.to === after.to) return "";
  const was = before?.to === undefined ? "" : ` (was ${formatMoney(before.to, currency)})`;
  return `cost${scope} up to ${formatMoney(after.to, currency)} per month${was}`;
}

function costCell(cost: Pick<CostChange, "before" | "after"> | undefined, currency: string | undefined): string[] {
  if (cost === undefined || currency === undefined) return [];
  const [was, is] = [cost.before, cost.after].map((item) => rangeText(item, currency));
  return [was === is ? `${is}` : `${was} → ${is}`];
}

function rangeText(cost: MonthlyCost | undefined, currency: string): string {
  if (cost === undefined) return "-";
  const [from, to] = [cost.from, cost.to].map((amount) =>
    amount === undefined ? "?" : formatAmount(amount, currency),
  );
  return `${from} to ${to}`;
}

const MOST_REASONS = 5;

function unknownText(rows: Capacity["rows"]): string[] {
  const groups = unknownCosts(rows).map(
    ({ names, unknown }) => `${nameList(names, 10)} (${escapeLine(unknown.join(", "))})`,
  );
  const rest = groups.length > MOST_REASONS ? ` and ${groups.length - MOST_REASONS} more` : "";
  const listed = groups.slice(0, MOST_REASONS).join("; ") + rest;
  return groups.length === 0 ? [] : [`Cost not fully known, and missing from the total: ${listed}.`];
}
