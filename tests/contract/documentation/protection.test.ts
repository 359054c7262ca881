import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pages } from "../../programs/support/markdown";
import { root } from "../../support/root";

/** Only the classes of the npm package protect services by themselves. */
test("each page that says so names the language", () => {
  const claims = pages().flatMap((page) => {
    const sentences = readFileSync(join(root, page), "utf8").split(/(?<=[.:])\s/);
    return sentences
      .filter((sentence) => /services (are|is) .*protected/i.test(sentence))
      .map((sentence) => [page, sentence]);
  });
  expect(claims.length).toBeGreaterThan(1);
  expect(claims.filter(([, sentence]) => !/TypeScript/.test(String(sentence)))).toEqual([]);
});
