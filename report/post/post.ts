import { REPLACES, shortId } from "../render/render";

/** Keeps one comment with a report up to date. */

export interface Comment {
  readonly id: string;
  readonly body: string;
}

export interface Comments {
  /** The comments by the token's account. */
  own(): AsyncIterable<Comment>;
  /** Returns the comment's URL. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
  remove(id: string): Promise<void>;
}

export class PostError extends Error {}

const MARKER = /^<!-- clouddb-report \S+ -->$/;

/**
 * Posts a report and returns its comment's URL. A group's report replaces the comments of its
 * stacks. If posting fails, the earlier comment gets a link to the run.
 */
export async function postReport(
  comments: Comments,
  report: string,
  runUrl?: string,
): Promise<string> {
  const marker = markerOf(report);
  if (!MARKER.test(marker))
    throw new PostError("not a Markdown report: its first line has no clouddb-report marker");
  const line = report.split(/\r?\n/, 2)[1] ?? "";
  const replaced = new Set(line.startsWith(REPLACES) ? line.slice(REPLACES.length).split(" ") : []);
  const old: string[] = [];
  let current: string | undefined;
  for await (const { id, body } of comments.own()) {
    const found = markerOf(body);
    if (found === marker) current ??= id;
    else if (MARKER.test(found) && replaced.has(shortId(found))) old.push(id);
    // Without comments to replace, the remaining comments need not be read.
    if (current !== undefined && replaced.size === 0) break;
  }
  const url =
    current === undefined
      ? await comments.create(report)
      : await updateOrMark(comments, current, report, runUrl);
  for (const id of old) await comments.remove(id);
  return url;
}

/** If the update fails, the earlier report must not pass for the current one. */
async function updateOrMark(
  comments: Comments,
  id: string,
  report: string,
  runUrl = "",
): Promise<string> {
  return comments.update(id, report).catch(async (error) => {
    const link = runUrl ? `[the run](${runUrl})` : "the run";
    const outOfDate = `${markerOf(report)}\n\n❌ **This report is out of date.** The current one could not be posted; see ${link} for the reason.\n`;
    await comments.update(id, outOfDate).catch(() => {});
    throw error;
  });
}

function markerOf(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
