import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Preview } from "../preview";
import { createEventReader, type EngineEvent } from "./events";
import { hasTypes } from "./shape";

/** The input is not a preview. */
export class UnreadableInput extends Error {}

/**
 * Reads previews: one event per line, of one stack after the other. Lines are read one by one and not stored; a line
 * that is cut off leaves the last preview incomplete.
 */
export async function readPreviews(stream: Readable, source: string): Promise<Preview[]> {
  try {
    const previews = await readUnchecked(stream);
    if (previews.length > 0 && previews.every(hasTypes)) return previews;
  } catch (error) {
    // Reading checks no types: a value in the wrong place ends here.
    if (!(error instanceof TypeError)) throw error;
  }
  throw new UnreadableInput(
    `${source} is not a preview: pass the engine events of \`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json\`; without that variable, it prints one object that lacks policy results and drift.`,
  );
}

async function readUnchecked(stream: Readable): Promise<Preview[]> {
  const readers: ReturnType<typeof createEventReader>[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const event = eventFrom(line);
    // Other output around events is ignored.
    if (!event) continue;
    const current = readers.at(-1);
    const reader = current?.takes(event) ? current : createEventReader();
    if (reader !== current) readers.push(reader);
    reader.add(event);
  }
  return readers.map((reader) => reader.preview());
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
