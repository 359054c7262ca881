/** Keeps one comment or issue with a report up to date. */

export interface Comment {
  readonly id: string;
  readonly body: string;
  readonly isClosed?: boolean;
}

/** Comments of a pull request, or issues of a repository. */
export interface Comments {
  /** Those written by this account; closed issues last. */
  own(): AsyncIterable<Comment>;
  /** Creating and updating return the comment's URL. */
  create(body: string): Promise<string>;
  update(id: string, body: string): Promise<string>;
  /** Only issues have comments of their own, and can be closed and reopened. */
  readonly issue?: {
    readonly comment: (id: string, text: string) => Promise<unknown>;
    readonly close: (id: string) => Promise<string>;
    readonly reopen: (id: string, body: string) => Promise<string>;
  };
}

/** A report cannot be posted; the message says why. */
export class PostError extends Error {}

export interface PostOptions {
  /** Create no comment for a report without changes. */
  readonly skipsUnchanged?: boolean;
  /** The check passed: close its issue instead of updating it. */
  readonly isResolved?: boolean;
  /** Linked if the report cannot be posted. */
  readonly runUrl?: string | undefined;
}

/** The second line of a report that meets no condition of --comment-if. */
export const UPDATE_ONLY = "<!-- clouddb-report: only updates an earlier comment -->";

export function nothingPosted({ isResolved = false }: PostOptions): string {
  return isResolved ? "No open issue to close." : "Nothing to post, and no earlier comment to update.";
}

const MARKER = /^<!-- clouddb-report \S+ -->$/;

/** Returns the URL of the comment or issue, or nothing if there was nothing to post. */
export async function postReport(
  comments: Comments,
  report: string,
  { skipsUnchanged = false, isResolved = false, runUrl }: PostOptions = {},
): Promise<string | undefined> {
  const [marker = "", second] = report.split(/\r?\n/);
  if (!MARKER.test(marker)) throw new PostError("not a Markdown report: its first line has no clouddb-report marker");
  const { issue } = comments;
  if (isResolved) return closeAll(comments, marker, resolvedText(runUrl));
  const old = await firstOf(marked(comments, marker));
  const isOpen = old !== undefined && !old.isClosed;
  if (!isOpen && (second === UPDATE_ONLY || (skipsUnchanged && isUnchanged(report)))) return undefined;
  if (!old) return comments.create(report);
  // An issue that comes back keeps its history and its subscribers.
  if (!isOpen) return (issue?.reopen ?? comments.update)(old.id, report);
  try {
    return await comments.update(old.id, report);
  } catch (error) {
    // The old report must not pass for the current one.
    await comments.update(old.id, outOfDate(marker, runUrl)).catch(() => {});
    throw error;
  }
}

/** More than one is open if two runs have posted at once. */
async function closeAll({ issue, ...comments }: Comments, marker: string, text: string): Promise<string | undefined> {
  if (!issue) throw new PostError("only an issue can be resolved: set its title");
  const open: string[] = [];
  for await (const { id, isClosed } of marked(comments, marker)) {
    // Closed issues come last, and there may be thousands of them.
    if (isClosed) break;
    open.push(id);
  }
  let address: string | undefined;
  for (const id of open) {
    // First: the next run repeats this for an issue that is still open.
    await issue.comment(id, text);
    address = await issue.close(id);
  }
  return address;
}

async function* marked(comments: Comments, marker: string): AsyncGenerator<Comment> {
  for await (const comment of comments.own()) {
    if (comment.body.replaceAll("\r", "").split("\n")[0] === marker) yield comment;
  }
}

async function firstOf(comments: AsyncIterable<Comment>): Promise<Comment | undefined> {
  for await (const comment of comments) return comment;
  return undefined;
}

function isUnchanged(report: string): boolean {
  // Another stack in the same report may change.
  const stacks = report.match(/^<!-- clouddb-report \S+ -->$/gm);
  return (
    stacks?.length === 1 && /^\*\*.*\*\*: (?:no changes|nothing deployed|no policy violations in .*)\.$/m.test(report)
  );
}

function outOfDate(marker: string, runUrl: string | undefined): string {
  return `${marker}\n\n❌ **This report is out of date.** The current one could not be posted; see ${linkTo(runUrl)} for the reason.\n`;
}

function resolvedText(runUrl: string | undefined): string {
  return `✅ Resolved: ${linkTo(runUrl)} no longer finds this. If it comes back, this issue is reopened.\n`;
}

function linkTo(runUrl: string | undefined): string {
  return runUrl ? `[the run](${runUrl})` : "the run";
}
