import { diffArrays, diffLines } from "diff";
import type { RecordedRequest, Recording } from "./recording";

/** Long recordings with more differences would take minutes to align; they are shown one after the other. */
const LIMIT = { maxEditLength: 1000 };

/** The requests that differ, line by line: `-` is only expected, `+` only received. Undefined if none differ. */
export function diffRecordings(expected: Recording, received: Recording): string | undefined {
  const [before, after] = [expected.requests.map(formatRequest), received.requests.map(formatRequest)];
  const chunks = diffArrays(before, after, LIMIT) ?? replaced(before, after);
  if (chunks.every(({ added, removed }) => !added && !removed)) return undefined;
  return chunks
    .map((chunk, index) => {
      if (chunk.removed && chunks[index + 1]?.added) return "";
      const previous = chunks[index - 1];
      if (chunk.added) return markedLines(previous?.removed ? previous.value.join("") : "", chunk.value.join(""));
      if (chunk.removed) return markedLines(chunk.value.join(""), "");
      return `  … ${chunk.count} equal ${chunk.count === 1 ? "request" : "requests"}\n`;
    })
    .join("");
}

function replaced<Value>(before: Value, after: Value) {
  return [
    { value: before, removed: true, added: false, count: 1 },
    { value: after, removed: false, added: true, count: 1 },
  ];
}

function formatRequest({ method, path, body, status }: RecordedRequest): string {
  const text = body === undefined ? "" : `${JSON.stringify(body, undefined, 2)}\n`;
  return `${method} ${path} → ${status}\n${text}`;
}

function markedLines(expected: string, received: string): string {
  return (diffLines(expected, received, LIMIT) ?? replaced(expected, received))
    .flatMap(({ value, added, removed }) => {
      const mark = added ? "+" : removed ? "-" : " ";
      const lines = value === "" ? [] : value.replace(/\n$/, "").split("\n");
      return lines.map((line) => `${mark} ${line}\n`);
    })
    .join("");
}
