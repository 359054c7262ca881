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

/**
 * A record of an earlier attempt, and the command that removes it; no command can remove a record
 * in this process.
 */
export interface Unresolved {
  readonly record: JournalRecord;
  readonly discardCommand: string | undefined;
}

/** The work of an earlier attempt. Its secrets are absent if only another API key can read them. */
export interface Earlier extends Unresolved, Partial<Secrets> {
  /**
   * This stack's backend, if the record has its address alone: the record may belong to another
   * stack.
   */
  readonly ambiguousBackend?: string;
  /** Notes the id of the object, and that the engine of this command gets its password. */
  readonly give: (id: string) => Promise<void>;
  /** The creations that earlier commands began for other resources of the stack. */
  readonly findOthers: () => Promise<readonly Unresolved[]>;
}

/** Work of this command. Its record is in the journal or, without a journal, in this process. */
export interface Recorded extends Pick<Entry, "discardCommand" | "end"> {
  /** Stores the response of a creation, before anything else. */
  readonly complete: (
    id: string | undefined,
    password: PasswordOutputs | undefined,
  ) => Promise<void>;
}

/** The creations of one API key that the stack may not have yet. */
export type CreationJournal = ReturnType<typeof createJournal>;

interface Options extends JournalOptions {
  /** The engine of this command, which may start several plugin processes. */
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

  /** Without the note, the record ends earlier, or a new resource takes its object. */
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
   * The stack's other unresolved creations, only at the first call: one refusal that names them is
   * enough.
   */
  async function findOthers(identity: ResourceIdentity): Promise<Unresolved[]> {
    if (hasFoundOthers) return [];
    hasFoundOthers = true;
    const isOther = ({ name, record }: ReadEntry) =>
      !own.has(name) &&
      name !== nameFor(identity) &&
      isSameStack(record, identity) &&
      // The name tells whether a path is one of this machine.
      name === nameFor(record, record.baseUrl);
    return [...(await list()).values()]
      .filter(isOther)
      .sort((one, other) => one.record.sentAt.localeCompare(other.record.sentAt));
  }

  return {
    /** The canonical ids of the objects of earlier commands that this command has taken. */
    taken: new Set<string>(),
    forget,
    /**
     * The work of an earlier attempt for this resource. An attempt of this process counts only with
     * the same arguments. Throws if the record is unreadable.
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
    /** Ends the record of an object that the stack has, unless the password would be lost. */
    async confirm(id: string, hasPassword: boolean, urn = ""): Promise<void> {
      const entry = await findById(id);
      if (entry === undefined) return;
      const secrets = secretsOf(entry.record);
      // A record keeps a password that no state holds yet, even if only another API key can read
      // it.
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
