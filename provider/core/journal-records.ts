import { hostname } from "node:os";
import { toSingleLine } from "pulumi-clouddb-facts";
import { coded, type Message } from "../errors";
import { settingName, shellArgument } from "../names";
import type { JournalStore } from "./journal-place";
import { type JournalRecord, parseRecord, type ResourceIdentity, recordName } from "./journal-record";
import { UserError } from "./user-error";

export interface JournalOptions {
  readonly store: JournalStore;
  /** True if the setting names the place. */
  readonly isConfigured: boolean;
  readonly baseUrl: string;
  readonly keySecret: string;
  readonly warn: (line: Message) => void;
}

/** A readable record. */
export interface ReadRecord {
  readonly name: string;
  readonly text: string;
  readonly record: JournalRecord;
}

export interface UnreadableRecord {
  readonly name: string;
  readonly record?: undefined;
  /** Its place, as messages name it. */
  readonly path: string;
  readonly problem: string;
}

/** The records in a place, readable or not. */
export async function listRecords(store: JournalStore): Promise<(ReadRecord | UnreadableRecord)[]> {
  return (await store.entries()).map(({ name, text, error }) => {
    const record = text === undefined ? undefined : parseRecord(text);
    if (text !== undefined && record !== undefined) return { name, text, record };
    const problem = text === undefined ? reasonOf(error) : "damaged, or of a later release";
    return { name, path: store.locate(name), problem };
  });
}

/** The records of a place, with messages about those that cannot be read or written. */
export function createRecords({ store, isConfigured, baseUrl, warn }: JournalOptions) {
  const { place } = store;
  const command = (action: string) =>
    `npx --no-install clouddb-creations ${action}${isConfigured ? ` --journal ${shellArgument(store.argument)}` : ""}`;
  const discardCommand = (name: string) => command(`discard ${name}`);
  const setting = settingName("journal");
  const problem = (text: string) => coded("CDB4014", text);
  /** Texts that this process has written, by record name. */
  const own = new Map<string, string>();
  let hasWarned = false;
  let listing: Promise<Map<string, ReadRecord>> | undefined;

  function nameFor(identity: ResourceIdentity, address = baseUrl): string {
    // A path names another backend on each machine.
    const machine = store.isShared && identity.backend.startsWith("file:") ? hostname() : "";
    return recordName(identity, address, machine);
  }

  /** The current record. */
  async function read(name: string): Promise<ReadRecord | undefined> {
    const refusal = (text: string) => {
      const hint = `If you know that there is nothing of the resource on the server, run \`${discardCommand(name)}\`.`;
      return new UserError(problem(`The creation journal cannot ${text} ${hint}`));
    };
    const text = await store.get(name).catch((error) => {
      throw refusal(
        `read ${store.locate(name)}: ${reasonOf(error)}. An earlier command may have created the resource, so nothing was sent. Make the journal reachable, and the record readable.`,
      );
    });
    if (text === undefined) return undefined;
    const record = parseRecord(text);
    if (record !== undefined) return { name, text, record };
    throw refusal(
      `use ${store.locate(name)}, the record of this resource: it is damaged or of a later release. Nothing was created. Update the provider.`,
    );
  }

  /**
   * The readable records by name. Read once for all diffs: a place that fails costs one attempt and one line.
   */
  function list(): Promise<Map<string, ReadRecord>> {
    listing ??= listRecords(store).then(readable, (error: unknown) => {
      const failure = `The creation journal in ${place} cannot be read: ${reasonOf(error)}.`;
      const effect = "This command leaves its records unchanged, and knows none of them.";
      warn(problem(`${failure} ${effect} Make it readable, or change ${setting}.`));
      return new Map();
    });
    return listing;
  }

  function readable(listed: readonly (ReadRecord | UnreadableRecord)[]): Map<string, ReadRecord> {
    const [first, ...others] = listed.filter((item) => item.record === undefined);
    if (first !== undefined) {
      const count = `Unreadable records in the creation journal: ${1 + others.length}`;
      const records = `${count}, the first is ${first.path} (${first.problem}).`;
      const effect = "Each stops only the resource that it belongs to.";
      warn(problem(`${records} ${effect} \`${command("list")}\` lists them: make them readable, or discard them.`));
    }
    return new Map(listed.flatMap((item) => (item.record === undefined ? [] : [[item.name, item]])));
  }

  /** False if the default place cannot be written. */
  async function write(name: string, text: string): Promise<boolean> {
    try {
      await store.put(name, text);
    } catch (error) {
      // The write may have landed.
      await remove(name, text);
      const failure = `The creation journal in ${place} cannot be written: ${reasonOf(error)}.`;
      if (isConfigured) {
        throw new UserError(problem(`${failure} Nothing was created. Make it writable, or change ${setting}.`));
      }
      const remedy = `Make it writable, or set ${setting} to another place, or to off.`;
      if (!hasWarned) warn(problem(`${failure} A crash may lose what is created meanwhile. ${remedy}`));
      hasWarned = true;
      return false;
    }
    own.set(name, text);
    (await listing)?.delete(name);
    return true;
  }

  /** Removes a record. The next command finds one that could not be removed. */
  async function remove(name: string, text: string): Promise<void> {
    (await listing)?.delete(name);
    const work = async () => {
      // Another process may have replaced the record.
      if ((await store.get(name)) === text) await store.remove(name);
    };
    await work()
      .catch(work)
      .catch(() => {});
  }

  return { own, nameFor, discardCommand, read, list, write, remove };
}

/** The reason of a failure in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message: text } = error as NodeJS.ErrnoException;
  return code ?? toSingleLine(String(text), 200);
}
