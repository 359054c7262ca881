import { codeSpan } from "./escape";
import { escapeLineWithin } from "./lines";

/** Where a report comes from, so that readers can tell its age and how far to trust it. */
export interface About {
  /** The first line, such as that a fork's code ran against the simulator. */
  readonly notice?: string | undefined;
  readonly commit?: string | undefined;
  readonly runUrl?: string | undefined;
  readonly time?: Date | undefined;
}

const LONGEST_NOTICE = 3000;
/** The length of a notice in a short report. */
export const SHORTEST_NOTICE = 200;

export function noticeOf({ notice = "" }: About, bytes = LONGEST_NOTICE): string {
  const text = escapeLineWithin(notice, bytes);
  return text === "" ? "" : `> ${text}`;
}

/** Notice and origin, longest form first. */
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
    commit ? `Commit ${codeSpan(commit.slice(0, 12))}` : "",
    runUrl ? `[run](${runUrl})` : "",
    time ? `${time.toISOString().slice(0, 16).replace("T", " ")} UTC` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** A URL that is safe inside a Markdown link, if it is one. */
export function linkTo(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  const isPublic = /^https?:$/.test(protocol) && username === "" && password === "";
  const safe = href.replace(/[()<>*_|`\\[\]~@]/g, (match) => `%${match.charCodeAt(0).toString(16).toUpperCase()}`);
  return isPublic && safe.length <= 500 ? safe : undefined;
}
