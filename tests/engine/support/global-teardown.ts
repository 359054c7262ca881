import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

export default function globalTeardown(): void {
  const home = process.env.CLOUDDB_TEST_HOME;
  if (home === undefined) return;
  process.stderr.write(describeCommands(home));
  rmSync(dirname(home), { recursive: true, force: true });
}

/** The commands of a run: one costs about 2 s of CPU, so the tests count theirs. */
export const listIn = (home: string) => join(home, "commands");

/** The number of commands of each test file. */
function describeCommands(home: string): string {
  if (!existsSync(listIn(home))) return "";
  const files = readFileSync(listIn(home), "utf8").trimEnd().split("\n");
  const counts = new Map<string, number>();
  for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  const rows = [...counts].sort(([, one], [, other]) => other - one);
  const lines = rows.map(([file, count]) => `${String(count).padStart(5)}  ${file}\n`);
  return `\nPulumi commands: ${files.length}\n${lines.join("")}`;
}
