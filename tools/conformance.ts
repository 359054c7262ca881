// Tests with material of other projects: npm run conformance [SUITE...] runs all suites, or those with these names, which
// are the names of the test files in tests/conformance/. Prints a table of them.
import { testConformance } from "./suites/conformance";

export async function main(): Promise<void> {
  process.exitCode = await testConformance([], process.argv.slice(2));
}
