import { readFileSync } from "node:fs";
import { TextDecoder } from "node:util";

/** Reads a file that may have the byte order mark of a Windows shell. */
export function textIn(file: string): string {
  const bytes = readFileSync(file);
  return decoderOf(bytes).decode(bytes);
}

/** Decodes chunks and drops a byte order mark. */
export async function* textsFrom(chunks: AsyncIterable<string | Uint8Array>) {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    if (typeof chunk !== "string") decoder ??= decoderOf(chunk);
    yield typeof chunk === "string" ? chunk : (decoder?.decode(chunk, { stream: true }) ?? "");
  }
  yield decoder?.decode() ?? "";
}

/**
 * Detects UTF-8, or UTF-16 with a byte order mark, the encoding of PowerShell's redirected output.
 */
function decoderOf([first, second]: Uint8Array): TextDecoder {
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8");
}
