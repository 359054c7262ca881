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

/** A creation whose record is in the journal. */
export interface RecordedCreation {
  readonly discardCommand: string;
  /** After the response, before anything else. */
  readonly complete: (id: string, password: string | undefined) => Promise<void>;
  /** Nothing was created. */
  readonly end: () => Promise<void>;
}

/** Entries whose record is in the journal. */
export interface RecordedAddition {
  /** Stands in the state that has the entries. */
  readonly token: string;
  /** Nothing was added. */
  readonly end: () => Promise<void>;
}

/** The creations and additions of one API key that the stack may not have yet. */
export interface CreationJournal {
  /** The creation that an earlier command began for this resource. Throws if its record is unreadable. */
  readonly find: (identity: ResourceIdentity) => Promise<EarlierCreation | undefined>;
  /** Before the request. Without a record if the default place cannot be written; throws if a place was configured. */
  readonly begin: (identity: ResourceIdentity, facts: CreationFacts) => Promise<RecordedCreation | undefined>;
  /** The stack has the object, with its password or without. */
  readonly confirm: (id: string, hasPassword: boolean) => Promise<void>;
  /** The password of an object whose creation the stack did not store. */
  readonly passwordOf: (id: string) => Promise<string | undefined>;
  /** The objects of earlier commands that this one has taken, by id. */
  readonly taken: Set<string>;
  /** Ids and tokens whose password or entries this command has read from records. No stored state may have them yet. */
  readonly recovered: Set<string>;
  /** The entries that an earlier command was about to add for this resource. Throws if their record is unreadable. */
  readonly findAddition: (identity: ResourceIdentity) => Promise<EarlierAddition | undefined>;
  /** `findAddition` for resources in the stack: one reading for all of them, which skips unreadable records. */
  readonly findStoredAddition: (identity: ResourceIdentity) => Promise<EarlierAddition | undefined>;
  /** Before the request that adds entries. Fails like `begin`. */
  readonly beginAddition: (identity: ResourceIdentity, facts: AdditionFacts) => Promise<RecordedAddition | undefined>;
}

export function createJournal(options: JournalOptions): CreationJournal {
  const { baseUrl, keySecret, place, warn } = options;
  const { store, own, nameOf, discardCommand, read, list, write, restore } = createRecords(options);

  const earlier = <Kind extends JournalRecord>(name: string, text: string, record: Kind): Earlier<Kind> => ({
    ...unseal(record, keySecret),
    record,
    discardCommand: discardCommand(name),
    end: () => restore(name, text),
  });
  const additionIn = (listed: ListedRecord | undefined) =>
    listed !== undefined && isAddition(listed.record) ? earlier(listed.name, listed.text, listed.record) : undefined;

  const recordOf = (identity: ResourceIdentity, { inputs, ...facts }: CreationFacts) => {
    const { backend, urn } = identity;
    const [sentAt, secrets] = [new Date().toISOString(), seal({ inputs }, keySecret)];
    return { version: 1, backend, urn, baseUrl, ...facts, sentAt, process: process.pid, secrets };
  };

  let hasFoundOthers = false;

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

  const recovered = new Set<string>();

  return {
    taken: new Set(),
    recovered,
    async find(identity) {
      const listed = await read(nameOf(identity));
      if (listed === undefined || isAddition(listed.record)) return undefined;
      return { ...earlier(listed.name, listed.text, listed.record), findOthers: () => findOthers(identity) };
    },
    async begin(identity, facts) {
      const name = nameOf(identity);
      const before = await read(name);
      // Only a retry of this command's own request replaces a record.
      if (before !== undefined && before.text !== own.get(name)) {
        const { sentAt: time } = before.record;
        const [type, quotedName] = [facts.title, JSON.stringify(facts.name)];
        throw new UserError(
          coded(
            "CDB4012",
            `Creating ${type} ${quotedName}: another command began to create it at ${time}. Nothing was sent. Wait until that command ends, then run \`pulumi up\` again.`,
          ),
        );
      }
      const record = recordOf(identity, facts);
      const text = JSON.stringify(record);
      if (!(await write(name, text))) return undefined;
      return {
        discardCommand: discardCommand(name),
        async complete(id, password) {
          const whole = JSON.stringify({ ...record, id, secrets: seal({ inputs: facts.inputs, password }, keySecret) });
          const put = async () => {
            const current = await store.get(name);
            // A record that was discarded while the request was in flight is written again.
            if (current === undefined || current === text) await store.put(name, whole);
          };
          await put()
            .catch(put)
            .catch((error) => {
              warn(
                coded(
                  "CDB4014",
                  `The creation journal in ${place} could not store that ${facts.title} ${id} was created: ${reasonOf(error)}. The stack has it unless this command ends early; once it has, run \`${discardCommand(name)}\`.`,
                ),
              );
            });
        },
        end: () => restore(name, text),
      };
    },
    async confirm(id, hasPassword) {
      const creation = (await list()).byId.get(id);
      if (creation === undefined || recovered.has(id)) return;
      const { inputs, password, end } = earlier(creation.name, creation.text, creation.record);
      // A password that the stack lacks is kept, also one that only another API key can read.
      if (hasPassword || (inputs !== undefined && password === undefined)) await end();
    },
    async passwordOf(id) {
      const creation = (await list()).byId.get(id);
      const password = creation && unseal(creation.record, keySecret)?.password;
      if (password !== undefined) recovered.add(id);
      return password;
    },
    findAddition: async (identity) => additionIn(await read(nameOf(identity))),
    async findStoredAddition(identity) {
      const { byName } = await list();
      // Only with a record must the backend be known.
      const mayBeKnown = [...byName.values()].some(({ record }) => isAddition(record) && record.urn === identity.urn);
      return mayBeKnown ? additionIn(byName.get(nameOf(identity))) : undefined;
    },
    async beginAddition(identity, facts) {
      const name = nameOf(identity);
      const before = await read(name);
      const token = randomUUID();
      const text = JSON.stringify({ ...recordOf(identity, facts), token });
      if (!(await write(name, text, before?.text))) return undefined;
      return { token, end: () => restore(name, text, before?.text) };
    },
  };
}
