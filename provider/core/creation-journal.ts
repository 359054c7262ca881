import { randomUUID } from "node:crypto";
import { coded } from "../errors";
import type { Properties } from "../fields";
import {
  type AdditionRecord,
  type CreationRecord,
  isAddition,
  isSameStack,
  type JournalRecord,
  type ResourceIdentity,
  type Secrets,
  seal,
  unseal,
} from "./journal-record";
import { createRecords, type JournalOptions, type ListedRecord, reasonOf } from "./journal-records";
import { UserError } from "./user-error";

export type { ResourceIdentity };

/** The facts about a creation that are known before its request. */
export interface CreationFacts extends Pick<CreationRecord, "organizationId" | "title" | "name"> {
  readonly inputs: Properties;
}

/** The facts about entries that are about to be added: `inputs` holds them. */
export interface AdditionFacts extends CreationFacts, Pick<AdditionRecord, "target"> {}

/** A record of an earlier command, and the command that removes it. */
export interface Unresolved<Kind extends JournalRecord = CreationRecord> {
  readonly record: Kind;
  readonly discardCommand: string;
}

/** The work of an earlier command. Its secrets are absent where only another API key can read them. */
interface Earlier<Kind extends JournalRecord> extends Unresolved<Kind>, Partial<Secrets> {
  /** Removes the record, unless another process has written a new one. */
  readonly end: () => Promise<void>;
}

export interface EarlierCreation extends Earlier<CreationRecord> {
  /** The creations that earlier commands began for other resources of the stack. */
  readonly findOthers: () => Promise<readonly Unresolved[]>;
}
export type EarlierAddition = Earlier<AdditionRecord>;

/** Work whose record is in the journal. */
interface Recorded {
  /** Nothing was created or added. */
  readonly end: () => Promise<void>;
}

export interface RecordedCreation extends Recorded {
  readonly discardCommand: string;
  /** After the response, before anything else. */
  readonly complete: (id: string, password: string | undefined) => Promise<void>;
}

export interface RecordedAddition extends Recorded {
  /** Stands in the state that has the entries. */
  readonly token: string;
}

/** The creations and additions of one API key that the stack may not have yet. */
export type CreationJournal = ReturnType<typeof createJournal>;

