import { capacityGb } from "pulumi-clouddb-facts";
import { lacksSize, percentText } from "../analyze/capacity";
import { SILENT } from "../analyze/policies";
import { countText, textsOf } from "../analyze/values";
import type {
  Analysis,
  CapacityRow,
  Operation,
  PolicyGroup,
  PropertyChange,
  ResourceChange,
  Size,
  Warning,
} from "../json-report";
import type { Block } from "./fit";
import { escapeLine, nameList, nameSpan, propertyText } from "./lines";

/** The signs of operations, in the report's order. */
export const SIGNS: Readonly<Record<Operation, string>> = {
  replace: "♻️",
  delete: "🗑️",
  forget: "👋",
  create: "➕",
  adopt: "🔗",
  import: "📥",
  update: "✏️",
  read: "👁️",
  discard: "✖️",
  same: "",
};
export const ORDER = Object.keys(SIGNS) as readonly Operation[];

/** All blocks, most important first. A block renders its changes only if there is room. */
export function blocksOf(analysis: Analysis): (() => Block)[] {
  const {
    errors,
    irreversible,
    attention,
    policies,
    unchecked,
    outputs,
    openOutputs,
    drift,
    changes,
  } = analysis;
  const sections = [
    section(
      "Errors",
      errors.map((message) => `- ${escapeLine(message)}`),
    ),
    section(
      "Cannot be undone",
      irreversible.map((warning) => warningLine("⚠️", warning)),
    ),
    section(
      "Needs attention",
      attention.map((warning) => warningLine("👀", warning)),
    ),
    section("Policies", policyLines(policies)),
    section(
      "Not checked",
      unchecked.map((text) => `- ❔ ${escapeLine(text)}`),
    ),
    section("Stack outputs", outputs.map(propertyLine)),
    capacityBlock(analysis),
    section("Changed outside of Pulumi", drift.flatMap(driftLines)),
  ];
  const ordered = ORDER.flatMap((operation) =>
    changes.filter((change) => change.operation === operation),
  );
  return [
    ...sections.filter(({ lines }) => lines.length > 0).map((block) => () => block),
    ...ordered.map((change) => () => changeBlock(change)),
    ...(openOutputs.length > 0 ? [() => ({ head: openOutputText(openOutputs), lines: [] })] : []),
  ];
}

/** The maximum number of lines, even in important lists. Further lines are counted. */
const MOST_LINES = 40;
const MOST_PROPERTIES = 60;
const MOST_FINDINGS = 10;

function section(title: string, lines: readonly string[]): Block {
  return { head: `#### ${title}\n\n`, lines, most: MOST_LINES };
}

function propertyLine(property: PropertyChange): string {
  return `- ${propertyText(property)}`;
}

function warningLine(sign: string, { name, reason }: Warning): string {
  return `- ${sign} ${name === "" ? "" : `${nameSpan(name)}: `}${escapeLine(reason)}`;
}

function openOutputText(names: readonly string[]): string {
  const outputs = countText(names.length, "stack output is", "stack outputs are");
  return `${outputs} not known yet and may change: ${nameList(names, 10)}.`;
}

export const RESULT_SIGNS = {
  failed: "❌",
  warned: "⚠️",
  "not checked": "❔",
  excepted: "☑️",
  "not evaluated": "❔",
  remediated: "🔧",
  passed: "✅",
} as const;

/** Lines for policies with findings, and one line for the rest. */
function policyLines(groups: readonly PolicyGroup[]): string[] {
  const open = groups.filter(({ result }) => !SILENT.includes(result));
  const packs = new Map(groups.map(({ policy, pack }) => [policy, new Set([pack])]));
  for (const { policy, pack } of groups) packs.get(policy)?.add(pack);
  // Packs may have policies with the same name.
  const titleOf = ({ policy, pack }: PolicyGroup) =>
    packs.get(policy)?.size === 1 ? policy : `${pack}/${policy}`;
  return [
    ...open.map((group) => {
      const { result, severity, count, findings } = group;
      const details = (severity ? ` (${severity})` : "") + (count > 1 ? `, ${count} times` : "");
      const head = `- ${RESULT_SIGNS[result]} ${nameSpan(titleOf(group))} ${result}${details}:`;
      const rest = findings.length - MOST_FINDINGS;
      // The finding comes before its names, which may be many.
      const lines = findings.slice(0, MOST_FINDINGS).map(({ message, names }) => {
        const suffix = names.length > 0 ? ` (${nameList(names, 5)})` : "";
        return `  - ${escapeLine(message)}${suffix}`;
      });
      return textsOf(head, ...lines, rest > 0 && `  - … and ${rest} more`).join("\n");
    }),
    ...SILENT.flatMap((silent) => {
      const names = groups.filter(({ result }) => result === silent).map(titleOf);
      return names.length > 0
        ? [
            `- ${RESULT_SIGNS[silent]} ${names.length} ${silent}: ${nameList([...new Set(names)], 30)}`,
          ]
        : [];
    }),
  ];
}

