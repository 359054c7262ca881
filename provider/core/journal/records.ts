import { hostname } from "node:os";
import { toSingleLine } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import { settingName, shellArgument } from "../../names";
import { UserError } from "../object/user-error";
import type { JournalStore } from "./place";
import { type JournalRecord, parseRecord, type ResourceIdentity, recordName } from "./record";

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

const SETTING = settingName("journal");
const problem = (text: string) => coded("CDB4014", text);

/**
 * The readable records by name, read once for all diffs: a place that fails costs one attempt and
 * one line.
 */
function lazyList({ store, warn }: JournalOptions, listCommand: string) {
  let listing: Promise<Map<string, ReadRecord>> | undefined;

  function readable(listed: readonly (ReadRecord | UnreadableRecord)[]): Map<string, ReadRecord> {
    const [first, ...others] = listed.filter((item) => item.record === undefined);
    if (first !== undefined) {
      const count = `Unreadable records in the creation journal: ${1 + others.length}`;
      const records = `${count}, the first is ${first.path} (${first.problem}).`;
      const effect = "Each stops only the resource that it belongs to.";
      warn(
        problem(
          `${records} ${effect} \`${listCommand}\` lists them: make them readable, or discard them.`,
        ),
      );
    }
    return new Map(
      listed.flatMap((item) => (item.record === undefined ? [] : [[item.name, item]])),
    );
  }

  function unreadable(error: unknown): Map<string, ReadRecord> {
    const failure = `The creation journal in ${store?.place} cannot be read: ${reasonOf(error)}.`;
    const effect = "This command leaves its records unchanged, and knows none of them.";
    warn(problem(`${failure} ${effect} Make it readable, or change ${SETTING}.`));
    return new Map();
  }

  return {
    list(): Promise<Map<string, ReadRecord>> {
      if (store === undefined) return Promise.resolve(new Map());
      listing ??= listRecords(store).then(readable, unreadable);
      return listing;
    },
    /** Records a change in a list that has been read. */
    async update(name: string, record?: ReadRecord): Promise<void> {
      const listed = await listing;
      if (record === undefined) listed?.delete(name);
      else if (listed?.has(name)) listed.set(name, record);
    },
  };
}

/** Warns once that a crash may lose records. Fails instead if the user has configured the place. */
function riskWarnings({ store, isConfigured, isAtRisk, warn }: JournalOptions) {
  const { place } = store ?? {};
  let hasWarned = false;

  function warnOnce(text: string): void {
    if (!hasWarned) warn(problem(text));
    hasWarned = true;
  }

  return {
    afterWrite(): void {
      const loss = "a creation that is canceled may then be repeated as a second one";
      const risk = `The creation journal is in ${place}, which a CI runner or a pod loses with its machine: ${loss}.`;
      if (isAtRisk)
        warnOnce(
          `${risk} Set ${SETTING} to a folder that is kept across runs, or to a Redis server.`,
        );
    },
    afterFailure(error: unknown): void {
      const failure = `The creation journal in ${place} cannot be written: ${reasonOf(error)}.`;
      if (isConfigured) {
        throw new UserError(
          problem(`${failure} Nothing was created. Make it writable, or change ${SETTING}.`),
        );
      }
      const remedy = `Make it writable, or set ${SETTING} to another place, or to off.`;
      warnOnce(`${failure} A crash may lose what is created meanwhile. ${remedy}`);
    },
  };
}

function nameIn(
  store: JournalStore | undefined,
  identity: ResourceIdentity,
  address: string,
): string {
  // Without a journal, the backend need not be known.
  if (store === undefined) return identity.urn;
  // A path names another backend on each machine.
  const machine = store.isShared && identity.backend.startsWith("file:") ? hostname() : "";
  return recordName(identity, address, machine);
}

const UNREACHABLE =
  "An earlier command may have created the resource, so nothing was sent. Make the journal reachable, and the record readable.";
const DAMAGED =
  "the record of this resource: it is damaged or of a later release. Nothing was created. Update the provider.";

