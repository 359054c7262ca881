import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { isRecord } from "pulumi-clouddb-facts";
import type { Preview } from "../preview";
import { textsFrom } from "./encoding";
import { createEventReader } from "./events";
import { engineEvent, jsonIn } from "./schema";

/** The input is not a preview. */
export class UnreadableInput extends Error {}

/**
 * Reads previews: one event per line, of one stack after the other. Lines are read one by one and
 * not stored. A broken line may belong to any of the previews.
 */
export async function readPreviews(
  stream: Readable,
  source: string,
  advice = ADVICE,
): Promise<Preview[]> {
  const readers: ReturnType<typeof createEventReader>[] = [];
  let brokenLines = 0;
  for await (const line of createInterface({
    input: Readable.from(textsFrom(stream), { objectMode: false }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const json = line.startsWith('{"') ? jsonIn(line) : undefined;
    if (json === undefined && PART_OF_EVENT.test(line)) brokenLines += 1;
    // Other output around events is ignored.
    if (!isEvent(json)) continue;
    const { data: event } = engineEvent.safeParse(json);
    if (!event) throw new UnreadableInput(`${source} is not a preview: ${advice}`);
    const current = readers.at(-1);
    const reader = current?.takes(event) ? current : createEventReader();
    if (reader !== current) readers.push(reader);
    reader.add(event);
  }
  if (readers.length === 0) throw new UnreadableInput(`${source} is not a preview: ${advice}`);
  return readers.map((reader) => reader.preview(brokenLines));
}

/**
 * True for events of the engine, also without their number. Lines of a program's JSON log are none.
 */
function isEvent(json: unknown): boolean {
  return isRecord(json) && EVENTS.some((name) => (json[name] ?? undefined) !== undefined);
}

const EVENTS = Object.keys(engineEvent.shape);

/**
 * The start or the end of an event that is cut, or a line with other output before an event, as
 * with `2>&1`.
 */
const PART_OF_EVENT = /^\{"|\{"sequence":|\}\}$/;

const ADVICE =
  "pass the engine events of `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json`; without that variable, it prints one object that lacks policy results and drift.";
