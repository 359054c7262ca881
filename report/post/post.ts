/** Keeps one comment with a report up to date, wherever comments are. */

export interface Comment {
  readonly id: string;
  readonly body: string;
}

/** The comments of one pull request, or the issues of one repository, that this account has written. */
export interface Comments {
  own(): AsyncIterable<Comment>;
  /** These return the comment's address. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
}

export interface PostOptions {
  /** Whether a report of no changes makes no comment where there is none yet. */
  readonly skipsUnchanged?: boolean;
  /** Where to look when the report could not be posted. */
  readonly runUrl?: string | undefined;
}

const MARKER = /^<!-- clouddb-report \S+ -->$/;

/** Returns the comment's address, or nothing where there was nothing to say. */
export async function postReport(
  comments: Comments,
  report: string,
  { skipsUnchanged = false, runUrl }: PostOptions = {},
): Promise<string | undefined> {
  const [marker = ""] = report.split("\n");
  if (!MARKER.test(marker)) throw new Error("this is not a report in Markdown: its first line has no marker");
  const old = await findMarked(comments, marker);
  if (!old && skipsUnchanged && isUnchanged(report)) return undefined;
  if (!old) return comments.create(report);
  try {
    return await comments.update(old.id, report);
  } catch (error) {
    // The old report must not look like the one that is missing.
    await comments.update(old.id, outOfDate(marker, runUrl)).catch(() => {});
    throw error;
  }
}

async function findMarked(comments: Comments, marker: string): Promise<Comment | undefined> {
  for await (const comment of comments.own()) {
    if (comment.body.replaceAll("\r", "").split("\n")[0] === marker) return comment;
  }
  return undefined;
}

function isUnchanged(report: string): boolean {
  // Of several stacks in one report, another one may change.
  const stacks = report.match(/^<!-- clouddb-report \S+ -->$/gm)?.length ?? 0;
  return stacks === 1 && /^\*\*.*\*\*: no changes\.$/m.test(report);
}

function outOfDate(marker: string, runUrl: string | undefined): string {
  const where = runUrl ? `: [the run](${runUrl}) says why` : "; the run says why";
  return `${marker}\n\n❌ **This report is out of date.** The current one could not be posted${where}.\n`;
}
