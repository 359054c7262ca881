import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: "minor" | "moderate" | "serious" | "critical";
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The accessibility violations that axe finds, or only the serious ones. */
export async function accessibilityViolations(page: Page, isSeriousOnly = false): Promise<string[]> {
  // Unlike a script of the page, this is allowed by every content security policy.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => !isSeriousOnly || impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
}
