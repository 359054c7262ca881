import { hostname } from "node:os";
import type { Message } from "../../errors";
import { shellArgument } from "../../names";
import {
  damagedRecord,
  describeRisk,
  describeUnreadable,
  describeUnreadableJournal,
  describeUnwritable,
  reasonOf,
  unreadableRecord,
  unwritableJournal,
} from "./messages";
import { type JournalRecord, parseRecord, type ResourceIdentity, recordName } from "./record";
import { type JournalStore, memoryStore } from "./stores";

export interface JournalOptions {
  /** Absent if the journal is off: then this process alone remembers its creations. */
  readonly store: JournalStore | undefined;
  /** True if the user has configured the place. */
  readonly isConfigured: boolean;
  readonly baseUrl: string;
  readonly keySecret: string;
  /** True if the journal is in its default folder, on a machine that may be thrown away. */
  readonly isAtRisk: boolean;
  /** The provider's own command, as a user runs it. */
  readonly command: string;
  readonly warn: (line: Message) => void;
}

/** A readable record, and the store that has it. */
export interface ReadRecord {
  readonly name: string;
  readonly text: string;
  readonly record: JournalRecord;
  readonly store: JournalStore;
}

export interface UnreadableRecord {
  readonly name: string;
  readonly record?: undefined;
  /** Its place, as messages name it. */
  readonly path: string;
  readonly problem: string;
}

/** The records in a store, readable or not. */
export async function listRecords(store: JournalStore): Promise<(ReadRecord | UnreadableRecord)[]> {
  return (await store.entries()).map(({ name, text, error }) => {
    const record = text === undefined ? undefined : parseRecord(text);
    if (text !== undefined && record !== undefined) return { name, text, record, store };
    const problem = text === undefined ? reasonOf(error) : "damaged, or of a later release";
    return { name, path: store.locate(name), problem };
  });
}

export type Records = ReturnType<typeof createRecords>;

/**
 * Reads and writes records in the journal's store, or in this process if the journal is off or its
 * default store cannot be written. A configured store must work.
 */
export function createRecords(options: JournalOptions) {
  const memory = memoryStore();
  const { store = memory, isConfigured, isAtRisk, baseUrl, command, warn } = options;
  const option = isConfigured ? ` --journal ${shellArgument(store.argument)}` : "";
  /** Texts that this process has written, by record name. */
  const own = new Map<string, string>();
  /** The readable records by name, read once for all diffs. */
  let listing: Promise<Map<string, ReadRecord>> | undefined;
  let hasWarned = false;

  function warnOnce(line: Message): void {
    if (!hasWarned) warn(line);
    hasWarned = true;
  }

  /** The identity that records have. If the journal is off, the backend need not be known. */
  const identityOf = (identity: ResourceIdentity): ResourceIdentity =>
    store === memory ? { urn: identity.urn, backend: "" } : identity;

  function nameFor(identity: ResourceIdentity, address = baseUrl): string {
    const { urn, backend } = identityOf(identity);
    // A path names another backend on each machine.
    const machine = store.isShared && backend.startsWith("file:") ? hostname() : "";
    return recordName({ urn, backend }, address, machine);
  }

  /** The command that discards a record, unless only this process has it. */
  const discardCommand = (name: string, holder: JournalStore) =>
    holder === memory ? undefined : `${command} creations discard ${name}${option}`;

  /** The store that has a record, or would have it. */
  const holderOf = async (name: string) =>
    (await memory.get(name)) === undefined ? store : memory;

  async function read(name: string): Promise<ReadRecord | undefined> {
    const holder = await holderOf(name);
    const [path, discard] = [holder.locate(name), discardCommand(name, holder)];
    const text = await holder.get(name).catch((error) => {
      throw unreadableRecord(path, error, discard);
    });
    if (text === undefined) return undefined;
    const record = parseRecord(text);
    if (record === undefined) throw damagedRecord(path, discard);
    return { name, text, record, store: holder };
  }

  /** The readable records by name. A store that fails costs one attempt and one warning. */
  function list(): Promise<Map<string, ReadRecord>> {
    listing ??= listRecords(store).then(
      (records) => {
        const unreadable = records.filter((item) => item.record === undefined);
        if (unreadable.length > 0)
          warn(describeUnreadable(unreadable, `${command} creations list${option}`));
        const readable = records.filter((item) => item.record !== undefined);
        return new Map(readable.map((item) => [item.name, item]));
      },
      (error: unknown) => {
        warn(describeUnreadableJournal(store.place, error));
        return new Map();
      },
    );
    return listing;
  }

  /** Notes a new text, or the end of a record, in the list, if that has been read. */
  async function noteChange(name: string, text?: string): Promise<void> {
    const listed = await listing;
    const [known, record] = [listed?.get(name), text && parseRecord(text)];
    if (known && text && record) listed?.set(name, { ...known, text, record });
    else listed?.delete(name);
  }

  /** Stores a new record. Returns the store that has it; undefined if the name is taken. */
  async function create(name: string, text: string): Promise<JournalStore | undefined> {
    await noteChange(name);
    const isNew = await store.create(name, text).catch(async (error: unknown) => {
      // The write may have landed.
      await remove(name, text);
      if (isConfigured) throw unwritableJournal(store.place, error);
      warnOnce(describeUnwritable(store.place, error));
      return memory.create(name, text);
    });
    if (isAtRisk) warnOnce(describeRisk(store.place));
    if (!isNew) {
      const current = (await read(name))?.text;
      // A retry of this command's own request replaces a record that could not be removed.
      if (current === undefined || ![text, own.get(name)].includes(current)) return undefined;
      await store.put(name, text);
    }
    own.set(name, text);
    return holderOf(name);
  }

  /** Replaces a record, even if it was removed meanwhile; false if another record has its name. */
  async function replace(name: string, before: string, text: string): Promise<boolean> {
    await noteChange(name, text);
    const holder = await holderOf(name);
    const work = async () => {
      const current = await holder.get(name);
      if (current !== undefined && current !== before && current !== text) return false;
      await holder.put(name, text);
      return true;
    };
    return work().catch(work);
  }

  /** Removes a record. If that fails, the next command finds the record. */
  async function remove(name: string, text: string): Promise<void> {
    await noteChange(name);
    const holder = await holderOf(name);
    const work = async () => {
      // Another process may have replaced the record.
      if ((await holder.get(name)) === text) await holder.remove(name);
    };
    await work()
      .catch(work)
      .catch(() => {});
  }

  /** Forgets a record that only this process has: the engine has the result. */
  async function forget(identity: ResourceIdentity): Promise<void> {
    // After a creation, the backend is known.
    if (own.size > 0) await memory.remove(nameFor(identity));
  }

  return {
    own,
    identityOf,
    nameFor,
    discardCommand,
    read,
    list,
    create,
    replace,
    remove,
    forget,
  };
}