/** The error of a creation whose record cannot be read or used. */
function unusable(text: string, discardCommand: string | undefined): UserError {
  const hint = `If you know that there is nothing of the resource on the server, run \`${discardCommand}\`.`;
  return new UserError(problem(`The creation journal cannot ${text} ${hint}`));
}

/** Reads and writes the records of one place; warns of records that it cannot use. */
export function createRecords(options: JournalOptions) {
  const { store, isConfigured, baseUrl, command } = options;
  const option = isConfigured ? ` --journal ${shellArgument(store?.argument ?? "")}` : "";
  /** The command that discards a record, unless only this process has it. */
  const discardCommand = (name: string) =>
    inProcess.has(name) ? undefined : `${command} creations discard ${name}${option}`;
  const { list, update } = lazyList(options, `${command} creations list${option}`);
  /** Texts that this process has written, by record name. */
  const own = new Map<string, string>();
  /**
   * Records of this process without a place: the engine may repeat a creation within one command.
   */
  const inProcess = new Map<string, string>();
  const warnings = riskWarnings(options);
  const nameFor = (identity: ResourceIdentity, address = baseUrl) =>
    nameIn(store, identity, address);
  const get = async (name: string) => inProcess.get(name) ?? store?.get(name);

  async function read(name: string): Promise<ReadRecord | undefined> {
    const path = store?.locate(name);
    const text = await get(name).catch((error) => {
      throw unusable(`read ${path}: ${reasonOf(error)}. ${UNREACHABLE}`, discardCommand(name));
    });
    if (text === undefined) return undefined;
    const record = parseRecord(text);
    if (record !== undefined) return { name, text, record };
    throw unusable(`use ${path}, ${DAMAGED}`, discardCommand(name));
  }

  /** Stores a new record; false if the name is taken. */
  async function create(name: string, text: string): Promise<boolean> {
    await update(name);
    if (!(await createOrRemember(name, text))) {
      const current = (await read(name))?.text;
      // A retry of this command's own request replaces a record that could not be removed.
      const isOwn = current !== undefined && [text, own.get(name)].includes(current);
      if (!isOwn) return false;
      await store?.put(name, text);
    }
    own.set(name, text);
    return true;
  }

  /**
   * Stores a record, or remembers it if the default place cannot be written; false if the name is
   * taken.
   */
  async function createOrRemember(name: string, text: string): Promise<boolean> {
    if (store !== undefined) {
      try {
        const isNew = await store.create(name, text);
        warnings.afterWrite();
        return isNew;
      } catch (error) {
        // The write may have landed.
        await remove(name, text);
        warnings.afterFailure(error);
      }
    }
    inProcess.set(name, text);
    return true;
  }

  /** Replaces a record, even if it was removed meanwhile; false if another record has its name. */
  async function replace(name: string, before: string, text: string): Promise<boolean> {
    const work = async () => {
      if (store === undefined || inProcess.has(name)) return Boolean(inProcess.set(name, text));
      const current = await store.get(name);
      if (current !== undefined && current !== before && current !== text) return false;
      await store.put(name, text);
      return true;
    };
    const record = parseRecord(text);
    if (record !== undefined) await update(name, { name, text, record });
    return work().catch(work);
  }

  /** Removes a record. If that fails, the next command finds the record. */
  async function remove(name: string, text: string): Promise<void> {
    await update(name);
    const work = async () => {
      // Another process may have replaced the record.
      if ((await get(name)) !== text) return;
      if (!inProcess.delete(name)) await store?.remove(name);
    };
    await work()
      .catch(work)
      .catch(() => {});
  }

  /** Forgets a record that only this process has: the engine has the result. */
  function forget(identity: ResourceIdentity): void {
    // With such a record, the backend is known.
    if (inProcess.size > 0) inProcess.delete(nameFor(identity));
  }

  return { own, nameFor, discardCommand, read, list, create, replace, remove, forget };
}

/** The reason of a failure in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message: text } = error as NodeJS.ErrnoException;
  return code ?? toSingleLine(String(text), 200);
}
