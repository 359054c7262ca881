import { basename } from "node:path";

/** The source of a suite's cases, with the version that was tested. A suite is a test file of this name. */
export interface Material {
  readonly suite?: string;
  readonly source: string;
  readonly version: string;
}

/**
 * Fails with the cases that do not hold, each in a sentence of its own. The nightly suite prints how many were tested.
 */
export function conclude(
  { suite = testFile(), source, version }: Material,
  cases: number,
  failures: readonly string[],
): void {
  if (process.env.CLOUDDB_CONFORMANCE) {
    process.stdout.write(`| ${[suite, source, version, cases, failures.length].join(" | ")} |\n`);
  }
  expect(cases).toBeGreaterThan(0);
  expect(failures).toEqual([]);
}

function testFile(): string {
  return basename(expect.getState().testPath ?? "", ".test.ts");
}
