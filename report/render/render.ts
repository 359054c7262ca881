import { createHash } from "node:crypto";
import { hasFindings } from "../analyze/analyze";
import { textsOf } from "../analyze/values";
import type { Analysis, JsonReport } from "../json-report";
import { costText, differenceText, RESULT_SIGNS, restOf, tableHead, tableRow } from "./blocks";
import { bytesOf, fitBlock, fitLines } from "./fit";
import { codeSpan } from "./lines";
import {
  counted,
  isWhole,
  MOST_BYTES,
  markerOf,
  operationsText,
  type RenderOptions,
  renderFolded,
  renderMarkdown,
  resultsOf,
  SEPARATOR,
  titleOf,
  topOf,
} from "./markdown";

/** Enough for the longest head of a report. */
const FEWEST_BYTES = 3000;

export const FORMATS = ["markdown", "json"] as const;
/** `text` is Markdown without its markup, for a terminal. */
export type Format = (typeof FORMATS)[number] | "text";

export function render(
  analyses: readonly Analysis[],
  format: Format,
  options: RenderOptions,
): string {
  if (format === "json") {
    const { notice, commit, runUrl, time } = options.about ?? {};
    const about = { notice, commit, runUrl, time: time?.toISOString() };
    const report: JsonReport = { version: 1, about, stacks: analyses };
    return `${JSON.stringify(report, undefined, 2)}\n`;
  }
  const maxBytes = Math.max(FEWEST_BYTES, options.maxBytes ?? MOST_BYTES);
  const [first] = analyses;
  const markdown =
    first !== undefined && analyses.length === 1
      ? renderMarkdown(first, { ...options, maxBytes })
      : renderGroup(analyses, { ...options, maxBytes });
  return format === "text" ? markdownToText(markdown) : markdown;
}

