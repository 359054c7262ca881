import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** The content of a record, or undefined if there is none yet. */
export function readRecord<Content>(file: string): Content | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new Error(`Reading ${file} failed: it is not valid JSON. Delete it to start with all stacks.`);
  }
}

/** Replaces the file in one step: after a crash it holds the old content or the new one. */
export function writeRecord(file: string, content: object): void {
  const next = `${file}.${process.pid}.tmp`;
  writeFileSync(next, `${JSON.stringify(content, undefined, 2)}\n`);
  renameSync(next, file);
}
