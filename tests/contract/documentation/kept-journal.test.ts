import { jobIn } from "../../programs/review/support/blocks";

/** The example pipelines that deploy keep the creation journal for the next run, also after a canceled job. */

test("GitHub: restored before the update, and saved in a step that always runs", () => {
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

test("GitLab: in a cache that is always saved", () => {
  const job = jobIn("gitlab/.gitlab-ci.yml", "deploy");
  expect(job).toContain("CLOUDDB_JOURNAL: $CI_PROJECT_DIR/.clouddb-journal\n");
  expect(job).toMatch(/cache:\n +key: journal-\$PULUMI_STACK\n +paths: \[\.clouddb-journal\]\n +when: always\n/);
});
