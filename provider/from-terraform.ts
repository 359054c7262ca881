import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Conversion, convert } from "./terraform/convert";
import { importsFile, programFile, report } from "./terraform/files";
import { readState } from "./terraform/state";

/*
 * The command `clouddb-from-terraform`: makes a file for `pulumi import` and a program of a Terraform state.
 */

const USAGE = `Usage: clouddb-from-terraform FILE [--out FOLDER]

Writes imports.json, for \`pulumi import --file\`, and Pulumi.yaml, a program, from the services and ClickPipes in a
Terraform state. It sends no request, overwrites no file, and writes no secret of the state.

  FILE            terraform.tfstate, or - for standard input: terraform state pull | clouddb-from-terraform -
  --out FOLDER    where to write the two files (default: the current folder)
  --help          print this text
`;

const NEXT_STEPS = `Wrote imports.json and Pulumi.yaml. To import these resources, run in their folder:
  pulumi stack init dev
  pulumi import --file imports.json --generate-code=false
  pulumi preview --expect-no-changes
`;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string", default: "." }, help: { type: "boolean" } },
  });
  if (values.help) {
    print(USAGE);
    return;
  }
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error(`pass one file.\n\n${USAGE}`);
  const conversion = convert(readState(textOf(file)));
  const isEmpty = conversion.resources.length === 0;
  if (!isEmpty) write(values.out, conversion);
  print(`${report(conversion)}\n${isEmpty ? "Nothing to import: no file was written.\n" : NEXT_STEPS}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Both files, or none if one exists. */
function write(out: string, conversion: Conversion): void {
  const folder = resolve(out);
  const project = basename(folder).replace(/[^\w.-]+/g, "-") || "databases";
  const files = { "imports.json": importsFile(conversion), "Pulumi.yaml": programFile(project, conversion) };
  const existing = Object.keys(files).filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0) {
    const exists = existing.length > 1 ? "exist" : "exists";
    throw new Error(
      `${existing.join(" and ")} already ${exists} in ${folder}. No file was written. Choose another folder with --out.`,
    );
  }
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EEXIST" ? "a file has this name" : message;
    throw new Error(`cannot create the folder ${folder}: ${reason}. No file was written. Choose another with --out.`);
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: "wx" });
}

function print(text: string): void {
  process.stdout.write(text);
}

try {
  main();
} catch (error) {
  process.stderr.write(`clouddb-from-terraform: ${(error as Error).message.replace(/\n?$/, "\n")}`);
  process.exitCode = 1;
}
