// The codes, messages and explanations in docs/errors.md, from the catalogue of errors.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const { areas } = require("../provider/dist/errors/catalogue.js");

const PAGE = "docs/errors.md";

export function errorsPage() {
  const page = readFileSync(join(root, PAGE), "utf8");
  const text = Object.entries(areas).reduce((before, [name, area]) => {
    const place = new RegExp(`(<!-- errors: ${name} -->\n).*?(<!-- end: errors -->)`, "s");
    if (!place.test(before)) throw new Error(`${PAGE} has no place for the errors about ${name}`);
    return before.replace(place, (_, begin, end) => `${begin}\n${sections(area)}\n${end}`);
  }, page);
  return [PAGE, text];
}

/** A code is the whole heading, so that its anchor is the code alone. */
function sections({ messages, explanations }) {
  return Object.entries(explanations)
    .map(([code, { cause, action = "" }]) => {
      const texts = Object.keys(messages).filter((key) => key.startsWith(`${code}.`));
      const lines = texts.map((key) => messages[key].replace(/(\{\w+\})+/g, "…"));
      return `### ${code}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n\n${`${cause} ${action}`.trim()}\n`;
    })
    .join("\n");
}
