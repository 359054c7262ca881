import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureAll } from "../setup/engine";
import { ensureLanguageHosts } from "../setup/language-hosts";
import { ensureNpmCommand } from "../setup/registry-command";
import { jest } from "./jest";
import type { Row } from "./row";
import { testSchemathesis } from "./schemathesis";

/** Tests without faults, since the judge of the suite `prism` takes those for responses of the API. */
const JUDGED = "tests/(programs/examples|languages/(examples|reference)|engine/(adoption|functions|options))\\.";
const PROJECTS = ["programs", "native", "languages"];
/** Their requests are those of YAML: the same plugin sends them. */
const NOT_JUDGED = { python: "Only YAML is judged.", go: "Only YAML is judged.", java: "Only YAML is judged." };

/** The suites that are no test files. Each returns an exit code. */
const OTHERS: Readonly<Record<string, (args: readonly string[], table: string) => Promise<number>>> = {
  /** Other tests, with a judge between provider and simulator. */
  async prism(args) {
    const CLOUDDB_PRISM = await ensureNpmCommand("@stoplight/prism-cli", "prism");
    const missing = { ...(await ensureLanguageHosts(await ensureAll())), ...NOT_JUDGED };
    const variables = { CLOUDDB_PRISM, CLOUDDB_MISSING_LANGUAGES: JSON.stringify(missing) };
    return jest([...args, "--testPathPatterns", JUDGED, "--selectProjects", ...PROJECTS], variables);
  },
  async schemathesis(_args, table) {
    const row = await testSchemathesis();
    appendFileSync(table, `${JSON.stringify(row)}\n`);
    return row.failures === 0 ? 0 : 1;
  },
};

/** Tests with material of other projects, all of it or the suites with these names, and prints a table. */
export async function testConformance(args: readonly string[], suites: readonly string[] = []): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-conformance-"));
  const table = join(folder, "rows");
  process.env.CLOUDDB_CONFORMANCE = table;
  const files = suites.filter((name) => !(name in OTHERS));
  const codes: number[] = [];
  try {
    if (suites.length === 0 || files.length > 0) {
      const names = files.length > 0 ? `(.*/)?(${files.join("|")})\\.test` : "";
      const chosen = ["--testPathPatterns", `tests/conformance/${names}`, "--selectProjects", "unit", "conformance"];
      codes.push(await jest([...args, ...chosen]));
    }
    for (const [name, run] of Object.entries(OTHERS)) {
      if (suites.length === 0 || suites.includes(name)) codes.push(await run(args, table));
    }
    printTable(existsSync(table) ? readFileSync(table, "utf8").trim().split("\n") : []);
    return Math.max(...codes);
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
