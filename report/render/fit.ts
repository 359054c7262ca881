/** Omits and counts whole lines and blocks, so that a report never exceeds its maximum size. */

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

export interface Block {
  readonly head: string;
  readonly lines: readonly string[];
  readonly tail?: string;
  /** The maximum number of lines, even with room for more. */
  readonly most?: number;
  /** Replaces omitted lines. */
  readonly rest?: (count: number) => string;
}

/**
 * The lines that fit, and the number of omitted lines. A line that is too long does not hide later
 * lines.
 */
export function fitLines(
  { lines, most = Number.POSITIVE_INFINITY, rest = REST }: Omit<Block, "head">,
  bytes: number,
) {
  const chosen: string[] = [];
  let room = bytes - bytesOf(rest(lines.length)) - 1;
  for (const line of lines) {
    const size = bytesOf(line) + 1;
    if (chosen.length === most || size > room) continue;
    chosen.push(line);
    room -= size;
  }
  const left = lines.length - chosen.length;
  return left > 0 && room >= 0 ? [...chosen, rest(left)] : chosen;
}

const REST = (count: number) => `- … and ${count} more`;

/** A block that fits into a number of bytes; empty if no line fits. */
export function fitBlock(block: Block, bytes: number): string {
  const { head, lines, tail = "" } = block;
  const room = bytes - bytesOf(head) - bytesOf(tail);
  const chosen = fitLines(block, room);
  if (room < 0 || (lines.length > 0 && chosen.length === 0)) return "";
  return head + chosen.join("\n") + tail;
}
