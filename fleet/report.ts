import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { type Analysis, escapeMarkdown, render } from "clouddb-report";
import { projectName } from "./stacks";
import { markdownTable, type Row } from "./table";

/** The most that a comment or an issue of GitHub holds. */
const MOST_BYTES = 65_000;

interface About {
  /** Such as `drift`: a later report of the same kind replaces the posted one. */
  readonly kind: string;
  readonly title: string;
  /** True for reports of previews, which end with the command that applies them. */
  readonly isPreview: boolean;
}

interface Report extends About {
  readonly project: string;
  readonly summary: string;
  readonly head: Row;
  readonly rows: readonly Row[];
  readonly analyses: readonly Analysis[];
}

/** One file: a table of all stacks, and below it the report of each. */
export function writeReport(file: string, report: Report): void {
  const { project, kind, title, summary, head, rows, analyses, isPreview } = report;
  const marker = `<!-- clouddb-report ${encodeURIComponent(`${project}/${kind}`)} -->`;
  const table = rows.length === 0 ? "" : markdownTable(head, rows);
  const wording = isPreview || analyses.length === 0 ? "" : "The reports below use the words of a preview.\n";
  const top = [marker, `## ${title}`, summary, table, wording].join("\n\n").trimEnd();
  const maxBytes = MOST_BYTES - Buffer.byteLength(top);
  const below = analyses.length === 0 ? "" : `\n${render(analyses, "markdown", { maxBytes })}`;
  writeFileSync(file, `${top}\n${isPreview ? below : below.replace(/^To apply: .*\n/gm, "")}`);
}

/** Runs a command. If it fails before its own report, the report has the reason. */
export async function reportFailure(
  { file, ...about }: About & { readonly file: string | undefined },
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (file !== undefined) {
      const folder = process.cwd();
      const project = await projectName(folder).catch(() => basename(folder));
      const summary = `❌ ${escapeMarkdown((error as Error).message)}`;
      writeReport(file, {
        ...about,
        title: `${about.title} ${project}`,
        project,
        summary,
        head: [],
        rows: [],
        analyses: [],
      });
    }
    throw error;
  }
}
