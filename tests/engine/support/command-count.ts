import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A Pulumi command costs about 2 s of CPU, so the tests count theirs. */

const listIn = (home: string) => join(home, "commands");

/** Puts a `pulumi` on PATH that notes each command with its test file, and runs the engine's. */
export function countCommands(home: string): void {
  if (process.platform === "win32") return;
  const [path = ""] = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => existsSync(join(folder, "pulumi")));
  const bin = join(home, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\necho "$CLOUDDB_TEST_FILE" >> "${listIn(home)}"\nexec "${join(path, "pulumi")}" "$@"\n`;
  writeFileSync(join(bin, "pulumi"), script);
  chmodSync(join(bin, "pulumi"), 0o755);
  process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
}

/** The number of commands of each test file. */
export function describeCommands(home: string): string {
  if (!existsSync(listIn(home))) return "";
  const files = readFileSync(listIn(home), "utf8").trimEnd().split("\n");
  const counts = new Map<string, number>();
  for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  const rows = [...counts].sort(([, one], [, other]) => other - one);
  const lines = rows.map(([file, count]) => `${String(count).padStart(5)}  ${file}\n`);
  return `\nPulumi commands: ${files.length}\n${lines.join("")}`;
}
