import { type Capacity, type CapacityRow, capacityOf, gbOf, type Size } from "../judge/capacity";
import { irreversibleIn } from "../judge/irreversible";
import { type PropertyChange, propertyChanges } from "../judge/properties";
import { shown } from "../judge/values";
import { type Change, type Operation, type PolicyResult, type Preview, touched } from "../preview";
import { code, plain } from "./escape";

export interface MarkdownOptions {
  readonly masks: readonly RegExp[];
  /** The most bytes of the whole report. */
  readonly maxBytes: number;
}

const SIGNS: Readonly<Record<Operation, string>> = {
  create: "➕",
  update: "✏️",
  replace: "♻️",
  delete: "🗑️",
  forget: "👋",
  read: "👁️",
  import: "📥",
  discard: "✖️",
  same: "",
};
const ORDER: readonly Operation[] = ["replace", "delete", "forget", "create", "import", "update", "read", "discard"];

/** The report of one stack, most important first. What has to give way to the budget are details, from the end. */
export function markdownOf(preview: Preview, { masks, maxBytes }: MarkdownOptions): string {
  const changed = touched(preview.changes);
  const title = `${code(preview.project)} / ${code(preview.stack)}`;
  const place = Buffer.from(`${preview.project}/${preview.stack}`).toString();
  const marker = `<!-- clouddb-report ${encodeURIComponent(place)} -->`;
  const hasNews = changed.length > 0 || preview.drift.length > 0 || preview.policies.some(isNews);
  if (!hasNews && preview.outcome === "succeeded") return `${marker}\n**${title}**: ${nothing(preview)}.\n`;

  const capacity = capacityOf(preview.changes);
  const irreversible = irreversibleIn(changed, masks);
  const kept = [
    marker,
    `### ${title}`,
    failure(preview),
    verdict(preview, changed, capacity, irreversible.length),
    section(
      "Cannot be undone",
      irreversible.map(({ name, reason }) => `- ⚠️ ${code(name)}: ${line(reason)}`),
    ),
    policySection(preview.policies),
  ].filter((text) => text !== "");
  const optional = [
    capacitySection(capacity),
    driftSection(preview.drift, masks),
    graphSection(changed),
    ...ORDER.flatMap((operation) => changed.filter((change) => change.operation === operation)).map((change) =>
      details(change, masks),
    ),
  ].filter((text) => text !== "");
  const mayApply = preview.outcome === "succeeded" && !preview.policies.some(({ result }) => result === "failed");
  const last = mayApply
    ? `To apply: ${code(`pulumi up --stack ${preview.stack}`)}`
    : "Nothing can be applied before this is mended.";
  return within(maxBytes, kept, optional, last);
}

function nothing({ stackOperation }: Preview): string {
  return stackOperation === "same" ? "no changes" : `no resource changes; ${stackOperation} of the stack itself`;
}

function within(maxBytes: number, kept: readonly string[], optional: readonly string[], last: string): string {
  const size = (texts: readonly string[]) => Buffer.byteLength(texts.join("\n\n"));
  const shownParts: string[] = [];
  for (const [index, part] of optional.entries()) {
    const leftOut = `_${optional.length - index} parts with details are left out here; \`pulumi preview --diff\` shows them._`;
    if (size([...kept, ...shownParts, part, leftOut, last]) + 1 > maxBytes) {
      return `${[...kept, ...shownParts, leftOut, last].join("\n\n")}\n`;
    }
    shownParts.push(part);
  }
  return `${[...kept, ...shownParts, last].join("\n\n")}\n`;
}

function failure({ outcome, diagnostics }: Preview): string {
  if (outcome === "succeeded") return "";
  const errors = diagnostics.filter(({ severity, message }) => severity === "error" && message !== "preview failed");
  const what = outcome === "cut off" ? "The preview was cut off" : "The preview failed";
  const lines = [...new Set(errors.map(({ message }) => `- ${line(message)}`))];
  return [`❌ **${what}**; what is known of it is below.`, ...(lines.length > 0 ? ["", ...some(lines)] : [])].join(
    "\n",
  );
}

