/** Keeps one comment with a report up to date. */

export interface Comment {
  readonly id: string;
  readonly body: string;
}

/** Comments of a pull request, or issues of a repository. */
export interface Comments {
  /** Those written by this account. */
  own(): AsyncIterable<Comment>;
  /** Creating and updating return the comment's URL. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
}

/** A report cannot be posted; the message says why. */
export class PostError extends Error {}

export interface PostOptions {
  /** Create no comment for a report without changes. */
  readonly skipsUnchanged?: boolean;
  /** Linked if the report cannot be posted. */
  readonly runUrl?: string | undefined;
}

const MARKER = /^<!-- clouddb-report \S+ -->$/;

/** Returns the comment's URL, or nothing if there was nothing to post. */
export async function postReport(
  comments: Comments,
  report: string,
  { skipsUnchanged = false, runUrl }: PostOptions = {},
): Promise<string | undefined> {
  const [marker = ""] = report.split("\n");
  if (!MARKER.test(marker)) throw new PostError("not a Markdown report: its first line has no clouddb-report marker");
  const old = await findMarked(comments, marker);
  if (!old && skipsUnchanged && isUnchanged(report)) return undefined;
  if (!old) return comments.create(report);
  try {
    return await comments.update(old.id, report);
  } catch (error) {
    // The old report must not pass for the current one.
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
  // Another stack in the same report may change.
  const stacks = report.match(/^<!-- clouddb-report \S+ -->$/gm);
  return stacks?.length === 1 && /^\*\*.*\*\*: (?:no changes|no policy violations in .*)\.$/m.test(report);
}

function outOfDate(marker: string, runUrl: string | undefined): string {
  const run = runUrl ? `[the run](${runUrl})` : "the run";
  return `${marker}\n\n❌ **This report is out of date.** The current one could not be posted; see ${run} for the reason.\n`;
}
