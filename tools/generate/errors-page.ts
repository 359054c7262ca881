// The codes, messages and explanations in docs/errors.md, from the catalogue of errors.
import { type Area, areas } from "../../provider/errors/catalogue";
import { textOf } from "../support/repository";
import { withPart } from "./page-parts";
import type { FileText } from "./tables";

const PAGE = "docs/errors.md";

export function errorsPage(): FileText {
  const text = Object.entries<Area>(areas).reduce(
    (page, [name, area]) => withPart(page, PAGE, `errors: ${name}`, "errors", `\n${sections(area)}\n`),
    textOf(PAGE),
  );
  return [PAGE, text];
}

/** A code is the whole heading, so that its anchor is the code alone. */
function sections({ messages, explanations }: Area): string {
  return Object.entries(explanations)
    .map(([code, { cause, action = "" }]) => {
      const texts = Object.keys(messages).filter((key) => key.startsWith(`${code}.`));
      const lines = texts.map((key) => messages[key]?.replace(/(\{\w+\})+/g, "…"));
      return `### ${code}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n\n${`${cause} ${action}`.trim()}\n`;
    })
    .join("\n");
}