function verdict(
  { policies, drift, outcome }: Preview,
  changed: readonly Change[],
  { beforeGb, afterGb }: Capacity,
  irreversible: number,
): string {
  const counts = ORDER.map((operation) => ({ operation, count: count(changed, operation) })).filter(
    ({ count }) => count > 0,
  );
  const failed = policies.filter(({ result }) => result === "failed").length;
  const warned = policies.filter(({ result }) => result === "warned").length;
  const parts = [
    counts.length > 0
      ? counts.map(({ operation, count }) => `${SIGNS[operation]} ${count} to ${operation}`).join(", ")
      : outcome === "succeeded"
        ? "no changes"
        : "no change is known",
    beforeGb === afterGb ? "" : `capacity ${difference(beforeGb, afterGb)}`,
    failed > 0 ? `❌ ${failed} policy ${failed === 1 ? "violation" : "violations"}` : "",
    warned > 0 ? `${warned} ${warned === 1 ? "advice" : "advices"}` : "",
    irreversible > 0 ? `⚠️ ${irreversible} cannot be undone` : "",
    drift.length > 0 ? `${drift.length} drifted` : "",
  ];
  return `**${parts.filter((part) => part !== "").join(" · ")}**`;
}

function count(changes: readonly Change[], operation: Operation): number {
  return changes.filter((change) => change.operation === operation).length;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length > 0 ? `#### ${title}\n\n${some(lines).join("\n")}` : "";
}

const MOST_LINES = 40;
const LONGEST_LINE = 600;

/** A comment that is too long is no comment: of what is never left out, the first are shown and the rest counted. */
function some(lines: readonly string[]): readonly string[] {
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `- … and ${rest} more of these`] : lines;
}

/** An item's text: what would begin a list or a rule of its own is an entity. */
function line(text: string): string {
  return plain(text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text).replace(
    /^(\s*\d*)([-+=.)])/,
    (_, before, mark) => `${before}&#${mark.charCodeAt(0)};`,
  );
}

const RESULTS = [
  ["failed", "❌"],
  ["warned", "⚠️"],
  ["not checked", "❔"],
] as const;

function isNews({ result }: PolicyResult): boolean {
  return result !== "passed";
}

function policySection(policies: readonly PolicyResult[]): string {
  const lines = RESULTS.flatMap(([result, sign]) => {
    const found = policies.filter((each) => each.result === result);
    return [...new Set(found.map(({ policy }) => policy))].sort().map((name) => {
      const messages = found.filter(({ policy }) => policy === name).map(({ message }) => line(said(message)));
      return `- ${sign} ${code(name)} ${result}:${some(messages.map((message) => `- ${message}`))
        .map((each) => `\n  ${each}`)
        .join("")}`;
    });
  });
  const passed = [...new Set(policies.filter(({ result }) => result === "passed").map(({ policy }) => policy))].sort();
  const last = passed.length > 0 ? [`- ✅ ${passed.length} passed: ${passed.map(code).join(", ")}`] : [];
  return section("Policies", [...lines, ...last]);
}

/** The first line repeats the policy's description; what was found stands below. */
function said(message: string): string {
  const [first = "", ...rest] = message.split("\n");
  const open = /^can't run policy .* during preview: (.*)$/.exec(first);
  return open?.[1] ?? (rest.length > 0 ? rest.join(" ") : first);
}

function capacitySection({ rows, beforeGb, afterGb, uncounted }: Capacity): string {
  const shownRows = rows.filter(
    ({ before, after, isLeftBehind }) => isLeftBehind || sizeText(before) !== sizeText(after),
  );
  if (shownRows.length === 0) return "";
  const open = uncounted.length > 0 ? `\n\nNot counted in full: ${uncounted.map(code).join(", ")}.` : "";
  const total = `| **together** | ${beforeGb} GB | ${afterGb} GB | ${difference(beforeGb, afterGb)} |`;
  const head = "| service | before | after | change |\n|---|---|---|---|";
  return `#### Capacity\n\n${[head, ...shownRows.map(capacityLine), total].join("\n")}${open}`;
}

