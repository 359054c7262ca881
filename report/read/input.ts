import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { isRecord, toSingleLine } from "pulumi-clouddb-facts";
import { z } from "zod";
import { type Analysis, JSON_REPORT } from "../json-report";
import type { Preview } from "../preview";
import { createEventReader } from "./events";
import { engineEvent, jsonIn } from "./schema";

export class UnreadableInput extends Error {}

/** Previews from events, or the stacks of a JSON report. */
export interface Input {
  readonly previews: readonly Preview[];
  readonly analyses: readonly Analysis[];
}

export async function readPreviews(
  stream: Readable,
  source: string,
  advice = ADVICE,
): Promise<readonly Preview[]> {
  const { previews } = await readInput(stream, source, advice);
  if (previews.length === 0) throw notAPreview(source, advice);
  return previews;
}

/** More than a JSON report with a thousand changes. */
const MOST_CHARACTERS = 10_000_000;
/** More than the event of any resource, but less than the maximum length of a string in Node.js. */
const LONGEST_LINE = 100_000_000;

/**
 * Reads previews with one event per line, one stack after another, without storing lines. A broken
 * line may belong to any preview. An input without events may be a JSON report.
 */
export async function readInput(stream: Readable, source: string, advice = ADVICE): Promise<Input> {
  const readers: ReturnType<typeof createEventReader>[] = [];
  let brokenLines = 0;
  let report = "";
  for await (const line of createInterface({
    input: Readable.from(withoutLongLines(textsFrom(stream), source), { objectMode: false }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const json = line.startsWith('{"') ? jsonIn(line) : undefined;
    if (json === undefined && PART_OF_EVENT.test(line)) brokenLines += 1;
    // Other output around events is ignored.
    if (!isEvent(json)) {
      if (readers.length === 0 && report.length <= MOST_CHARACTERS) report += `${line}\n`;
      continue;
    }
    const { data: event } = engineEvent.safeParse(json);
    if (!event) throw notAPreview(source, advice);
    const current = readers.at(-1);
    const reader = current?.takes(event) ? current : createEventReader();
    if (reader !== current) readers.push(reader);
    reader.add(event);
  }
  const previews = readers.map((reader) => reader.preview(brokenLines));
  return { previews, analyses: previews.length > 0 ? [] : analysesIn(report, source, advice) };
}

/** Fails before a long line fills the memory. */
async function* withoutLongLines(texts: AsyncIterable<string>, source: string) {
  let length = 0;
  for await (const text of texts) {
    const end = text.lastIndexOf("\n");
    length = end === -1 ? length + text.length : text.length - end - 1;
    if (length > LONGEST_LINE)
      throw new UnreadableInput(
        `${source} is not a preview: it has a line of more than ${LONGEST_LINE} characters.`,
      );
    yield text;
  }
}

/** Reads a file that may have the byte order mark of a Windows shell. */
export function textIn(file: string): string {
  const bytes = readFileSync(file);
  return decoderOf(bytes).decode(bytes);
}

/** Decodes chunks and drops a byte order mark. */
async function* textsFrom(chunks: AsyncIterable<string | Uint8Array>) {
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

function notAPreview(source: string, advice: string): UnreadableInput {
  return new UnreadableInput(`${source} is not a preview: ${advice}`);
}

/** The stacks of a JSON report, which may come from an untrusted program. */
function analysesIn(text: string, source: string, advice: string): readonly Analysis[] {
  if (text.length > MOST_CHARACTERS)
    throw new UnreadableInput(`${source} has no events and is too large for a JSON report.`);
  const json = jsonIn(text);
  if (!isRecord(json) || !("version" in json)) throw notAPreview(source, advice);
  const { data, error } = isShallow(json) ? JSON_REPORT.safeParse(json) : {};
  if (data) return data.stacks;
  const reason = error ? z.prettifyError(error).split("\n").slice(0, 2).join("") : "too deep";
  throw new UnreadableInput(
    `${source} is not a JSON report of this version: ${toSingleLine(reason, 200)}`,
  );
}

const DEEPEST = 100;

/** False for values so deep that recursion could exhaust the stack. */
function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth < DEEPEST && Object.values(value).every((inner) => isShallow(inner, depth + 1));
}

/**
 * True for an event of the engine, even without a number. False for lines of a program's JSON log.
 */
function isEvent(json: unknown): boolean {
  return isRecord(json) && EVENTS.some((name) => (json[name] ?? undefined) !== undefined);
}

const EVENTS = Object.keys(engineEvent.shape);

/**
 * Matches the start or end of a truncated event, or an event after other output in the same line,
 * as with `2>&1`.
 */
const PART_OF_EVENT = /^\{"|\{"sequence":|\}\}$/;

const ADVICE =
  "pass the engine events of `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json`; without that variable, it prints one object that lacks policy results and drift.";
