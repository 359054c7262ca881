import { capacityGb } from "../analyze/size";
import type { Analysis, Capacity, CapacityRow, Size } from "../json-report";
import type { Block } from "./fit";
import { nameList, nameSpan } from "./lines";

/** The size that services may grow to, and their cost. */
export function capacitySection({ capacity }: Pick<Analysis, "capacity">): Block[] {
  const { rows, beforeGb, afterGb, uncounted, monthlyCost } = capacity;
  const shownRows = rows.filter((row) => row.isLeftBehind || hasChanged(row));
  if (shownRows.length === 0) return [];
  const columns = ["service", "before", "after", "change"];
  const total = ["**total**", `${beforeGb} GB`, `${afterGb} GB`, formatDifference(beforeGb, afterGb)];
  const notes = [
    ...(uncounted.length > 0 ? [`Not fully counted: ${nameList(uncounted, 10)}.`] : []),
    ...(monthlyCost
      ? [`Maximum cost per month: ${formatCost(monthlyCost.before)} before, ${formatCost(monthlyCost.after)} after.`]
      : []),
  ].map((text) => `\n\n${text}`);
  return [
    {
      head: `#### Capacity\n\n${tableRow(columns)}\n|${"---|".repeat(columns.length)}\n`,
      lines: shownRows.map((row) => tableRow(sizeCells(row))),
      tail: `\n${tableRow(total)}${notes.join("")}`,
      rest: (count) => `| … and ${count} more${" |".repeat(columns.length)}`,
    },
  ];
}

function hasChanged({ before, after }: CapacityRow): boolean {
  return sizeText(before) !== sizeText(after);
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
export function costText({ before, after }: NonNullable<Capacity["monthlyCost"]>): string {
  return before === after ? "" : `cost up to ${formatCost(after)} per month (was ${formatCost(before)})`;
}

const formatCost = (amount: number): string =>
  amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
