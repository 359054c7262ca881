/** What has to give way to the bound of a report, which holds for whatever is in it. */

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** A part of a report: lines between a head and a tail. */
export interface Block {
  readonly head: string;
  readonly lines: readonly string[];
  readonly tail?: string;
  /** The most of the lines, also where there is room. */
  readonly most?: number;
  /** Instead of the lines that are left out. */
  readonly rest?: (count: number) => string;
}

/** As many lines as there is room for, and how many more there are. A line that is too long hides none behind it. */
export function fitted(lines: readonly string[], bytes: number, { most = Number.POSITIVE_INFINITY, rest = REST } = {}) {
  const reserved = bytesOf(rest(lines.length)) + 1;
  const chosen: string[] = [];
  let used = 0;
  for (const [index, line] of lines.entries()) {
    const size = bytesOf(line) + 1;
    const isLast = index === lines.length - 1 && chosen.length === index;
    if (chosen.length < most && used + size + (isLast ? 0 : reserved) <= bytes) {
      chosen.push(line);
      used += size;
    }
  }
  const left = lines.length - chosen.length;
  if (left === 0) return chosen;
  return used + reserved <= bytes ? [...chosen, rest(left)] : chosen;
}

const REST = (count: number) => `- … and ${count} more of these`;

/** A block within so many bytes, or nothing where not even a line of it fits. */
export function fittedBlock({ head, lines, tail = "", most, rest }: Block, bytes: number): string {
  const room = bytes - bytesOf(head) - bytesOf(tail);
  const chosen = fitted(lines, room, { ...(most && { most }), ...(rest && { rest }) });
  if (room < 0 || (lines.length > 0 && chosen.length === 0)) return "";
  return head + chosen.join("\n") + tail;
}

const MOST_OF_A_VALUE = 400;

/** A text that is shortened says how long it was. */
export function shortened(text: string, most = MOST_OF_A_VALUE): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/** Two long texts, from where they differ. */
export function shortenedPair(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= MOST_OF_A_VALUE) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = Math.max(0, same - CONTEXT);
  const part = (text: string) => (start > 0 ? "…" : "") + shortened(text.slice(start));
  return [part(before), part(after)];
}

const CONTEXT = 40;
