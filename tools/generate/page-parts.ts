// The generated parts of pages that are written by hand: versions in commands, and tables of
// options.
import * as fleet from "../../fleet/cli";
import { version } from "../../provider/package.json";
import * as report from "../../report/options";
import * as simulator from "../../simulator/cli";
import { textOf } from "../support/repository";
import type { FileText } from "./tables";

/** The part of a command's definition that its table shows. */
type Command = Pick<typeof report.readCommand, "createHelp" | "options">;

/** The pages on how to install the native plugin. */
const PLUGIN_PAGES = ["docs/getting-started.md", "docs/install.md", "docs/versions.md"];
const JAVA_EXAMPLE = "examples/quickstart-java/pom.xml";

/** Each page with its commands, by the names of their places in it. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  "report/README.md": { report: report.readCommand },
  "simulator/README.md": { simulator: simulator.program },
  "fleet/README.md": { "roll-out": fleet.rollOutCommand, drift: fleet.driftCommand },
};

/** Each page with the version of the package in its commands. */
export function pagesWithVersion(): FileText[] {
  return [...PLUGIN_PAGES, JAVA_EXAMPLE].map((page) => [page, withVersion(textOf(page))]);
}

/**
 * A text with a version of the package, by default this one, in commands like `pulumi plugin
 * install resource clouddb v0.1.0`.
 */
export function withVersion(text: string, to: string = version): string {
  return text.replaceAll(
    /(resource clouddb v|pulumi-resource-clouddb-v|pulumi-clouddb==|sdk\/go\/clouddb@v| {2}version: |=clouddb-|<artifactId>clouddb<\/artifactId>\s*<version>)\d+\.\d+\.\d+/g,
    `$1${to}`,
  );
}

/**
 * Each page with the tables of its commands' options, from the definitions that also make the help
 * texts.
 */
export function pagesWithOptions(): FileText[] {
  return Object.entries(COMMANDS).map(([page, commands]) => [page, withTables(page, commands)]);
}

function withTables(page: string, commands: Readonly<Record<string, Command>>): string {
  return Object.entries(commands).reduce(
    (text, [name, command]) =>
      withPart(text, page, `options: ${name}`, "options", tableOf(command)),
    textOf(page),
  );
}

/** A page with one generated part, between `<!-- begin -->` and `<!-- end: kind -->`. */
export function filled(page: string, begin: string, kind: string, part: string): FileText {
  return [page, withPart(textOf(page), page, begin, kind, part)];
}

export function withPart(
  text: string,
  page: string,
  begin: string,
  kind: string,
  part: string,
): string {
  const [before, after, ...more] = text.split(`<!-- ${begin} -->\n`);
  const end = after?.indexOf(`<!-- end: ${kind} -->`) ?? -1;
  if (end < 0 || more.length > 0) throw new Error(`${page} needs one place <!-- ${begin} -->`);
  return `${before}<!-- ${begin} -->\n${part}${after?.slice(end)}`;
}

function tableOf(command: Command): string {
  const help = command.createHelp();
  const rows = command.options.map((option) => [
    `\`${option.flags.replace(/[<>]/g, "")}\``,
    help.optionDescription(option),
  ]);
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return `| option | |\n|---|---|\n${rows.map(line).join("")}`;
}