function capacityLine({ name, before, after, isLeftBehind }: CapacityRow): string {
  const [was, is] = [gbOf(before) ?? 0, gbOf(after) ?? 0];
  const isKnown = (size: Size | undefined) => size === undefined || gbOf(size) !== undefined;
  const change = isKnown(before) && isKnown(after) ? difference(was, is) : "not known yet";
  const left = isLeftBehind ? ", no longer managed" : "";
  return `| ${code(name)}${left} | ${sizeText(before)} | ${sizeText(after)} | ${change} |`;
}

function sizeText(size: Size | undefined): string {
  if (size === undefined) return "-";
  const gb = gbOf(size);
  return `${size.memoryGb ?? "?"} GB × ${size.replicas ?? "?"}${gb === undefined ? "" : ` = ${gb} GB`}`;
}

function difference(before: number, after: number): string {
  const sign = after >= before ? "+" : "−";
  const percent = before === 0 ? "" : ` (${sign}${Math.round((100 * Math.abs(after - before)) / before)} %)`;
  return `${sign}${Math.abs(after - before)} GB${percent}`;
}

function driftSection(drift: readonly Change[], masks: readonly RegExp[]): string {
  const lines = drift.flatMap((change) =>
    change.after === undefined ? [`- ${code(change.name)} is gone`] : driftLines(change, masks),
  );
  return section("Changed behind the program's back", lines);
}

function driftLines(change: Change, masks: readonly RegExp[]): string[] {
  const lines = propertyChanges(change, masks).map((property) => `- ${code(change.name)} ${propertyText(property)}`);
  // Some providers only tell that something has changed.
  return lines.length > 0 ? lines : [`- ${code(change.name)} differs from its stored state`];
}

const MOST_NODES = 30;

/** What is touched, and what depends on what; left out where there is little or too much to see. */
function graphSection(changed: readonly Change[]): string {
  const resources = [...new Map(changed.map((change) => [change.urn, change])).values()];
  const ids = new Map(resources.map(({ urn }, index) => [urn, `n${index}`]));
  const edges = resources.flatMap(({ urn, dependencies }) =>
    dependencies.flatMap((source) => (ids.has(source) ? [`  ${ids.get(source)} --> ${ids.get(urn)}`] : [])),
  );
  if (edges.length === 0 || resources.length > MOST_NODES) return "";
  const nodes = resources.map(({ urn, name, operation }) => `  ${ids.get(urn)}["${label(name)}<br>${operation}"]`);
  return `<details><summary>What depends on what</summary>\n\n\`\`\`mermaid\ngraph LR\n${[...nodes, ...edges].join("\n")}\n\`\`\`\n\n</details>`;
}

/** A diagram has its own markup: only what is surely none of it stays. */
function label(name: string): string {
  return name.replace(/[^\p{L}\p{N} ._-]/gu, "·").slice(0, 60);
}

function details(change: Change, masks: readonly RegExp[]): string {
  const properties = change.after === undefined ? [] : propertyChanges(change, masks);
  const lines = properties.map((property) => `- ${propertyText(property)}`);
  const [, type = change.type] = /(?:^|:)([^:]+)$/.exec(change.type) ?? [];
  const summary = `${SIGNS[change.operation]} ${change.operation} ${code(change.name)} (${code(type)})`;
  return lines.length > 0 ? `<details><summary>${summary}</summary>\n\n${lines.join("\n")}\n\n</details>` : summary;
}

/** As an entity: at the beginning of an item a plus begins another list. */
const PLUS = "&#43;";

function propertyText({ place, before, after, entries, replaces, sources }: PropertyChange): string {
  const from = sources.length > 0 ? ` from ${sources.map(code).join(", ")}` : "";
  const because = `${from}${replaces ? " **(only a new one can have it)**" : ""}`;
  if (entries) {
    const lines = [
      ...entries.removed.map((entry) => `\n  - − ${code(shown(entry))}`),
      ...entries.added.map((entry) => `\n  - ${PLUS} ${code(shown(entry))}`),
    ];
    return `${code(place)}${because}:${lines.join("")}`;
  }
  if (before === undefined) return `${code(place)}: ${code(shown(after))}${because}`;
  const isHidden = shown(before) === shown(after);
  return `${code(place)}: ${isHidden ? `${code(shown(before))} changed` : `${code(shown(before))} → ${code(shown(after))}`}${because}`;
}
