import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as clouddb from "pulumi-clouddb";
import ts from "typescript";
import { root } from "../support/root";

/** The examples in the doc comments of what users import, without their fences, by name. */
function examplesInComments(): Record<string, string[]> {
  const entry = join(root, "provider/index.ts");
  const program = ts.createProgram([entry], { skipLibCheck: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const moduleSymbol = source && checker.getSymbolAtLocation(source);
  const exported = moduleSymbol ? checker.getExportsOfModule(moduleSymbol) : [];
  const examplesOf = (item: ts.Symbol) => {
    const symbol = item.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(item) : item;
    const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === "example");
    return tags.map(({ text }) => ts.displayPartsToString(text).replace(/^```ts\n([\s\S]*)\n```$/, "$1"));
  };
  return Object.fromEntries(exported.map((item) => [item.name, examplesOf(item)]));
}

// tests/programs/samples.test.ts compiles the reference pages, which contain the same examples.
test("every public class and function has the examples of its reference page in its doc comment", () => {
  const examples = examplesInComments();
  const pages = new Set(readdirSync(join(root, "docs/reference")));
  for (const name of Object.keys(clouddb)) {
    const page = `${name}.md`.replace(/Output\.md$/, ".md");
    expect(pages).toContain(page);
    const text = readFileSync(join(root, "docs/reference", page), "utf8");
    const count = text.split("\n\n## ")[0]?.match(/^```ts$/gm)?.length;
    expect([name, examples[name]?.length]).toEqual([name, count]);
    for (const example of examples[name] ?? []) expect(text).toContain(`\`\`\`ts\n${example}\n\`\`\``);
  }
});
