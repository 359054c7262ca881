import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** All accessibility violations that axe finds. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // Unlike a script of the page, this is allowed by every content security policy.
  await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
