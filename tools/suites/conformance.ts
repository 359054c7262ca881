import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureNpmCommand } from "../setup/registry-command";
import { jest } from "./jest";

/** A row of the table. Most suites are test files of this name. */
export type Row = Readonly<Record<"suite" | "source" | "version", string> & Record<"cases" | "failures", number>>;

/** The suite that runs other tests with a judge between provider and simulator: those without faults, which it judges, too. */
const PRISM = "prism";
const JUDGED = "tests/(programs/examples|engine/(adoption|functions|options))\\.";

/** Tests with material of other projects, all of it or the suites with these names, and prints a table. */
export async function testConformance(args: readonly string[], suites: readonly string[] = []): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-conformance-"));
  const table = join(folder, "rows");
  process.env.CLOUDDB_CONFORMANCE = table;
  const files = suites.filter((name) => name !== PRISM);
  let code = 0;
  try {
    if (suites.length === 0 || files.length > 0) {
      const names = files.length > 0 ? `(.*/)?(${files.join("|")})\\.test` : "";
      const chosen = ["--testPathPatterns", `tests/conformance/${names}`, "--selectProjects", "unit", "conformance"];
      code ||= await jest([...args, ...chosen]);
    }
    if (suites.length === 0 || suites.includes(PRISM)) {
      const CLOUDDB_PRISM = await ensureNpmCommand("@stoplight/prism-cli", "prism");
      const chosen = ["--testPathPatterns", JUDGED, "--selectProjects", "programs", "native"];
      code = (await jest([...args, ...chosen], { CLOUDDB_PRISM })) || code;
    }
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
