import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "./jest";
import type { Row } from "./row";

/** Tests with material of other projects, all of it or the suites with these names, and prints a table. */
export async function testConformance(args: readonly string[], suites: readonly string[] = []): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-conformance-"));
  const table = join(folder, "rows");
  process.env.CLOUDDB_CONFORMANCE = table;
  try {
    const names = suites.length > 0 ? `(.*/)?(${suites.join("|")})\\.test` : "";
    const chosen = ["--testPathPatterns", `tests/conformance/${names}`, "--selectProjects", "unit", "conformance"];
    const code = await jest([...args, ...chosen]);
    printTable(existsSync(table) ? readFileSync(table, "utf8").trim().split("\n") : []);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printTable(lines: readonly string[]): void {
  const rows = new Map<string, Row>();
  for (const line of lines) {
    const row: Row = JSON.parse(line);
    const key = `${row.suite} ${row.source}`;
    const { cases = 0, failures = 0 } = rows.get(key) ?? {};
    rows.set(key, { ...row, cases: cases + row.cases, failures: failures + row.failures });
  }
  const print = (cells: readonly unknown[]) => console.log(`| ${cells.join(" | ")} |`);
  const columns = ["suite", "source", "version", "cases", "failures"] as const;
  print(columns);
  print(columns.map(() => "---"));
  for (const [, row] of [...rows].sort(([one], [other]) => one.localeCompare(other)))
    print(columns.map((name) => row[name]));
}