function markdownToText(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->\n*/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/^#+ /gm, "")
    .replace(/\[run\]\((\S*)\)/g, "run: $1")
    .replaceAll("**", "")
    .replaceAll("&#8203;", "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\n{3,}/g, "\n\n");
}

type TitleOf = (analysis: Analysis) => string;
type Fitted = RenderOptions & { readonly maxBytes: number };

/**
 * The report of several stacks: a table of stacks to review with their folded reports, and a line
 * for the rest.
 */
function renderGroup(analyses: readonly Analysis[], options: Fitted): string {
  const stacks = [...analyses].sort((left, right) => badness(right) - badness(left));
  const names = groupNames(stacks, options);
  const marker = markerOf(names);
  const [notice, origin] = topOf(options.about);
  const named = textsOf(names.project, names.stack !== ALL && names.stack);
  const title = `### ${named.map((name) => codeSpan(name, 120)).join(" / ") || "Stacks"}`;
  const [review, same] = [true, false].map((wanted) =>
    stacks.filter((stack) => isToReview(stack) === wanted),
  ) as [Analysis[], Analysis[]];
  // The title contains the common project.
  const titled: TitleOf = (stack) =>
    titleOf(stack.project === names.project ? { ...stack, project: "" } : stack);
  const head = textsOf(notice, title, origin, `**${countsText(stacks, same.length)}**`);
  const tail = same.length > 0 ? [unchangedText(same.map(titled), options.maxBytes / 10)] : [];
  const frame = [marker, ...head, ...tail, onlyInTable(stacks.length), ""].join(SEPARATOR);
  const room = options.maxBytes - bytesOf(frame);
  const markers = `\n${REPLACES} ${stacks.map((stack) => shortId(markerOf(stack))).join(" ")} -->`;
  // Thousands of stacks keep their earlier comments.
  const replaced = bytesOf(markers) < room / 4 ? markers : "";
  const table =
    review.length > 0 ? tableOf(review, titled, Math.floor((room - bytesOf(replaced)) / 2)) : "";
  const left = room - bytesOf(replaced + table) - SEPARATOR.length;
  const folded = foldedOf(review, titled, { ...options, maxBytes: left });
  return `${textsOf(marker + replaced, ...head, table, ...tail, ...folded).join(SEPARATOR)}\n`;
}

const MOST_NAMES = 40;

function unchangedText(titles: readonly string[], bytes: number): string {
  const lines = titles.slice(0, MOST_NAMES);
  const names = fitLines({ lines, rest: () => "" }, bytes).filter((name) => name !== "");
  const rest = titles.length - names.length;
  return `Without changes: ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

/** The start of the line with the ids of stacks whose comments this one replaces. */
export const REPLACES = "<!-- clouddb-report replaces";

export function shortId(marker: string): string {
  return createHash("sha256").update(marker).digest("hex").slice(0, 12);
}

/** The name of an unnamed group, which no stack can have. */
const ALL = "*";

function groupNames(stacks: readonly Analysis[], { group }: RenderOptions) {
  const projects = textsOf(...stacks.map((stack) => stack.project));
  const [project = "", ...others] = new Set(projects);
  const common = others.length > 0 ? "" : project;
  return { organization: "", project: group?.project || common, stack: group?.stack ?? ALL };
}

const isIncomplete = ({ outcome, lacksEvents }: Analysis) => outcome !== "succeeded" || lacksEvents;

function isToReview(analysis: Analysis): boolean {
  return hasFindings(analysis) || analysis.stackOperation !== "same" || !isWhole(analysis);
}

function badness(analysis: Analysis): number {
  const { policies, irreversible, attention, unchecked } = analysis;
  const signs = [
    isIncomplete(analysis),
    resultsOf(policies, "failed") > 0,
    irreversible.length > 0,
    attention.length > 0,
    resultsOf(policies, "warned") + unchecked.length > 0,
    isToReview(analysis),
  ];
  return signs.reduce((sum, sign) => 2 * sum + Number(sign), 0);
}

function countsText(stacks: readonly Analysis[], same: number): string {
  const failed = stacks.filter(isIncomplete).length;
  const counts = textsOf(
    counted(failed, "❌ ", "failed"),
    counted(stacks.length - failed - same, "", "to review"),
    counted(same, "", "without changes"),
  );
  const costs = stacks.flatMap(({ capacity: { monthlyCost } }) => monthlyCost ?? []);
  const [before, after] = (["before", "after"] as const).map((side) =>
    costText(costs.reduce((sum, cost) => sum + cost[side], 0)),
  );
  const cost = `cost up to ${after} per month${after === before ? "" : ` (was ${before})`}`;
  return `${stacks.length} stacks: ${counts.join(", ")}${costs.length > 0 ? ` · ${cost}` : ""}`;
}

type Row = Readonly<Record<string, string>>;

/** The cells of a stack. Columns that are empty for every stack are omitted. */
function cellsOf(analysis: Analysis): Row {
  const { capacity, policies, irreversible, attention, unchecked } = analysis;
  const { beforeGb, afterGb, uncounted, monthlyCost } = capacity;
  const results = (["failed", "warned", "excepted"] as const).map((result) =>
    counted(resultsOf(policies, result), `${RESULT_SIGNS[result]} `, result),
  );
  return {
    changes: changesText(analysis),
    "cannot be undone": counted(irreversible.length, "⚠️ ", ""),
    policies: textsOf(...results).join(", "),
    capacity: textsOf(
      beforeGb !== afterGb && differenceText(beforeGb, afterGb),
      counted(uncounted.length, "", "not known"),
    ).join(", "),
    "maximum cost": monthlyCost ? costText(monthlyCost.after) : "",
    attention: textsOf(
      counted(attention.length, "👀 ", ""),
      counted(unchecked.length, "❔ ", "not checked"),
    ).join(", "),
  };
}

function changesText(analysis: Analysis): string {
  const { outcome, counts, stackOperation, drift, outputs } = analysis;
  return textsOf(
    isIncomplete(analysis) && `❌ ${outcome === "succeeded" ? "incomplete" : outcome}`,
    operationsText(counts) || (stackOperation !== "same" && `${stackOperation} the stack itself`),
    counted(drift.length, "", "drifted"),
    counted(outputs.length, "", "output changes", "outputs change"),
    !isWhole(analysis) && "🔎 maybe a part",
  ).join(", ");
}

function tableOf(stacks: readonly Analysis[], titled: TitleOf, bytes: number): string {
  const rows = stacks.map((stack) => ({ stack: titled(stack), ...cellsOf(stack) }) as Row);
  const columns = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => row[name]));
  const lines = rows.map((row) => tableRow(columns.map((name) => row[name] ?? "")));
  return fitBlock({ head: tableHead(columns), lines, rest: restOf(columns, "stacks") }, bytes);
}

function onlyInTable(count: number): string {
  return `_${count} more stacks to review: their reports do not fit here._`;
}

/**
 * The folded reports. Each gets its full size or an equal share. If shares are too small, the last
 * stacks are only counted.
 */
function foldedOf(stacks: readonly Analysis[], titled: TitleOf, options: Fitted): string[] {
  const fold = (stack: Analysis, maxBytes: number) => {
    const line = textsOf(titled(stack), changesText(stack)).join(": ");
    return renderFolded(stack, line, { ...options, maxBytes });
  };
  const sizes = stacks.map((stack) => bytesOf(fold(stack, options.maxBytes)) + SEPARATOR.length);
  let most = stacks.length;
  let share = shareOf(sizes, options.maxBytes);
  while (most > 0 && share < FEWEST_BYTES) {
    most -= 1;
    share = shareOf(sizes.slice(0, most), options.maxBytes);
  }
  const maxBytes = Math.min(share, options.maxBytes) - SEPARATOR.length;
  const folded = stacks.slice(0, most).map((stack) => fold(stack, maxBytes));
  return most < stacks.length ? [...folded, onlyInTable(stacks.length - most)] : folded;
}

/** The largest equal share for reports that need more; infinite if all fit. */
function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = [...sizes].sort((one, other) => one - other);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
