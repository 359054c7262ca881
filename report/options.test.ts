import { conditionsIn, isCondition } from "./analyze/gates";
import { postCommand, program, readCommand, runCommand, sentenceOf } from "./options";
import { linkTo } from "./render/markdown";

async function parse(...args: string[]) {
  const parsed = jest.fn();
  readCommand.action((file, options) => parsed("report", file, options));
  runCommand.action((words, options) => parsed("run", words, options));
  postCommand.action((place, file, options) => parsed("post", place, file, options));
  await program.parseAsync(args, { from: "user" });
  return parsed.mock.calls[0];
}

test("the help names the three commands and the options", async () => {
  const print = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  await expect(parse("--help")).rejects.toMatchObject({ exitCode: 0 });
  expect(print.mock.calls.join("")).toMatch(
    /^clouddb-report: reports on [\s\S]* run [\s\S]* post [\s\S]* --format NAME /,
  );
  print.mockRestore();
});

test("the three commands have ten distinct options", () => {
  const options = [readCommand, runCommand, postCommand].flatMap(({ options }) =>
    options.map(({ long }) => long),
  );
  expect(new Set(options).size).toBe(10);
});

test("options before `--` are the report's, and those after it belong to the command of run", async () => {
  expect(await parse("-", "--format", "json")).toEqual(["report", ["-"], { format: "json" }]);
  expect(
    await parse(
      "--fail-on",
      "failed, policy",
      "--price-per-gb-hour",
      "0",
      "--run-url",
      "https://a.example",
    ),
  ).toEqual([
    "report",
    ["-"],
    {
      format: "markdown",
      failOn: ["failed", "policy"],
      pricePerGbHour: 0,
      runUrl: "https://a.example/",
    },
  ]);
  for (const end of [["--"], []]) {
    expect(
      await parse("run", "--output", "x", ...end, "pulumi", "preview", "--stack", "y"),
    ).toEqual([
      "run",
      ["pulumi", "preview", "--stack", "y"],
      expect.objectContaining({ output: "x" }),
    ]);
  }
});

test.each<[string[], string | RegExp]>([
  [["post", "gitlab", "j.md", "--output", "x"], "Unknown option '--output'"],
  [["run", "--errors", "x", "--", "pulumi", "preview"], "Unknown option '--errors'"],
  [["--format", "html"], "'html' is invalid. Allowed choices are markdown, json."],
  [["--fail-on", "everything"], 'Unknown condition "everything"; use irreversible, policy'],
  ...["", "-1", "EUR 2", "1e999"].map((price): [string[], string] => [
    ["--price-per-gb-hour", price],
    "It must be a number from 0.",
  ]),
  [["--run-url", "x"], "It must be an http or https URL without credentials."],
  [["--output"], "Option '--output <FILE>' argument missing"],
  [["post", "gitlab", "a", "b"], "Too many arguments"],
  // An unknown option may have a secret value.
  [["--colour=hush"], /^Unknown option '--colour'$/],
])("the command line %j is refused: %s", async (args, message) => {
  const failure = await parse(...args).catch((error: Error) => error);
  expect(sentenceOf((failure as Error).message)).toMatch(message);
});

test.each([
  ["https://ci.example/a?b=1", "https://ci.example/a?b=1"],
  ["https://ci.example/) **x** <b>", "https://ci.example/%29%20%2A%2Ax%2A%2A%20%3Cb%3E"],
  ["javascript:alert(1)", undefined],
  ["https://user:password@ci.example/", undefined],
  ["run 1", undefined],
])("the link %s becomes %s", (text, link) => {
  expect(linkTo(text)).toBe(link);
});

test("a list of conditions may contain spaces", () => {
  expect(conditionsIn(" failed, policy ,capacity>+20% ,")).toEqual([
    "failed",
    "policy",
    "capacity>+20%",
  ]);
});

test.each([
  ["failed", true],
  ["unchecked", true],
  ["changes", true],
  ["anything", false],
  ["capacity", false],
  ["capacity>+20%", true],
  ["capacity>+7.14%", true],
  ["capacity>+0.555%", false],
  ["capacity>+20", false],
  ["capacity>20%", false],
  ["capacity>-5%", false],
  ["capacity>+5%%", false],
])("%s is a valid condition: %s", (text, isOne) => {
  expect(isCondition(text)).toBe(isOne);
});
