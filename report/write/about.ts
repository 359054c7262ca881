import { code } from "./escape";
import { lineWithin } from "./lines";

/** Where a report comes from: an old comment is seen to be old, and a reader sees who vouches for it. */
export interface About {
  /** The first line: that a fork's code ran, say, or that it ran against the simulator. */
  readonly notice?: string | undefined;
  readonly commit?: string | undefined;
  readonly runUrl?: string | undefined;
  readonly time?: Date | undefined;
}

const LONGEST_NOTICE = 3000;
/** What of a notice is kept where there is little room. */
export const SHORTEST_NOTICE = 200;

export function noticeOf({ notice }: About, bytes = LONGEST_NOTICE): string {
  return notice === undefined || notice === "" ? "" : `> ${lineWithin(notice, bytes)}`;
}

/** Notice and origin, the longer forms first: a report has room for one of them. */
export function aboutForms(about: About): readonly (readonly [notice: string, origin: string])[] {
  const [short, origin] = [noticeOf(about, SHORTEST_NOTICE), aboutLine(about)];
  return [
    [noticeOf(about), origin],
    [short, origin],
    [short, aboutLine({ ...about, runUrl: undefined })],
    [short, ""],
  ];
}

export function aboutLine({ commit, runUrl, time }: About): string {
  return [
    commit ? `Commit ${code(commit.slice(0, 12))}` : "",
    runUrl ? `[run](${runUrl})` : "",
    time ? `${time.toISOString().slice(0, 16).replace("T", " ")} UTC` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** The address of a run as it may stand in a link, or nothing where it is not one. */
export function linkTo(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  const isPublic = /^https?:$/.test(protocol) && username === "" && password === "";
  const safe = href.replace(/[()<>*_|`\\[\]~@]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
  return isPublic && safe.length <= 500 ? safe : undefined;
}
