import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Preview } from "../preview";
import { type Digest, previewFrom } from "./digest";
import { createEventReader, type EngineEvent } from "./events";
import { hasTypes } from "./shape";

/** The input is not a preview. */
export class UnreadableInput extends Error {}

/**
 * Reads previews: one event per line, of one stack after the other, or one digest. Lines are read one by one and not
 * stored; a line that is cut off leaves the last preview incomplete.
 */
export async function readPreviews(stream: Readable, source: string): Promise<Preview[]> {
  try {
    const previews = await readUnchecked(stream, source);
    if (previews.every(hasTypes)) return previews;
  } catch (error) {
    // Reading checks no types: a value in the wrong place ends here.
    if (!(error instanceof TypeError)) throw error;
  }
  throw notAPreview(source);
}

async function readUnchecked(stream: Readable, source: string): Promise<Preview[]> {
  const readers: ReturnType<typeof createEventReader>[] = [];
  const digest: string[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const event = eventFrom(line);
    if (event) {
      const current = readers.at(-1);
      const reader = current?.takes(event) ? current : createEventReader();
      if (reader !== current) readers.push(reader);
      reader.add(event);
    } else if (readers.length === 0 && (digest.length > 0 || line.startsWith("{"))) {
      // Other output around events or before a digest is ignored.
      digest.push(line);
    }
  }
  if (readers.length > 0) return readers.map((reader) => reader.preview());
  return [previewFrom(digestFrom(digest.join("\n"), source))];
}

function eventFrom(line: string): (EngineEvent & { readonly sequence: number }) | undefined {
  if (!line.startsWith('{"')) return undefined;
  try {
    const event = JSON.parse(line) as EngineEvent & { readonly sequence: number };
    return typeof event.sequence === "number" ? event : undefined;
  } catch {
    return undefined;
  }
}

function digestFrom(text: string, source: string): Digest {
  try {
    const digest = JSON.parse(text.slice(0, text.lastIndexOf("}") + 1)) as Digest;
    if (Array.isArray(digest.steps) || Array.isArray(digest.diagnostics)) return digest;
  } catch {
    // Reported below, whatever is wrong with it.
  }
  throw notAPreview(source);
}

function notAPreview(source: string): UnreadableInput {
  return new UnreadableInput(
    `${source} is not a preview: pass the events of \`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json\` or the output of \`pulumi preview --json\`.`,
  );
}
