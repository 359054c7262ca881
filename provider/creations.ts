import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createRedactor } from "pulumi-clouddb-facts";
import { journalPlace, nameOfPlace, openStore, withoutPassword } from "./core/journal-place";
import { isAddition, type JournalRecord, parseRecord } from "./core/journal-record";
import { reasonOf, UNKNOWN_FORM } from "./core/journal-records";
import { credentialSecrets } from "./core/redactor";

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
  readonly record: JournalRecord | undefined;
  /** The place, and why the record cannot be read. */
  readonly problem: string;
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
  const stored = await store.entries().catch((error) => {
    throw new Error(`cannot read the journal in ${nameOfPlace(place)}: ${reasonOf(error)}. ${OWNER}`);
  });
  const entries = stored.map(({ name: id, text, error }): Entry => {
    const reason = text === undefined ? reasonOf(error) : UNKNOWN_FORM;
    return {
      id,
      record: text === undefined ? undefined : parseRecord(text),
      problem: `${store.locate(id)}: ${reason}`,
    };
  });
  if (command === "list") return print(table(entries));
  const entry = find(entries, String(name));
  if (command !== "discard") throw new Error(`unknown command.\n\n${USAGE}`);
  await store.remove(entry.id).catch((error) => {
    throw new Error(`cannot remove ${store.locate(entry.id)}: ${reasonOf(error)}. ${OWNER}`);
  });
  const { record } = entry;
  const effect =
    record !== undefined && isAddition(record)
      ? "Entries that its stack lacks count as entries of others."
      : "If its stack lacks it, the next `pulumi up` creates it.";
  print(`Discarded the record of ${nameOf(entry)}. ${effect}\n`);
}

/** The option, or the variable. Printed commands leave out what the variable may have: a server's credentials. */
function chosenPlace(option: string | undefined): string | undefined {
  const variable = process.env.CLOUDDB_JOURNAL;
  if (option === undefined || (variable && URL.canParse(variable) && withoutPassword(variable) === option))
    return variable;
  return option === "off" || URL.canParse(option) ? option : resolve(option);
}

const OWNER = "Run the command as the owner of the folder, or remove the record yourself.";

const nameOf = ({ id, record }: Entry) =>
  record === undefined ? `record ${id}` : printable(JSON.stringify(record.name));

/** A text of a record without characters that act on a terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

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
  const rows = entries.map(({ id, record, problem }) =>
    (record === undefined
      ? [id, "(not readable)", "", "", problem]
      : [id, record.name, record.sentAt, resultOf(record), record.urn]
    ).map(printable),
  );
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

function resultOf(record: JournalRecord): string {
  return isAddition(record) ? `entries of ${record.target}` : (record.id ?? "no response");
}

function print(text: string): void {
  process.stdout.write(text);
}

main().catch((error: Error) => {
  process.stderr.write(`clouddb-creations: ${error.message.replace(/\n?$/, "\n")}`);
  process.exitCode = 1;
});
