/** Omits whole lines and blocks, and counts them, so that a report never exceeds its maximum size. */

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
export function fitLines({ lines, most = Number.POSITIVE_INFINITY, rest = REST }: Omit<Block, "head">, bytes: number) {
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
  return left > 0 && used + reserved <= bytes ? [...chosen, rest(left)] : chosen;
}

const REST = (count: number) => `- … and ${count} more`;

/** A block within a number of bytes, or nothing if not even one line fits. */
export function fitBlock(block: Block, bytes: number): string {
  const { head, lines, tail = "" } = block;
  const room = bytes - bytesOf(head) - bytesOf(tail);
  const chosen = fitLines(block, room);
  if (room < 0 || (lines.length > 0 && chosen.length === 0)) return "";
  return head + chosen.join("\n") + tail;
}
