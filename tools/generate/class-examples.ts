import { examplesOf } from "../docs/examples";
import { textOf } from "../support/repository";
import { allFunctions, allResources, type FileText } from "./tables";

/** The path of a source, and the examples of its exports by their names. */
type Source = readonly [path: string, examples: Readonly<Record<string, string>>];

/** The sources of the public classes and functions, with the examples in their doc comments. */
export function sourcesWithExamples(): FileText[] {
  const classes = allResources.map(
    ([name, { folder }]): Source => [`provider/sdk/${folder}/${folder}.ts`, { [name]: folder }],
  );
  const lookups = allFunctions.flatMap(([name]) => [
    [name, name],
    [`${name}Output`, name],
  ]);
  const sources: Source[] = [
    ...classes,
    ["provider/sdk/provider.ts", { Provider: "provider" }],
    ["provider/sdk/functions.ts", Object.fromEntries(lookups)],
  ];
  return sources.map(([path, examples]) => [
    path,
    Object.entries(examples).reduce((text, [name, example]) => withExamples(text, name, example), textOf(path)),
  ]);
}

/** The source with the examples at the end of the doc comment of an export. */
function withExamples(source: string, name: string, example: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/(?=\nexport (?:class|const|function) ${name}\\b)`);
  if (!comment.test(source)) throw new Error(`${name} has no doc comment`);
  const codes = examplesOf(example);
  if (codes.length === 0) throw new Error(`${name} has no example: docs/reference/examples/${example}.ts is missing`);
  return source.replace(comment, (_, text: string) => {
    const lines = text.split("\n").map((line) => line.replace(/^ ?\* ?/, "").trim());
    const [description = ""] = lines.join("\n").split("@example");
    const prose = description.trim().split("\n");
    const examples = codes.flatMap((code) => ["@example", "```ts", ...code.split("\n"), "```"]);
    const body = [...prose, "", ...examples].map((line) => ` * ${line}`.trimEnd());
    return ["/**", ...body, " */"].join("\n");
  });
}
