import { canonicalId } from "pulumi-clouddb-facts";
import type { Properties } from "../../fields";
import { type PasswordOutputs, passwordIn } from "../object/encrypted-password";
import { concurrentCreation, describeKeptApart, describeUnrecorded } from "./messages";
import {
  isSameStack,
  type JournalRecord,
  type ResourceIdentity,
  type Secrets,
  seal,
  unseal,
} from "./record";
import {
  createRecords,
  type Entry,
  type JournalOptions,
  type ReadEntry,
  type Records,
} from "./records";

interface JournalFacts
  extends Pick<JournalRecord, "organizationId" | "title" | "name">,
    Pick<Secrets, "inputs"> {}

/** A record of an earlier attempt. No command can remove a record that only this process has. */
export interface Unresolved {
  readonly record: JournalRecord;
  readonly discardCommand: string | undefined;
}

/**
 * A creation that an earlier attempt began. Its secrets are absent if another API key sealed them.
 */
export interface Earlier extends Unresolved, Partial<Secrets> {
  /**
   * This stack's backend, if the record names only the backend's address and is therefore
   * ambiguous.
   */
  readonly ambiguousBackend?: string;
  /** Records that the object has this id and that this command's engine gets the password. */
  readonly give: (id: string) => Promise<void>;
  /** The stack's other unresolved creations. */
  readonly findOthers: () => Promise<readonly Unresolved[]>;
}

/** A creation of this command, recorded in the journal or, without a journal, in this process. */
export interface Recorded extends Pick<Entry, "discardCommand" | "end"> {
  /** Records the response of the creation, before anything else happens. */
  readonly complete: (
    id: string | undefined,
    password: PasswordOutputs | undefined,
  ) => Promise<void>;
}

/** The creations of one API key that the stack may not have yet. */
export type CreationJournal = ReturnType<typeof createJournal>;

interface Options extends JournalOptions {
  /** The engine of this command. It may start several plugin processes. */
  readonly engine: string;
}

export function createJournal(options: Options) {
  const { keySecret, engine } = options;
  const records = createRecords(options);
  const { own, identityOf, nameFor, read, list, forget } = records;
  let hasFoundOthers = false;

  function secretsOf(record: JournalRecord): Partial<Secrets> {
    const { encryptedPassword, passwordKeyFingerprint } = record;
    return {
      ...(encryptedPassword && { encryptedPassword, passwordKeyFingerprint }),
      ...unseal(record, keySecret),
    };
  }

  /**
   * Without these members, the record is removed too early, or a new resource adopts its object.
   */
  async function note({ record, replace }: ReadEntry, members: Partial<JournalRecord>) {
    await replace(JSON.stringify({ ...record, ...members })).catch(() => {});
  }

  const earlier = (entry: ReadEntry): Earlier => ({
    ...secretsOf(entry.record),
    record: entry.record,
    discardCommand: entry.discardCommand,
    give: (id) => note(entry, { id, givenTo: engine }),
    findOthers: () => findOthers(entry.record),
  });

  const findById = async (id: string) =>
    [...(await list()).values()].find(({ record }) => canonicalId(record.id) === canonicalId(id));

  /**
   * The stack's other unresolved creations, on the first call only: one refusal lists all of them.
   */
  async function findOthers(identity: ResourceIdentity): Promise<Unresolved[]> {
    if (hasFoundOthers) return [];
    hasFoundOthers = true;
    const isOther = ({ name, record }: ReadEntry) =>
      !own.has(name) &&
      name !== nameFor(identity) &&
      isSameStack(record, identity) &&
      // A record's name shows whether its path is one on this machine.
      name === nameFor(record, record.baseUrl);
    return [...(await list()).values()]
      .filter(isOther)
      .sort((one, other) => one.record.sentAt.localeCompare(other.record.sentAt));
  }

  return {
    /** The canonical ids of objects from earlier commands that this command has adopted. */
    taken: new Set<string>(),
    forget,
    /**
     * The creation that an earlier attempt began for this resource. An attempt of this process
     * counts only with the same arguments. Throws if the record is unreadable.
     */
    async find(identity: ResourceIdentity, inputs?: Properties): Promise<Earlier | undefined> {
      const current = await read(nameFor(identity), inputs);
      if (current !== undefined) return earlier(current);
      const { urn, backend, backendAddress } = identityOf(identity);
      if (backendAddress === undefined || backendAddress === backend) return undefined;
      const ambiguous = await read(nameFor({ urn, backend: backendAddress }));
      return ambiguous && { ...earlier(ambiguous), ambiguousBackend: backend };
    },
    begin: (identity: ResourceIdentity, facts: JournalFacts) =>
      begin(options, records, identity, facts),
    /** Removes the record of an object that is in the stack, unless the password would be lost. */
    async confirm(id: string, hasPassword: boolean, urn = ""): Promise<void> {
      const entry = await findById(id);
      if (entry === undefined) return;
      const secrets = secretsOf(entry.record);
      // A record stays while it has a password that no state holds, even if only another API key
      // can read the password.
      const holdsNone = secrets.inputs !== undefined && passwordIn(secrets) === undefined;
      const { givenTo, urn: former, storedAs = former } = entry.record;
      if (holdsNone || (hasPassword && givenTo !== engine)) await entry.end();
      else if (urn !== "" && urn !== storedAs) await note(entry, { storedAs: urn });
    },
    /** The password of an object whose creation the stack did not store. */
    async passwordOf(id: string): Promise<PasswordOutputs | undefined> {
      const entry = await findById(id);
      if (entry === undefined) return undefined;
      const password = passwordIn(secretsOf(entry.record));
      if (password !== undefined) await note(entry, { id, givenTo: engine });
      return password;
    },
  };
}

async function begin(
  { store, baseUrl, keySecret, warn }: Options,
  { identityOf, nameFor, read, create }: Records,
  identity: ResourceIdentity,
  { inputs, ...facts }: JournalFacts,
): Promise<Recorded> {
  const name = nameFor(identity);
  const { urn, backend } = identityOf(identity);
  const sentAt = new Date().toISOString();
  const record = {
    version: 1,
    backend,
    urn,
    baseUrl,
    ...facts,
    sentAt,
    process: process.pid,
    secrets: seal({ inputs }, keySecret),
  };
  const entry = await create(name, JSON.stringify(record), inputs);
  if (entry === undefined)
    throw concurrentCreation(facts, (await read(name, inputs))?.record.sentAt ?? sentAt);
  const { discardCommand, replace, end } = entry;

  return {
    discardCommand,
    end,
    async complete(id, { password, ...ciphertext } = {}) {
      const secrets = seal({ inputs, ...(password && { password }) }, keySecret);
      const whole = JSON.stringify({ ...record, id, ...ciphertext, secrets });
      const object = id === undefined ? `a ${facts.title}` : `${facts.title} ${id}`;
      try {
        if (await replace(whole)) return;
        // The record was discarded, and another command has begun the same creation.
        const apartName = nameFor({ backend, urn: `${urn}::${id ?? sentAt}` });
        const apart = await create(apartName, whole, inputs);
        warn(describeKeptApart(facts.name, object, apart?.discardCommand));
      } catch (error) {
        warn(describeUnrecorded(String(store?.place), object, error, discardCommand));
      }
    },
  };
}
