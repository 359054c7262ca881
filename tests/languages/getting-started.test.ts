import { expectOk, type Outcome } from "../engine/support/stack";
import { follow } from "../programs/support/follow";
import type { Block } from "../programs/support/markdown";
import { newReader } from "../programs/support/reader";
import { root } from "../support/root";
import { inLanguage } from "./support";

/** The first steps in other languages than TypeScript. */

for (const language of ["yaml", "python", "go"] as const) {
  inLanguage(language, () => {
    const page = `docs/getting-started-${language}.md`;

    test(`${page}: from an empty folder to a service`, async () => {
      await expectService(page, await newReader(root, { CGO_ENABLED: "0" }));
    });
  });
}

/** Follows the page, and expects a protected service. */
async function expectService(page: string, run: (block: Block) => Promise<Outcome>): Promise<void> {
  const printed = await follow(page, run);
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:index:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
  // The password.
  expect(printed.at(-1)).toMatch(/^\S{8,}$/m);
  const exported = run({ page, line: 0, language: "sh", text: "pulumi stack export", directive: undefined });
  expect(await expectOk(exported)).toContain('"protect": true');
}
