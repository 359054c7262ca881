import { createReadStream } from "node:fs";
import { join } from "node:path";
import { type RenderOptions, renderReport } from "../../report/index";
import { optionsFrom, UsageError } from "../../report/options";
import type { Preview } from "../../report/preview";
import { readPreviews } from "../../report/read/input";
import { linkTo } from "../../report/render/about";

/** The origin of a report, and its optional parts. */
async function reportOf(name: string, options: RenderOptions, format: "github" | "text" = "github") {
  const file = join(__dirname, "previews", `${name}.ndjson`);
  const previews: readonly Preview[] = await readPreviews(createReadStream(file), file);
  return renderReport(previews, format, { masks: [], ...options });
}
const about = {
  notice: "Preview of a fork, against the simulator: <b>@maintainers</b>",
  commit: "0123456789abcdef",
  runUrl: "https://ci.example/runs/1",
  time: new Date("2026-11-21T22:44:00Z"),
};

test.each(["update-service", "nothing"])(
  "%s says first who vouches for it, then its commit, run and time",
  async (name) => {
    const lines = (await reportOf(name, { about })).split("\n").filter((line) => line !== "");
    expect(lines[1]).toBe("> Preview of a fork, against the simulator: &#60;b&#62;@&#8203;maintainers&#60;/b&#62;");
    expect(lines[3]).toBe("Commit <code>0123456789ab</code> · [run](https://ci.example/runs/1) · 2026-11-21 22:44 UTC");
  },
);

test("in text format, a link is its URL", async () => {
  expect(await reportOf("update-service", { about }, "text")).toContain("run: https://ci.example/runs/1");
});

test.each([
  ["https://ci.example/a?b=1", "https://ci.example/a?b=1"],
  ["https://ci.example/) **x** <b>", "https://ci.example/%29%20%2A%2Ax%2A%2A%20%3Cb%3E"],
  ["javascript:alert(1)", undefined],
  ["https://user:password@ci.example/", undefined],
  ["run 1", undefined],
])("a link to %s is %s", (text, link) => {
  expect(linkTo(text)).toBe(link);
});

test("--diff adds a code block that its contents cannot close", async () => {
  const report = await reportOf("update-service", { hasDiff: true });
  expect(report).toContain("```diff\n! update analytics\n-   ipAccessList: {");
  expect(report).toContain("-   numReplicas: 3\n+   numReplicas: 4\n");
  expect(await reportOf("update-service", {})).not.toContain("```diff");
  expect(await reportOf("update-service", { hasDiff: true }, "text")).toContain("+   numReplicas: 4\n");
});

test("options follow from the command line", () => {
  const print = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(optionsFrom(["--help"])).toBeUndefined();
  expect(print.mock.calls.join("")).toMatch(/^clouddb-report: reports on [\s\S]* --json FILE /);
  print.mockRestore();
  const options = optionsFrom([
    "--fail-on",
    "failed, policy",
    "--max-bytes",
    "2000",
    "--run-url",
    "https://a.example",
    "run",
    "--",
    "-s",
    "x",
  ]);
  expect(options).toMatchObject({
    conditions: ["failed", "policy"],
    maxBytes: 2000,
    about: { runUrl: "https://a.example/" },
    positionals: ["run", "-s", "x"],
  });
});

test.each([
  [["--format", "html"], '--format must be one of github, gitlab, azure, text, json; got "html"'],
  [["--fail-on", "everything"], '--fail-on: unknown condition "everything"; use irreversible, policy'],
  [["--max-bytes", "10"], '--max-bytes must be an integer from 1000; got "10"'],
  [["--format", "json", "--max-bytes", "5000"], "--max-bytes cannot be combined with --format json"],
  [["--mask", "("], '--mask must be a regular expression; got "("'],
  [["--run-url", "x"], "--run-url must be an http or https URL without credentials"],
  [["--policies-before", "a"], "--policies-before requires --policies"],
  [["--output"], "Option '--output <FILE>' argument missing"],
  // An unknown option may have a secret value.
  [["--colour=hush"], /^Unknown option '--colour'$/],
])("%j: %s", (args, message) => {
  expect(() => optionsFrom(args)).toThrow(UsageError);
  expect(() => optionsFrom(args)).toThrow(message);
});
