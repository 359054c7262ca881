/** Keeps one comment with a report up to date. */

export interface Comment {
  readonly id: string;
  readonly body: string;
}

/** Comments of a pull request. */
export interface Comments {
  /** The comments that the token's account has written. */
  own(): AsyncIterable<Comment>;
  /** Creating and updating return the comment's URL. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
}

/** A report cannot be posted; the message says why. */
export class PostError extends Error {}

const MARKER = /^<!-- clouddb-report \S+ -->$/;

/**
 * Posts a report and returns the URL of its comment. If that fails, the earlier comment links to
 * the run.
 */
export async function postReport(
  comments: Comments,
  report: string,
  runUrl?: string,
): Promise<string> {
  const marker = markerOf(report);
  if (!MARKER.test(marker))
    throw new PostError("not a Markdown report: its first line has no clouddb-report marker");
  for await (const { id, body } of comments.own()) {
    if (markerOf(body) !== marker) continue;
    return comments.update(id, report).catch(async (error) => {
      // The old report must not pass for the current one.
      await comments.update(id, outOfDate(marker, runUrl)).catch(() => {});
      throw error;
    });
  }
  return comments.create(report);
}

function markerOf(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

function outOfDate(marker: string, runUrl: string | undefined): string {
  const link = runUrl ? `[the run](${runUrl})` : "the run";
  return `${marker}\n\n❌ **This report is out of date.** The current one could not be posted; see ${link} for the reason.\n`;
}
