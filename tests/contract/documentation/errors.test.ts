import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../../programs/support/markdown";
import { root } from "../../support/root";

/** The provider's own messages on the page are generated. */

const tests = join(root, "tests");

test("each message of Pulumi in docs/errors.md is one that a test expects", () => {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => name.endsWith(".ts")).map((name) => readFileSync(join(tests, name), "utf8"));
  const parts = blocksOf("docs/errors.md")
    .filter(({ directive }) => directive === "a message of Pulumi")
    .flatMap(({ text }) => text.split(/[…\n]/))
    .map((part) => part.replace(/^[.,;:\s]+|[.,;:\s]+$/g, ""))
    .filter((part) => part !== "");
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.filter((part) => !sources.some((source) => source.includes(part)))).toEqual([]);
});
