import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createRedactor, untilSettled } from "pulumi-clouddb-facts";
import { reasonOf } from "../core/journal/messages";
import { printable } from "../core/journal/record";
import { type ListedRecord, listRecords } from "../core/journal/records";
import { openStore } from "../core/journal/stores";
import { withoutPassword } from "../core/session/backend";
import { credentialSecrets, settingsTable } from "../core/session/settings";
import { environmentOfProcess } from "./process";

/* A command that lists and discards records of the creation journal. */

const usageOf = (command: string) => `Usage: ${command} <command> [options]

Commands:
  list            list the creations that a stack may not have yet
  discard RECORD  remove a record, with the password in it, if the object does not exist or is in
                  a stack; a creation without a response may be named by the object's name

Options:
  --journal PLACE   the folder of the journal, or the URL of its Redis server
                    (default: CLOUDDB_JOURNAL, or clouddb-creations in Pulumi's home)
  --help            print this text
`;

/** Runs the command. Its name appears in messages. */
export async function runCreations(command: string, args: readonly string[]): Promise<void> {
  await untilSettled(() => run(usageOf(command), args)).catch((error: Error) => {
    process.stderr.write(`${command}: ${error.message.replace(/\n?$/, "\n")}`);
    process.exitCode = 1;
  });
}

async function run(usage: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { journal: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) return print(usage);
  const [command, name] = positionals;
  if (positionals.length !== { list: 1, discard: 2 }[String(command)])
    throw new Error(`unknown command.\n\n${usage}`);
  const place = chosenPlace(values.journal);
  const { error } = settingsTable.journal.schema.optional().safeParse(place || undefined);
  if (error) throw new Error(`the journal ${error.issues[0]?.message}.`);
  const redactor = createRedactor();
  redactor.addSecrets(credentialSecrets({ journal: place ?? "" }));
  const store = openStore(place, environmentOfProcess(), redactor.redact);
  if (store === undefined) throw new Error("the journal is off, so it holds nothing.");
  const failed = (action: string) => (error: unknown) => {
    throw new Error(`cannot ${action}: ${reasonOf(error)}. ${OWNER}`);
  };
  const entries = await listRecords(store).catch(failed(`read the journal in ${store.place}`));
  if (name === undefined) {
    if (entries.length === 0) return print(`The journal in ${store.place} holds no creation.\n`);
    return print(table(entries));
  }
  const entry = find(entries, name);
  await store.remove(entry.name).catch(failed(`remove ${store.locate(entry.name)}`));
  print(
    `Discarded the record of ${describeEntry(entry)}. If its stack lacks it, the next \`pulumi up\` creates it.\n`,
  );
}

/**
 * The journal from the option, or from the variable, which has the credentials that printed
 * commands omit.
 */
function chosenPlace(option: string | undefined): string | undefined {
  const variable = environmentOfProcess().CLOUDDB_JOURNAL;
  if (
    option === undefined ||
    (variable && URL.canParse(variable) && withoutPassword(variable) === option)
  )
    return variable;
  return option === "off" || URL.canParse(option) ? option : resolve(option);
}

const OWNER = "Run the command as the owner of the folder, or remove the record yourself.";

const describeEntry = ({ name, record }: ListedRecord) =>
  record === undefined ? `record ${name}` : printable(JSON.stringify(record.name));

function find(entries: readonly ListedRecord[], name: string): ListedRecord {
  const matches = entries.filter((entry) => entry.name === name || entry.record?.name === name);
  const [match] = matches;
  if (match === undefined)
    throw new Error(`the journal has no creation ${JSON.stringify(name)}; \`list\` shows all.`);
  if (matches.length > 1) {
    throw new Error(
      `${matches.length} creations have that name; use the id of one record:\n${table(matches)}`,
    );
  }
  const { record } = match;
  if (record?.id !== undefined && match.name !== name) {
    const { title, id, urn } = record;
    const parts = [
      `${JSON.stringify(name)} was created: it is ${title} ${id} of ${printable(urn)}.`,
      "Its record may be the only place that has its password.",
      `If it is in a stack or does not exist, use the record's own id, ${match.name}.`,
    ];
    throw new Error(parts.join(" "));
  }
  return match;
}

function table(entries: readonly ListedRecord[]): string {
  const rows = entries.map((entry) => {
    const { name: id, record } = entry;
    const cells =
      record === undefined
        ? [id, "(not readable)", "", "", `${entry.path}: ${entry.problem}`]
        : [id, record.name, record.sentAt, record.id ?? "no response", record.urn];
    return cells.map(printable);
  });
  const head = ["RECORD", "NAME", "SENT", "CREATED", "RESOURCE"];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return [head, ...rows].map((row) => `${line(row).trimEnd()}\n`).join("");
}

function print(text: string): void {
  process.stdout.write(text);
}
