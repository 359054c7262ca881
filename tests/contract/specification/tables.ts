import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A row of one of the specification's tables. */
export interface Row {
  /** The headings above the table, the nearest last. */
  readonly section: string;
  readonly cells: readonly string[];
  readonly header: readonly string[];
}

/** All rows of all tables in the specification, which is in this folder unchanged. */
export function specificationRows(): Row[] {
  const rows: Row[] = [];
  let section = "";
  let header: string[] | undefined;
  for (const line of readFileSync(join(__dirname, "api.md"), "utf8").split("\n")) {
    if (line.startsWith("#")) section = line.replace(/^#+ /, "");
    if (!line.startsWith("|")) {
      header = undefined;
      continue;
    }
    const cells = line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (header === undefined) header = cells;
    else if (!/^-+$/.test(cells[0] ?? "")) rows.push({ section, header, cells });
  }
  return rows;
}
