// The option tables of the commands' READMEs, from the definitions that also make the help texts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const require = createRequire(import.meta.url);
const report = require("../report/dist/options.js");
const simulator = require("../simulator/dist/options.js");
const fleet = require("../fleet/dist/options.js");

/** Each page with its commands, by the names of their places in it. */
const COMMANDS = {
  "report/README.md": { report: report.program },
  "simulator/README.md": { simulator: simulator.program },
  "fleet/README.md": { "roll-out": fleet.rollOutCommand(), drift: fleet.driftCommand() },
};

export function pagesWithOptions() {
  return Object.entries(COMMANDS).map(([page, commands]) => [page, withTables(page, commands)]);
}

function withTables(page, commands) {
  return Object.entries(commands).reduce(
    (text, [name, command]) => {
      const place = new RegExp(`(<!-- options: ${name} -->\n).*?(<!-- end: options -->)`, "s");
      if (!place.test(text)) throw new Error(`${page} has no place for the options of ${name}`);
      return text.replace(place, (_, begin, end) => `${begin}${tableOf(command)}${end}`);
    },
    readFileSync(join(root, page), "utf8"),
  );
}

function tableOf(command) {
  const help = command.createHelp();
  const rows = command.options.map((option) => [
    `\`${option.flags.replace(/[<>]/g, "")}\``,
    help.optionDescription(option),
  ]);
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return `| option | |\n|---|---|\n${rows.map(line).join("")}`;
}
