import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import type { Row } from "../../../tools/suites/row";

/** Where the cases of a suite come from, with the version that was tested. */
export type Material = Pick<Row, "source" | "version"> & Partial<Pick<Row, "suite">>;

/** Fails with the cases that do not hold, each in a sentence of its own. `npm run conformance` counts them. */
export function conclude(
  { suite = testFile(), source, version }: Material,
  cases: number,
  failures: readonly string[],
): void {
  const row: Row = { suite, source, version, cases, failures: failures.length };
  const { CLOUDDB_CONFORMANCE: table } = process.env;
  if (table) appendFileSync(table, `${JSON.stringify(row)}\n`);
  expect(cases).toBeGreaterThan(0);
  expect(failures).toEqual([]);
}

function testFile(): string {
  return basename(expect.getState().testPath ?? "", ".test.ts");
}
