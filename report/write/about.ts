import { code } from "./escape";
import { line } from "./lines";

/** Where a report comes from: an old comment is seen to be old, and a reader sees who vouches for it. */
export interface About {
  /** The first line: that a fork's code ran, say, or that it ran against the simulator. */
  readonly notice?: string | undefined;
  readonly commit?: string | undefined;
  readonly runUrl?: string | undefined;
  readonly time?: Date | undefined;
}

export function noticeOf({ notice }: About): string {
  return notice === undefined || notice === "" ? "" : `> ${line(notice)}`;
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
