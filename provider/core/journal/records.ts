import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Message } from "../../errors";
import type { Properties } from "../../fields";
import { shellArgument } from "../../names";
import { UserError } from "../object/user-error";
import {
  describeRisk,
  describeUnreadable,
  describeUnreadableJournal,
  describeUnwritable,
  reasonOf,
  unusableRecord,
} from "./messages";
import { type JournalRecord, parseRecord, type ResourceIdentity, recordName } from "./record";
import { type JournalStore, memoryStore } from "./stores";

export interface JournalOptions {
  /** Absent if the journal is off. Records then stay in this process. */
  readonly store: JournalStore | undefined;
  readonly isConfigured: boolean;
  readonly baseUrl: string;
  readonly keySecret: string;
  /** True for a default journal on a machine that may be temporary. */
  readonly isAtRisk: boolean;
  /** The provider's command, as users run it. */
  readonly command: string;
  readonly warn: (line: Message) => void;
}

export interface Entry {
  readonly name: string;
  readonly text: string;
  /** The command that discards the record. Absent for a record in this process. */
  readonly discardCommand: string | undefined;
  /** Replaces or restores the record; false if another record has its name. */
  readonly replace: (text: string) => Promise<boolean>;
  /**
   * Removes the record, unless another record has its name. After a failure, later commands remove
   * it.
   */
  readonly end: () => Promise<void>;
}

export interface ReadEntry extends Entry {
  readonly record: JournalRecord;
}

/** A store, and a record's name in it. */
interface Place {
  readonly holder: JournalStore;
  readonly name: string;
}

export type ListedRecord = Awaited<ReturnType<typeof listRecords>>[number];

/** All records in a store, including unreadable ones. */
export async function listRecords(store: JournalStore) {
  return (await store.entries()).map(({ name, text, error }) => {
    const record = text === undefined ? undefined : parseRecord(text);
    if (text !== undefined && record !== undefined) return { name, text, record };
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
  let listing: Promise<Map<string, ReadEntry>> | undefined;
  let hasWarned = false;

  function warnOnce(line: Message): void {
    if (!hasWarned) warn(line);
    hasWarned = true;
  }

  /** The identity in records. If the journal is off, the backend may be unknown. */
  const identityOf = (identity: ResourceIdentity): ResourceIdentity =>
    store === memory ? { urn: identity.urn, backend: "" } : identity;

  function nameFor(identity: ResourceIdentity, address = baseUrl): string {
    const { urn, backend } = identityOf(identity);
    // A path is a different backend on each machine.
    const machine = store.isShared && backend.startsWith("file:") ? hostname() : "";
    return recordName({ urn, backend }, address, machine);
  }

  /**
   * The place in this process, where the engine repeats a creation only with the same arguments.
   * The name does not show them.
   */
  function placeInProcess(resourceName: string, inputs?: Properties): Place {
    const hash = createHash("sha256").update(String(JSON.stringify(inputs)));
    return { holder: memory, name: `${resourceName} ${hash.digest("hex")}` };
  }

  /** The place of a resource's record: this process if that has one, or else the store. */
  async function placeOf(resourceName: string, inputs?: Properties): Promise<Place> {
    const here = placeInProcess(resourceName, inputs);
    const isHere = store === memory || (await memory.get(here.name)) !== undefined;
    return isHere ? here : { holder: store, name: resourceName };
  }

  const discardCommandFor = ({ holder, name }: Place) =>
    holder === memory ? undefined : `${command} creations discard ${name}${option}`;

  function entry(place: Place, text: string): Entry {
    const { holder, name } = place;
    return {
      name,
      text,
      discardCommand: discardCommandFor(place),
      async replace(next) {
        await noteChange(name, next);
        const work = async () => {
          const current = await holder.get(name);
          if (![undefined, text, next].includes(current)) return false;
          await holder.put(name, next);
          return true;
        };
        return work().catch(work);
      },
      async end() {
        await noteChange(name);
        const work = async () => {
          if ((await holder.get(name)) === text) await holder.remove(name);
        };
        await work()
          .catch(work)
          .catch(() => {});
      },
    };
  }

  const entryInStore = (name: string, text: string, record: JournalRecord): ReadEntry => ({
    ...entry({ holder: store, name }, text),
    record,
  });

  /** The record of a name, of these inputs in this process. Throws if it is unreadable. */
  async function read(resourceName: string, inputs?: Properties): Promise<ReadEntry | undefined> {
    const place = await placeOf(resourceName, inputs);
    const { holder, name } = place;
    const refuse = (error?: unknown): never => {
      throw unusableRecord(holder.locate(name), discardCommandFor(place), error);
    };
    const get = () => holder.get(name);
    // The first attempt may meet an idle connection that was lost silently.
    const text = await get().catch(get).catch(refuse);
    if (text === undefined) return undefined;
    return { ...entry(place, text), record: parseRecord(text) ?? refuse() };
  }

  /** The readable records by name. A failing store costs one attempt and one warning. */
  function list(): Promise<Map<string, ReadEntry>> {
    listing ??= listRecords(store).then(
      (records) => {
        const unreadable = records.filter((item) => item.record === undefined);
        if (unreadable.length > 0)
          warn(describeUnreadable(unreadable, `${command} creations list${option}`));
        return new Map(
          records
            .filter((item) => item.record !== undefined)
            .map(({ name, text, record }) => [name, entryInStore(name, text, record)]),
        );
      },
      (error: unknown) => {
        warn(describeUnreadableJournal(store.place, error));
        return new Map();
      },
    );
    return listing;
  }

  /** Updates the list, if already read, after a record was written or removed. */
  async function noteChange(name: string, text = ""): Promise<void> {
    const listed = await listing;
    const record = parseRecord(text);
    if (!listed?.delete(name) || record === undefined) return;
    listed.set(name, entryInStore(name, text, record));
  }

  /** Stores a new record; undefined if a record has this name. */
  async function create(
    resourceName: string,
    text: string,
    inputs: Properties,
  ): Promise<Entry | undefined> {
    await noteChange(resourceName);
    let place = await placeOf(resourceName, inputs);
    const isNew = await place.holder.create(place.name, text).catch(async (error: unknown) => {
      // The write may have landed.
      await entry(place, text).end();
      const failure = describeUnwritable(store.place, isConfigured, error);
      if (isConfigured) throw new UserError(failure);
      warnOnce(failure);
      place = placeInProcess(resourceName, inputs);
      return place.holder.create(place.name, text);
    });
    if (isAtRisk) warnOnce(describeRisk(store.place));
    if (!isNew) {
      const current = (await read(resourceName, inputs))?.text;
      // A retry of this command's own request replaces a record that could not be removed.
      if (current === undefined || ![text, own.get(place.name)].includes(current)) return undefined;
      await place.holder.put(place.name, text);
    }
    own.set(place.name, text);
    return entry(place, text);
  }

  /** Removes records of this process, since the engine has the result. */
  async function forget(identity: ResourceIdentity): Promise<void> {
    // After a creation, the backend is known.
    if (own.size === 0) return;
    const resourceName = nameFor(identity);
    for (const name of own.keys()) if (name.startsWith(resourceName)) await memory.remove(name);
  }

  return { own, identityOf, nameFor, read, list, create, forget };
}
