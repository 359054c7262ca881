import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type CreationRecord, parseRecord } from "./core/creation-journal";
import { journalPlace, openStore, withoutPassword } from "./core/journal-place";
import { createRedactor, credentialSecrets } from "./core/redactor";

/*
 * The command `clouddb-creations`: lists and discards what the creation journal holds.
 */

const USAGE = `Usage: clouddb-creations <command> [options]

Commands:
  list            list the creations that a stack may not have yet
  discard NAME    remove a record, by the object's name or the record's id, with the password in it, if the object does
                  not exist or is in a stack

Options:
  --journal PLACE   the folder of the journal, or the URL of its Redis server (default: CLOUDDB_JOURNAL, or
                    clouddb-creations in Pulumi's home)
  --help            print this text
`;

interface Entry {
  readonly id: string;
  /** Absent where this release cannot read it. */
  readonly record: CreationRecord | undefined;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { journal: { type: "string" }, help: { type: "boolean" } },
  });
  const [command, name, ...others] = positionals;
  if (values.help) return print(USAGE);
  if (others.length > 0 || (command === "list") === (name !== undefined))
    throw new Error(`unknown command.\n\n${USAGE}`);
  const place = journalPlace(chosenPlace(values.journal), process.env);
  if (place === undefined) throw new Error("the journal is off, so it holds nothing.");
  const redactor = createRedactor();
  redactor.addSecrets(credentialSecrets({ journal: place }));
  const store = openStore(place, redactor.redact);
  const entries = (await store.entries()).map(([id, text]) => ({ id, record: parseRecord(text) }));
  if (command === "list") return print(table(entries));
  const entry = find(entries, String(name));
  if (command !== "discard") throw new Error(`unknown command.\n\n${USAGE}`);
  await store.remove(entry.id);
  print(`Discarded the record of ${nameOf(entry)}. If its stack lacks it, the next \`pulumi up\` creates it.\n`);
}

/** The option, or the variable. Printed commands leave out what the variable may have: a server's credentials. */
function chosenPlace(option: string | undefined): string | undefined {
  const variable = process.env.CLOUDDB_JOURNAL;
  if (option === undefined || (variable && URL.canParse(variable) && withoutPassword(variable) === option))
    return variable;
  return option === "off" || URL.canParse(option) ? option : resolve(option);
}

const nameOf = ({ id, record }: Entry) => (record === undefined ? `record ${id}` : JSON.stringify(record.name));

function find(entries: readonly Entry[], name: string): Entry {
  const matches = entries.filter(({ id, record }) => id === name || record?.name === name);
  const [match] = matches;
  if (match === undefined) throw new Error(`the journal has no creation ${JSON.stringify(name)}; \`list\` shows all.`);
  if (matches.length > 1) {
    throw new Error(`${matches.length} creations have that name; use the id of one:\n${table(matches)}`);
  }
  return match;
}

function table(entries: readonly Entry[]): string {
  if (entries.length === 0) return "The journal holds no creation.\n";
  const rows = entries.map(({ id, record }) => [
    id,
    record?.name ?? "(not readable)",
    record?.sentAt ?? "",
    record === undefined ? "" : (record.id ?? "no response"),
    record?.urn ?? "",
  ]);
  const all = [["RECORD", "NAME", "SENT", "CREATED", "RESOURCE"], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function print(text: string): void {
  process.stdout.write(text);
}

main().catch((error: Error) => {
  process.stderr.write(`clouddb-creations: ${error.message.replace(/\n?$/, "\n")}`);
  process.exitCode = 1;
});
