import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pages } from "../../programs/support/markdown";
import { root } from "../../support/root";

/** Nothing protects services in YAML by itself. */
test("each page that calls services protected by default names the exception", () => {
  const claims = pages().flatMap((page) => {
    const sentences = readFileSync(join(root, page), "utf8").split(/(?<=[.:])\s/);
    return sentences
      .filter((sentence) => /services? (are|is) .*protected/i.test(sentence))
      .map((sentence) => [page, sentence]);
  });
  expect(claims.length).toBeGreaterThan(1);
  expect(claims.filter(([, sentence]) => !/YAML/.test(String(sentence)))).toEqual([]);
});
