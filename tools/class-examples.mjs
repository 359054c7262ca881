import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { examplesOf } from "./docs/examples.mjs";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { functions } = require("../provider/dist/resources/functions.js");
const { resources } = require("../provider/dist/resources/index.js");

/** The sources of the public classes and functions, with the examples in their doc comments. */
export function sourcesWithExamples() {
  const classes = Object.entries(resources).map(([name, { folder }]) => [
    `provider/sdk/${folder}/${folder}.ts`,
    { [name]: folder },
  ]);
  const lookups = Object.keys(functions).flatMap((name) => [
    [name, name],
    [`${name}Output`, name],
  ]);
  const sources = [
    ...classes,
    ["provider/sdk/provider.ts", { Provider: "provider" }],
    ["provider/sdk/functions.ts", Object.fromEntries(lookups)],
  ];
  return sources.map(([path, examples]) => [
    path,
    Object.entries(examples).reduce(
      (text, [name, example]) => withExamples(text, name, example),
      readFileSync(join(root, path), "utf8"),
    ),
  ]);
}

/** The source with the examples at the end of the doc comment of an export. */
function withExamples(source, name, example) {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/(?=\nexport (?:class|const|function) ${name}\\b)`);
  if (!comment.test(source)) throw new Error(`${name} has no doc comment`);
  return source.replace(comment, (_, text) => {
    const lines = text.split("\n").map((line) => line.replace(/^ ?\* ?/, "").trim());
    const prose = lines.join("\n").split("@example")[0].trim().split("\n");
    const examples = examplesOf(example).flatMap((code) => ["@example", "```ts", ...code.split("\n"), "```"]);
    const body = [...prose, "", ...examples].map((line) => ` * ${line}`.trimEnd());
    return ["/**", ...body, " */"].join("\n");
  });
}
