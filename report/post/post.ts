/** Keeps one comment with a report up to date. */

export interface Comment {
  readonly id: string;
  readonly body: string;
}

/** Comments of a pull request. */
export interface Comments {
  /** Those of the token's account. */
  own(): AsyncIterable<Comment>;
  /** Creating and updating return the comment's URL. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
}

/** A report cannot be posted; the message says why. */
export class PostError extends Error {}

const MARKER = /^<!-- clouddb-report \S+ -->$/;

/** Returns the URL of the comment. A run that cannot be posted is linked in the earlier comment. */
export async function postReport(comments: Comments, report: string, runUrl?: string): Promise<string> {
  const marker = markerOf(report);
  if (!MARKER.test(marker)) throw new PostError("not a Markdown report: its first line has no clouddb-report marker");
  const id = await idOf(comments, marker);
  if (id === undefined) return comments.create(report);
  try {
    return await comments.update(id, report);
  } catch (error) {
    // The old report must not pass for the current one.
    await comments.update(id, outOfDate(marker, runUrl)).catch(() => {});
    throw error;
  }
}

/** The comment of a stack; else the one of before markers had an organization, if it cannot be another organization's. */
async function idOf(comments: Comments, marker: string): Promise<string | undefined> {
  const former = withoutOrganization(marker);
  let formerId: string | undefined;
  let isShared = false;
  for await (const { id, body } of comments.own()) {
    const found = markerOf(body);
    if (found === marker) return id;
    if (found === former) formerId ??= id;
    else if (withoutOrganization(found) === former) isShared = true;
  }
  return isShared ? undefined : formerId;
}

function withoutOrganization(marker: string): string {
  return marker.replace(/ [^\s%]\S*?%2F(?=[^\s%]\S*%2F)/, " ");
}

function markerOf(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

function outOfDate(marker: string, runUrl: string | undefined): string {
  const link = runUrl ? `[the run](${runUrl})` : "the run";
  return `${marker}\n\n❌ **This report is out of date.** The current one could not be posted; see ${link} for the reason.\n`;
}
