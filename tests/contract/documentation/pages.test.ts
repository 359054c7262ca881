import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jobIn } from "../../programs/review/support/blocks";
import { blocksOf, pages } from "../../programs/support/markdown";
import { root } from "../../support/root";

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

describe("the example pipelines that deploy keep the creation journal, also of a canceled job", () => {
  test("on GitHub: it is restored before the update, and saved in a step that always runs", () => {
    const job = jobIn("github/workflows/deploy.yml", "deploy");
    const [beforeUpdate = "", afterUpdate = ""] = job.split("- name: Update\n");
    expect(beforeUpdate).toMatch(/CLOUDDB_JOURNAL: \$\{\{ github\.workspace \}\}\/\.clouddb-journal\n/);
    const cache = /path: \.clouddb-journal\n +key: (.*)\n/;
    const [key] = [beforeUpdate, afterUpdate].map((steps) => cache.exec(steps)?.[1]);
    expect(key).toMatch(/^journal-\$\{\{ matrix\.stack \}\}-.*run_id.*run_attempt/);
    expect(beforeUpdate).toMatch(/uses: actions\/cache\/restore@.*restore-keys: journal-\$\{\{ matrix\.stack \}\}-\n/s);
    expect(afterUpdate).toMatch(/uses: actions\/cache\/save@.*\n +if: always\(\)\n/);
    expect(cache.exec(afterUpdate)?.[1]).toBe(key);
  });

  test("on GitLab: it is in a cache that is always saved", () => {
    const job = jobIn("gitlab/.gitlab-ci.yml", "deploy");
    expect(job).toContain("CLOUDDB_JOURNAL: $CI_PROJECT_DIR/.clouddb-journal\n");
    expect(job).toMatch(/cache:\n +key: journal-\$PULUMI_STACK\n +paths: \[\.clouddb-journal\]\n +when: always\n/);
  });
});
