import { readFileSync } from "node:fs";
import { TextDecoder } from "node:util";

/** The text of a file that may begin with the byte order mark of a Windows shell. */
export function textIn(file: string): string {
  const bytes = readFileSync(file);
  return decoderOf(bytes).decode(bytes);
}

/** Texts from chunks, without a byte order mark. */
export async function* textsFrom(chunks: AsyncIterable<string | Uint8Array>) {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    if (typeof chunk !== "string") decoder ??= decoderOf(chunk);
    yield typeof chunk === "string" ? chunk : (decoder?.decode(chunk, { stream: true }) ?? "");
  }
  yield decoder?.decode() ?? "";
}

/** UTF-8, or UTF-16 by its mark, as PowerShell redirects output. */
function decoderOf([first, second]: Uint8Array): TextDecoder {
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8");
}
