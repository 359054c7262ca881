import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "./jest";

const COLUMNS = ["suite", "source", "version", "cases", "failures"] as const;

/** A row of the table. The suite is the name of a test file. */
export type Row = Readonly<Record<"suite" | "source" | "version", string> & Record<"cases" | "failures", number>>;

/** Tests with material of other projects, all of it or the suites with these names, and prints a table. */
export async function testConformance(args: readonly string[], suites: readonly string[] = []): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-conformance-"));
  const table = join(folder, "rows");
  const names = suites.length > 0 ? `(.*/)?(${suites.join("|")})\\.test` : "";
  const chosen = ["--testPathPatterns", `tests/conformance/${names}`, "--selectProjects", "unit", "conformance"];
  try {
    const code = await jest([...args, ...chosen], { CLOUDDB_CONFORMANCE: table });
    const rows: Row[] = existsSync(table)
      ? readFileSync(table, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
    rows.sort((one, other) => `${one.suite} ${one.source}`.localeCompare(`${other.suite} ${other.source}`));
    const line = (cells: readonly unknown[]) => console.log(`| ${cells.join(" | ")} |`);
    line(COLUMNS);
    line(COLUMNS.map(() => "---"));
    for (const row of rows) line(COLUMNS.map((name) => row[name]));
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
