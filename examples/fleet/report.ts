import { writeFileSync } from "node:fs";
import { type Preview, renderReport } from "clouddb-report";
import { markdownTable, type Row } from "./table";

/** The most that a comment or an issue of GitHub holds. */
const MOST_BYTES = 65_000;

export interface FleetReport {
  readonly project: string;
  /** What is reported, such as `drift`: a later report of it replaces an earlier one where it was posted. */
  readonly kind: string;
  readonly title: string;
  readonly summary: string;
  readonly head: Row;
  readonly rows: readonly Row[];
  readonly previews: readonly Preview[];
  /** Whether the reports are of previews: each then ends with the command that applies it. */
  readonly isPreview: boolean;
}

/** One file: a table of all stacks, and below it the report of each. */
export function writeReport(file: string, report: FleetReport): void {
  const { project, kind, title, summary, head, rows, previews, isPreview } = report;
  const marker = `<!-- clouddb-report ${encodeURIComponent(`${project}/${kind}`)} -->`;
  const wording = isPreview || previews.length === 0 ? "" : "The reports below use the words of a preview.\n";
  const top = [marker, `## ${title}`, summary, markdownTable(head, rows), wording].join("\n\n").trimEnd();
  const maxBytes = MOST_BYTES - Buffer.byteLength(top);
  const below = previews.length === 0 ? "" : renderReport(previews, "github", { masks: [], maxBytes });
  writeFileSync(file, `${top}\n\n${isPreview ? below : below.replace(/^To apply: .*\n/gm, "")}`);
}