export function createJournal(options: JournalOptions) {
  const { store, baseUrl, keySecret, place, warn } = options;
  const { own, nameOf, discardCommand, read, list, write, restore } = createRecords(options);
  /** Ids and tokens whose password or entries this command has read from records. No stored state may have them yet. */
  const recovered = new Set<string>();
  let hasFoundOthers = false;

  /** The work of an earlier command, if its record is of this kind. */
  function earlier<Kind extends JournalRecord>(
    listed: ListedRecord | undefined,
    isKind: (record: JournalRecord) => record is Kind,
  ): Earlier<Kind> | undefined {
    if (listed === undefined || !isKind(listed.record)) return undefined;
    const { name, text, record } = listed;
    const end = () => restore(name, text);
    return { ...unseal(record, keySecret), record, discardCommand: discardCommand(name), end };
  }

  /** Records work before its request; undefined if the default place cannot be written. */
  async function record(identity: ResourceIdentity, { inputs, ...facts }: CreationFacts, more = {}, before?: string) {
    const { backend, urn } = identity;
    const name = nameOf(identity);
    const [sentAt, secrets] = [new Date().toISOString(), seal({ inputs }, keySecret)];
    const written = { version: 1, backend, urn, baseUrl, ...facts, sentAt, process: process.pid, secrets, ...more };
    const text = JSON.stringify(written);
    if (!(await write(name, text, before))) return undefined;
    return { name, written, text, end: () => restore(name, text, before) };
  }

  /** Found once per command: one refusal that names them is enough. */
  async function findOthers(identity: ResourceIdentity): Promise<Unresolved[]> {
    if (hasFoundOthers) return [];
    hasFoundOthers = true;
    const { byName } = await list();
    const others = [...byName.values()].flatMap(({ name, record }): Unresolved[] => {
      const isOwn = own.has(name) || name === nameOf(identity);
      if (isAddition(record) || isOwn || !isSameStack(record, identity)) return [];
      // The name tells whether a path is one of this machine.
      return nameOf(record, record.baseUrl) === name ? [{ record, discardCommand: discardCommand(name) }] : [];
    });
    return others.sort((one, other) => one.record.sentAt.localeCompare(other.record.sentAt));
  }

  return {
    /** The objects of earlier commands that this one has taken, by id. */
    taken: new Set<string>(),
    recovered,
    /** The creation that an earlier command began for this resource. Throws if its record is unreadable. */
    async find(identity: ResourceIdentity): Promise<EarlierCreation | undefined> {
      const creation = earlier(await read(nameOf(identity)), isCreation);
      return creation && { ...creation, findOthers: () => findOthers(identity) };
    },
    /** Before the request. Without a record if the default place cannot be written; throws if a place was configured. */
    async begin(identity: ResourceIdentity, facts: CreationFacts): Promise<RecordedCreation | undefined> {
      const { title, inputs } = facts;
      const before = await read(nameOf(identity));
      // Only a retry of this command's own request replaces a record.
      if (before !== undefined && before.text !== own.get(before.name)) {
        throw new UserError(
          coded(
            "CDB4012",
            `Creating ${title} ${JSON.stringify(facts.name)}: another command began to create it at ${before.record.sentAt}. Nothing was sent. Wait until that command ends, then run \`pulumi up\` again.`,
          ),
        );
      }
      const recorded = await record(identity, facts);
      if (recorded === undefined) return undefined;
      const { name, text, written, end } = recorded;
      const command = discardCommand(name);

      async function complete(id: string, password: string | undefined): Promise<void> {
        const whole = JSON.stringify({ ...written, id, secrets: seal({ inputs, password }, keySecret) });
        const put = async () => {
          const current = await store.get(name);
          // A record that was discarded while the request was in flight is written again.
          if (current === undefined || current === text) await store.put(name, whole);
        };
        await put()
          .catch(put)
          .catch((error) => {
            const failure = `The creation journal in ${place} could not store that ${title} ${id} was created: ${reasonOf(error)}.`;
            const effect = `The stack has it unless this command ends early; once it has, run \`${command}\`.`;
            warn(coded("CDB4014", `${failure} ${effect}`));
          });
      }
      return { discardCommand: command, complete, end };
    },
    /** The stack has the object, with its password or without. */
    async confirm(id: string, hasPassword: boolean): Promise<void> {
      const creation = earlier((await list()).byId.get(id), isCreation);
      if (creation === undefined || recovered.has(id)) return;
      // A password that the stack lacks is kept, also one that only another API key can read.
      const holdsNone = creation.inputs !== undefined && creation.password === undefined;
      if (hasPassword || holdsNone) await creation.end();
    },
    /** The password of an object whose creation the stack did not store. */
    async passwordOf(id: string): Promise<string | undefined> {
      const password = earlier((await list()).byId.get(id), isCreation)?.password;
      if (password !== undefined) recovered.add(id);
      return password;
    },
    /** The entries that an earlier command was about to add for this resource. Throws if their record is unreadable. */
    async findAddition(identity: ResourceIdentity): Promise<EarlierAddition | undefined> {
      return earlier(await read(nameOf(identity)), isAddition);
    },
    /** `findAddition` for resources in the stack: one reading for all of them, which skips unreadable records. */
    async findStoredAddition(identity: ResourceIdentity): Promise<EarlierAddition | undefined> {
      const { byName } = await list();
      // Only with a record must the backend be known.
      const mayBeKnown = [...byName.values()].some(({ record }) => isAddition(record) && record.urn === identity.urn);
      return mayBeKnown ? earlier(byName.get(nameOf(identity)), isAddition) : undefined;
    },
    /** Before the request that adds entries. Fails like `begin`. */
    async beginAddition(identity: ResourceIdentity, facts: AdditionFacts): Promise<RecordedAddition | undefined> {
      const token = randomUUID();
      const before = await read(nameOf(identity));
      const recorded = await record(identity, facts, { token }, before?.text);
      return recorded && { token, end: recorded.end };
    },
  };
}

function isCreation(record: JournalRecord): record is CreationRecord {
  return !isAddition(record);
}
