/** Shortens parts of a report so that it never exceeds its maximum size. */

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Lines between a head and a tail. */
export interface Block {
  readonly head: string;
  readonly lines: readonly string[];
  readonly tail?: string;
  /** The maximum number of lines, even if there is room for more. */
  readonly most?: number;
  /** Stands for the omitted lines. */
  readonly rest?: (count: number) => string;
}

/** The lines that fit, and how many were omitted. A line that is too long does not hide the ones after it. */
export function fitLines(
  lines: readonly string[],
  bytes: number,
  { most = Number.POSITIVE_INFINITY, rest = REST } = {},
) {
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

const REST = (count: number) => `- … and ${count} more`;

/** A block within a number of bytes, or nothing if not even one line fits. */
export function fitBlock({ head, lines, tail = "", most, rest }: Block, bytes: number): string {
  const room = bytes - bytesOf(head) - bytesOf(tail);
  const chosen = fitLines(lines, room, { ...(most && { most }), ...(rest && { rest }) });
  if (room < 0 || (lines.length > 0 && chosen.length === 0)) return "";
  return head + chosen.join("\n") + tail;
}

const MOST_OF_A_VALUE = 400;

/** A shortened text says how long it was. */
export function shorten(text: string, most = MOST_OF_A_VALUE): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/** Two long texts from where they first differ. */
export function shortenPair(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= MOST_OF_A_VALUE) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = Math.max(0, same - CONTEXT);
  const part = (text: string) => (start > 0 ? "…" : "") + shorten(text.slice(start));
  return [part(before), part(after)];
}

const CONTEXT = 40;
