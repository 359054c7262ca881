import { hostname } from "node:os";
import { toSingleLine } from "../api/text";
import { coded, type Message } from "../errors";
import { settingName } from "../names";
import { isAddition, type JournalRecord, parseRecord, type ResourceIdentity, recordName } from "./journal-record";
import { UserError } from "./user-error";

/** A place for records, by names of letters and digits. A text that was put there survives the end of the machine. */
export interface JournalStore {
  /** True if other machines have their records there, too. */
  readonly isShared: boolean;
  /** The record's place, as messages name it. */
  readonly locate: (name: string) => string;
  readonly get: (name: string) => Promise<string | undefined>;
  readonly put: (name: string, text: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly entries: () => Promise<readonly StoredRecord[]>;
}

/** The text of a record, or the error of reading it. */
export interface StoredRecord {
  readonly name: string;
  readonly text?: string;
  readonly error?: unknown;
}

export interface JournalOptions {
  readonly store: JournalStore;
  /** The place, as messages name it. */
  readonly place: string;
  /** The place as an option of `clouddb-creations`, if the program's owner has chosen it, and relies on it. */
  readonly configured: string | undefined;
  readonly baseUrl: string;
  readonly keySecret: string;
  readonly warn: (line: Message) => void;
}

/** A readable record. */
export interface ListedRecord {
  readonly name: string;
  readonly text: string;
  readonly record: JournalRecord;
}

/** The readable records, by name and, for complete creations, by the object's id. */
interface Listing {
  readonly byName: Map<string, ListedRecord>;
  readonly byId: ReadonlyMap<string, ListedRecord>;
}

/** The records of a place, with messages about those that cannot be read or written. */
export function createRecords({ store, place, configured, baseUrl, warn }: JournalOptions) {
  const command = (action: string) =>
    `npx --no-install clouddb-creations ${action}${configured ? ` --journal ${quoted(configured)}` : ""}`;
  const discardCommand = (name: string) => command(`discard ${name}`);
  const setting = settingName("journal");
  /** Texts that this process has written, by record name. */
  const own = new Map<string, string>();
  let hasWarned = false;
  let listing: Promise<Listing> | undefined;

  function nameOf(identity: ResourceIdentity, address = baseUrl): string {
    // A path names another backend on each machine.
    const machine = store.isShared && identity.backend.startsWith("file:") ? hostname() : "";
    return recordName(identity, address, machine);
  }

  /** The current record. */
  async function read(name: string): Promise<ListedRecord | undefined> {
    const discardHint = `If you know that there is nothing of the resource on the server, run \`${discardCommand(name)}\`.`;
    const text = await store.get(name).catch((error) => {
      throw new UserError(
        coded(
          "CDB4014",
          `The creation journal cannot read ${store.locate(name)}: ${reasonOf(error)}. An earlier command may have created the resource or added its entries, so nothing was sent. Make the journal reachable, and the record readable. ${discardHint}`,
        ),
      );
    });
    if (text === undefined) return undefined;
    const record = parseRecord(text);
    if (record === undefined)
      throw new UserError(
        coded(
          "CDB4014",
          `The creation journal cannot use ${store.locate(name)}, the record of this resource: it is damaged or of a later release. Nothing was created or added. Update the provider. ${discardHint}`,
        ),
      );
    return { name, text, record };
  }

  /** Read once, since each diff asks: a place that fails costs one attempt and one line. */
  function list(): Promise<Listing> {
    listing ??= store.entries().then(listingOf, (error: unknown) => {
      warn(
        coded(
          "CDB4014",
          `The creation journal in ${place} cannot be read: ${reasonOf(error)}. This command leaves its records unchanged, and knows none of them. Make it readable, or change ${setting}.`,
        ),
      );
      return listingOf([]);
    });
    return listing;
  }

  function listingOf(entries: readonly StoredRecord[]): Listing {
    const unreadable: { readonly record: string; readonly reason: string }[] = [];
    const listed = entries.flatMap(({ name, text, error }): ListedRecord[] => {
      const record = text === undefined ? undefined : parseRecord(text);
      if (text !== undefined && record !== undefined) return [{ name, text, record }];
      unreadable.push({ record: store.locate(name), reason: text === undefined ? reasonOf(error) : UNKNOWN_FORM });
      return [];
    });
    const [first] = unreadable;
    if (first !== undefined) {
      warn(
        coded(
          "CDB4014",
          `Unreadable records in the creation journal: ${unreadable.length}, the first is ${first.record} (${first.reason}). Each stops only the resource that it belongs to. \`${command("list")}\` lists them: make them readable, or discard them.`,
        ),
      );
    }
    const complete = listed.flatMap((item) =>
      isAddition(item.record) || item.record.id === undefined ? [] : [[item.record.id, item] as const],
    );
    return { byName: new Map(listed.map((item) => [item.name, item])), byId: new Map(complete) };
  }

  /** False if the default place cannot be written. */
  async function write(name: string, text: string, before?: string): Promise<boolean> {
    try {
      await store.put(name, text);
    } catch (error) {
      // The write may have landed.
      await restore(name, text, before);
      const failure = `The creation journal in ${place} cannot be written: ${reasonOf(error)}.`;
      if (configured !== undefined)
        throw new UserError(
          coded("CDB4014", `${failure} Nothing was created or added. Make it writable, or change ${setting}.`),
        );
      if (!hasWarned)
        warn(
          coded(
            "CDB4014",
            `${failure} A crash may lose what is created meanwhile. Make it writable, or set ${setting} to another place, or to off.`,
          ),
        );
      hasWarned = true;
      return false;
    }
    own.set(name, text);
    (await listing)?.byName.delete(name);
    return true;
  }

  /** Writes the text of before, or none. The next command finds a record that could not be restored. */
  async function restore(name: string, text: string, before?: string): Promise<void> {
    (await listing)?.byName.delete(name);
    const work = async () => {
      // Another process may have replaced the record.
      if ((await store.get(name)) !== text) return;
      await (before === undefined ? store.remove(name) : store.put(name, before));
    };
    await work()
      .catch(work)
      .catch(() => {});
  }

  return { store, own, nameOf, discardCommand, read, list, write, restore };
}

export const UNKNOWN_FORM = "damaged, or of a later release";

/** An argument as a POSIX shell reads it, and as PowerShell does. The path of a Windows drive needs no quotes. */
function quoted(text: string): string {
  return /^([\w./:-]+|[A-Za-z]:[\w.\\/-]+)$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The reason of a failure in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message: text } = error as NodeJS.ErrnoException;
  return code ?? toSingleLine(String(text), 200);
}
