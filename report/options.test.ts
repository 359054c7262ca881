import { optionsFrom, UsageError } from "./options";

test("options follow from the command line", () => {
  const print = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(optionsFrom(["--help"])).toBeUndefined();
  expect(print.mock.calls.join("")).toMatch(/^clouddb-report: reports on [\s\S]* --format NAME /);
  print.mockRestore();
  const options = optionsFrom([
    "--fail-on",
    "failed, policy",
    "--price-per-gb-hour",
    "0.02",
    "--run-url",
    "https://a.example",
    "run",
    "--",
    "-s",
    "x",
  ]);
  expect(options).toMatchObject({
    conditions: ["failed", "policy"],
    format: "markdown",
    pricePerGbHour: 0.02,
    about: { runUrl: "https://a.example/" },
    positionals: ["run", "-s", "x"],
  });
});

test.each<[string, string]>([
  ["post gitlab j.md --output x", "--output is not an option of post; it belongs to: clouddb-report FILE, run"],
  ["post github j.md --fail-on policy", "--fail-on is not an option of post"],
  ["run --errors x", "--errors is not an option of run; it belongs to: clouddb-report FILE"],
])("%s is refused", (line, message) => {
  expect(() => optionsFrom(line.split(" "))).toThrow(UsageError);
  expect(() => optionsFrom(line.split(" "))).toThrow(message);
});

test.each([
  [["--format", "html"], '--format must be one of markdown, json; got "html"'],
  [["--fail-on", "everything"], '--fail-on: unknown condition "everything"; use irreversible, policy'],
  ...["", "-1", "EUR 2", "1e999"].map((price): [string[], string] => [
    ["--price-per-gb-hour", price],
    `--price-per-gb-hour must be a number from 0; got ${JSON.stringify(price)}`,
  ]),
  [["--run-url", "x"], "--run-url must be an http or https URL without credentials"],
  [["--output"], "Option '--output <FILE>' argument missing"],
  // An unknown option may have a secret value.
  [["--colour=hush"], /^Unknown option '--colour'$/],
])("%j: %s", (args, message) => {
  expect(() => optionsFrom(args)).toThrow(UsageError);
  expect(() => optionsFrom(args)).toThrow(message);
});
