import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isRecord } from "pulumi-clouddb-facts";
import type { Preview } from "../preview";
import { createEventReader } from "./events";
import { engineEvent, jsonIn } from "./schema";

/** The input is not a preview. */
export class UnreadableInput extends Error {}

/**
 * Reads previews: one event per line, of one stack after the other. Lines are read one by one and not stored; a line
 * that is cut off leaves the last preview incomplete.
 */
export async function readPreviews(stream: Readable, source: string): Promise<Preview[]> {
  const readers: ReturnType<typeof createEventReader>[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const json = line.startsWith('{"') ? jsonIn(line) : undefined;
    // Other output around events is ignored.
    if (!isRecord(json) || typeof json.sequence !== "number") continue;
    const { data: event } = engineEvent.safeParse(json);
    if (!event) throw new UnreadableInput(notAPreview(source));
    const current = readers.at(-1);
    const reader = current?.takes(event) ? current : createEventReader();
    if (reader !== current) readers.push(reader);
    reader.add(event);
  }
  if (readers.length === 0) throw new UnreadableInput(notAPreview(source));
  return readers.map((reader) => reader.preview());
}

function notAPreview(source: string): string {
  return `${source} is not a preview: pass the engine events of \`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json\`; without that variable, it prints one object that lacks policy results and drift.`;
}
