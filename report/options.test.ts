import { optionsFrom, UsageError } from "./options";

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
