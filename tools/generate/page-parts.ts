// The generated parts of pages that are written by hand: versions in commands, and tables of options.
import * as fleet from "../../fleet/options";
import { version } from "../../provider/package.json";
import { COUNTERPARTS, PARTS_OF_SERVICES } from "../../provider/terraform/names";
import * as report from "../../report/options";
import * as simulator from "../../simulator/options";
import { languagesOf } from "../docs/examples";
import { manifestOf, textOf } from "../support/repository";
import type { FileText } from "./tables";

/** The part of a command's definition that its table shows. */
type Command = Pick<typeof report.program, "createHelp" | "options">;

/** The pages on how to install the native plugin. */
const PLUGIN_PAGES = ["README.md", "docs/install.md", "docs/versions.md"];
const IMAGE_PAGE = "examples/ci/github/workflows/test.yml";

/** Each page with its commands, by the names of their places in it. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  "report/README.md": { report: report.program },
  "simulator/README.md": { simulator: simulator.program },
  "fleet/README.md": { "roll-out": fleet.rollOutCommand(), drift: fleet.driftCommand() },
};

/** Each page with the version of the package in its commands. */
export function pagesWithVersion(): FileText[] {
  return [...PLUGIN_PAGES, IMAGE_PAGE].map((page) => [page, withVersion(textOf(page))]);
}

/** A text with the version of the package in commands like `pulumi plugin install resource clouddb v0.1.0`. */
export function withVersion(text: string): string {
  return text.replaceAll(
    /(resource clouddb v|pulumi-resource-clouddb-v|pulumi_clouddb-|sdk\/go\/clouddb@v| {2}version: |clouddb-simulator:)\d+\.\d+\.\d+/g,
    `$1${version}`,
  );
}

/** The page on vulnerabilities, with the address of package.json for people who cannot use the form. */
export function securityPage(): FileText {
  const { email } = manifestOf("").bugs;
  const text =
    email === undefined
      ? "The form needs an account on GitHub. There is no address yet for people who have none."
      : `The form needs an account on GitHub. If you have none, write to [${email}](mailto:${email}).`;
  const place = /(<!-- address -->\n).*?(<!-- end: address -->)/s;
  return ["SECURITY.md", textOf("SECURITY.md").replace(place, (_, begin, end) => `${begin}${text}\n${end}`)];
}

/** Each page with the tables of its commands' options, from the definitions that also make the help texts. */
export function pagesWithOptions(): FileText[] {
  return Object.entries(COMMANDS).map(([page, commands]) => [page, withTables(page, commands)]);
}

function withTables(page: string, commands: Readonly<Record<string, Command>>): string {
  return Object.entries(commands).reduce(
    (text, [name, command]) => withPart(text, page, `options: ${name}`, "options", tableOf(command)),
    textOf(page),
  );
}

/** The page that shows the smallest program in Go, where it shows others by hand. */
export function pageWithProgram(): FileText {
  const go = languagesOf("service").find(({ title }) => title === "Go");
  return filled("docs/getting-started.md", "program: service.go", "program", `${go?.code}\n`);
}

/** The guide with the names that differ from those of Terraform's provider. */
export function terraformNames(): FileText {
  const rows = Object.values(COUNTERPARTS).flatMap(({ className, attributes }) =>
    Object.entries(attributes).map(([argument, place]) => `| \`${place}\` | \`${className}.${argument}\` |\n`),
  );
  const parts = Object.entries(PARTS_OF_SERVICES).map(
    ([type, { argument }]) => `- \`${type}\` is \`${argument}\` of its service.\n`,
  );
  const text = `| Terraform | here |\n|---|---|\n${rows.join("")}\n${parts.join("")}`;
  return filled("docs/guides/from-terraform.md", "names", "names", text);
}

/** A page with one generated part, between `<!-- begin -->` and `<!-- end: kind -->`. */
export function filled(page: string, begin: string, kind: string, part: string): FileText {
  return [page, withPart(textOf(page), page, begin, kind, part)];
}

export function withPart(text: string, page: string, begin: string, kind: string, part: string): string {
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
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return `| option | |\n|---|---|\n${rows.map(line).join("")}`;
}