function capacityBlock({ capacity }: Analysis): Block {
  const { rows, beforeGb, afterGb, uncounted, monthlyCost } = capacity;
  const changed = rows.filter(
    (row) => row.isLeftBehind || sizeText(row.before) !== sizeText(row.after),
  );
  const columns = ["service", "before", "after", "change"];
  const total = ["**total**", `${beforeGb} GB`, `${afterGb} GB`, differenceText(beforeGb, afterGb)];
  const notes = textsOf(
    uncounted.length > 0 && `Not fully counted: ${nameList(uncounted, 10)}.`,
    monthlyCost &&
      `Maximum cost per month: ${costText(monthlyCost.before)} before, ${costText(monthlyCost.after)} after.`,
  ).map((text) => `\n\n${text}`);
  return {
    head: `#### Capacity\n\n${tableHead(columns)}`,
    lines: changed.map((row) => tableRow(sizeCells(row))),
    tail: `\n${tableRow(total)}${notes.join("")}`,
    rest: restOf(columns),
  };
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function tableHead(columns: readonly string[]): string {
  return `${tableRow(columns)}\n|${"---|".repeat(columns.length)}\n`;
}

/** A table row with the number of omitted rows. */
export function restOf(columns: readonly string[], noun = "") {
  return (count: number) =>
    `| … and ${count} more${noun && ` ${noun}`}${" |".repeat(columns.length)}`;
}

function sizeCells(row: CapacityRow): string[] {
  const { name, before, after, isLeftBehind, isSecret } = row;
  const difference = differenceText(capacityGb(before) ?? 0, capacityGb(after) ?? 0);
  const left = isLeftBehind ? ", no longer managed" : "";
  const change = !lacksSize(row) ? difference : isSecret ? "secret" : "not known yet";
  return [`${nameSpan(name)}${left}`, sizeText(before), sizeText(after), change];
}

function sizeText(size: Size | undefined): string {
  if (size === undefined) return "-";
  const gb = capacityGb(size);
  if (gb !== undefined && gb === size.totalGb) return `${gb} GB`;
  return `${size.memoryGb ?? "?"} GB × ${size.replicas ?? "?"}${gb === undefined ? "" : ` = ${gb} GB`}`;
}

/** A difference such as `+288 GB (+150 %)`. */
export function differenceText(before: number, after: number): string {
  const percent = percentText(before, after);
  return `${after >= before ? "+" : "−"}${Math.abs(after - before)} GB${percent && ` (${percent})`}`;
}

export function costText(amount: number): string {
  return amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function driftLines({ name, isGone, properties }: ResourceChange): string[] {
  if (isGone) return [`- ${nameSpan(name)} no longer exists`];
  // Some providers do not name changed properties.
  if (properties.length === 0) return [`- ${nameSpan(name)} differs from its stored state`];
  return properties.map((property) => `- ${nameSpan(name)} ${propertyText(property)}`);
}

/** The operation as a verb. "forget" is only the JSON report's name. */
export function verbOf(operation: Operation): string {
  return operation === "forget" ? "remove from state" : operation;
}

function changeBlock({ operation, name, path, type, id, properties }: ResourceChange): Block {
  const [, kind = type] = /(?:^|:)([^:]+)$/.exec(type) ?? [];
  const place = [...path.slice(-3), name].map(nameSpan).join(" / ");
  const object = [kind, ...(id === undefined ? [] : [id])].map(nameSpan).join(" ");
  const summary = `${SIGNS[operation]} ${verbOf(operation)} ${place} (${object})`;
  const lines = properties.map(propertyLine);
  if (lines.length === 0) return { head: summary, lines };
  const head = `<details><summary>${summary}</summary>\n\n`;
  return { head, lines, tail: "\n\n</details>", most: MOST_PROPERTIES };
}
