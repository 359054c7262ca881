import { diffArrays, diffLines } from "diff";
import type { RecordedRequest, Recording } from "./recording";

/** The requests that differ, line by line: `-` is only expected, `+` only received. Undefined if none differ. */
export function diffRecordings(expected: Recording, received: Recording): string | undefined {
  const chunks = diffArrays(expected.requests.map(formatRequest), received.requests.map(formatRequest));
  if (chunks.every(({ added, removed }) => !added && !removed)) return undefined;
  return chunks
    .map((chunk, index) => {
      if (chunk.removed && chunks[index + 1]?.added) return "";
      const before = chunks[index - 1];
      if (chunk.added) return markedLines(before?.removed ? before.value.join("") : "", chunk.value.join(""));
      if (chunk.removed) return markedLines(chunk.value.join(""), "");
      return `  … ${chunk.count} equal ${chunk.count === 1 ? "request" : "requests"}\n`;
    })
    .join("");
}

function formatRequest({ method, path, body, status }: RecordedRequest): string {
  const text = body === undefined ? "" : `${JSON.stringify(body, undefined, 2)}\n`;
  return `${method} ${path} → ${status}\n${text}`;
}

function markedLines(expected: string, received: string): string {
  return diffLines(expected, received)
    .flatMap(({ value, added, removed }) => {
      const mark = added ? "+" : removed ? "-" : " ";
      return value
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark} ${line}\n`);
    })
    .join("");
}
