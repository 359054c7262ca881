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

test.each<[string, string]>([
  ["post gitlab j.md --hash", "--hash is not an option of post gitlab; it belongs to: clouddb-report FILE, run, audit"],
  ["post gitlab j.md --sarif y", "--sarif is not an option of post gitlab"],
  ["post gitlab j.md --fail-on policy", "--fail-on is not an option of post gitlab"],
  ["post gitlab j.md --resolved", "--resolved requires --issue-title"],
  ["post webhook j.json --fail-on failed", "--fail-on is not an option of post webhook"],
  ["post webhook j.json --resolved --issue-title x", "--issue-title is not an option of post webhook"],
  ["exemptions pa.json --output q.md", "--output is not an option of exemptions"],
  ["run --positions x", "--positions is not an option of run; it belongs to: clouddb-report FILE"],
  ["run --errors x", "--errors is not an option of run"],
  ["run --refresh", "--refresh is not an option of run; it belongs to: audit"],
  ["audit --errors x", "--errors is not an option of audit"],
  ["audit --positions x", "--positions is not an option of audit"],
  ["audit --project x", "--project is not an option of audit"],
  ["events.ndjson --url https://hush.example", "--url is not an option of clouddb-report FILE; it belongs to"],
  ["events.ndjson --positions x", "--positions requires --sarif or --json"],
])("%s is refused", (line, message) => {
  expect(() => optionsFrom(line.split(" "))).toThrow(UsageError);
  expect(() => optionsFrom(line.split(" "))).toThrow(message);
  expect(() => optionsFrom(line.split(" "))).not.toThrow("hush");
});

test("variables of other commands are no options of a command", () => {
  process.env.CLOUDDB_PRICES = "prices.json";
  process.env.CLOUDDB_WEBHOOK_URL = "https://hooks.example";
  expect(optionsFrom(["exemptions", "policies.json"])).toMatchObject({ positionals: ["exemptions", "policies.json"] });
  expect(optionsFrom(["events.ndjson"])).toBeDefined();
  delete process.env.CLOUDDB_PRICES;
  delete process.env.CLOUDDB_WEBHOOK_URL;
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
