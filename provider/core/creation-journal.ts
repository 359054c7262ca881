import { coded } from "../errors";
import { settingName } from "../names";
import { isSameStack, type JournalRecord, type ResourceIdentity, type Secrets, seal, unseal } from "./journal-record";
import { createRecords, type JournalOptions, type ReadRecord, reasonOf } from "./journal-records";
import { UserError } from "./user-error";

/** The facts about a creation that are known before its request. */
export interface JournalFacts
  extends Pick<JournalRecord, "organizationId" | "title" | "name">,
    Pick<Secrets, "inputs"> {}

/** A record of an earlier command, and the command that removes it. */
export interface Unresolved {
  readonly record: JournalRecord;
  readonly discardCommand: string;
}

/** The work of an earlier command. Its secrets are absent if only another API key can read them. */
export interface Earlier extends Unresolved, Partial<Secrets> {
  /** Removes the record, unless another process has written a new one. */
  readonly end: () => Promise<void>;
  /** The creations that earlier commands began for other resources of the stack. */
  readonly findOthers: () => Promise<readonly Unresolved[]>;
}

/** Work of this command, whose record is in the journal. */
export interface Recorded {
  readonly discardCommand: string;
  /** Ends the record: nothing was created. */
  readonly end: () => Promise<void>;
  /** Stores the response of a creation, before anything else. */
  readonly complete: (id: string, password: string | undefined) => Promise<void>;
}

/** Entries that an earlier release was about to add. */
interface Additions extends Pick<Secrets, "inputs"> {
  readonly end: () => Promise<void>;
}

/** The creations of one API key that the stack may not have yet. */
export type CreationJournal = ReturnType<typeof createJournal>;

interface Options extends JournalOptions {
  /** True if the journal is in its default folder, on a machine that may be thrown away. */
  readonly isAtRisk: boolean;
}

export function createJournal(options: Options) {
  const { store, baseUrl, keySecret, isAtRisk, warn } = options;
  const { own, nameFor, discardCommand, read, list, write, remove } = createRecords(options);
  /** Ids whose password this command has read from records, and which no stored state may have yet. */
  const recovered = new Set<string>();
  let hasFoundOthers = false;
  let hasWarned = false;

  /** The work of an earlier command. */
  function earlier(read: ReadRecord | undefined): Earlier | undefined {
    if (read === undefined) return undefined;
    const { name, text, record } = read;
    return {
      ...unseal(record, keySecret),
      record,
      discardCommand: discardCommand(name),
      end: () => remove(name, text),
      findOthers: () => findOthers(record),
    };
  }

  async function findById(id: string): Promise<Earlier | undefined> {
    return earlier([...(await list()).values()].find(({ record }) => record.id === id));
  }

  /** Found once per command: one refusal that names them is enough. */
  async function findOthers(identity: ResourceIdentity): Promise<Unresolved[]> {
    if (hasFoundOthers) return [];
    hasFoundOthers = true;
    const others = [...(await list()).values()].flatMap(({ name, record }): Unresolved[] => {
      const isOwn = own.has(name) || name === nameFor(identity);
      if (record.target !== undefined || isOwn || !isSameStack(record, identity)) return [];
      // The name tells whether a path is one of this machine.
      return nameFor(record, record.baseUrl) === name ? [{ record, discardCommand: discardCommand(name) }] : [];
    });
    return others.sort((one, other) => one.record.sentAt.localeCompare(other.record.sentAt));
  }

  /** Warns with the first record of a place at risk. A place that cannot be written has warned already. */
  function warnOnce(isRecorded: boolean): void {
    const loss = "a creation that is canceled may then be repeated as a second one";
    const place = `The creation journal is in ${store.place}, which a CI runner or a pod loses with its machine: ${loss}.`;
    const advice = `Set ${settingName("journal")} to a folder that is kept across runs, or to a Redis server.`;
    if (isRecorded && !hasWarned && isAtRisk) warn(coded("CDB4014", `${place} ${advice}`));
    hasWarned = true;
  }

  return {
    /** The objects of earlier commands that this one has taken, by id. */
    taken: new Set<string>(),
    /** The work that an earlier command began for this resource. Throws if its record is unreadable. */
    async find(identity: ResourceIdentity): Promise<Earlier | undefined> {
      return earlier(await read(nameFor(identity)));
    },
    /**
     * Before the request. Without a record if the default place cannot be written; throws if a place was configured.
     */
    async begin(identity: ResourceIdentity, { inputs, ...facts }: JournalFacts): Promise<Recorded | undefined> {
      const { title } = facts;
      const name = nameFor(identity);
      const before = await read(name);
      // Only a retry of this command's own request replaces the record of a creation.
      if (before !== undefined && before.text !== own.get(name)) {
        throw new UserError(
          coded(
            "CDB4012",
            `Creating ${title} ${JSON.stringify(facts.name)}: another command began to create it at ${before.record.sentAt}. Nothing was sent. Wait until that command ends, then run \`pulumi up\` again.`,
          ),
        );
      }
      const { backend, urn } = identity;
      const [sentAt, secrets] = [new Date().toISOString(), seal({ inputs }, keySecret)];
      const record = { version: 1, backend, urn, baseUrl, ...facts, sentAt, process: process.pid, secrets };
      const text = JSON.stringify(record);
      const isRecorded = await write(name, text);
      warnOnce(isRecorded);
      if (!isRecorded) return undefined;
      const command = discardCommand(name);

      async function complete(id: string, password: string | undefined): Promise<void> {
        const whole = JSON.stringify({ ...record, id, secrets: seal({ inputs, password }, keySecret) });
        const put = async () => {
          const current = await store.get(name);
          // A record that was discarded while the request was in flight is written again.
          if (current === undefined || current === text) await store.put(name, whole);
        };
        await put()
          .catch(put)
          .catch((error) => {
            const failure = `The creation journal in ${store.place} could not store that ${title} ${id} was created: ${reasonOf(error)}.`;
            const effect = `The stack has it unless this command ends early; once it has, run \`${command}\`.`;
            warn(coded("CDB4014", `${failure} ${effect}`));
          });
      }
      return { discardCommand: command, complete, end: () => remove(name, text) };
    },
    /** The stack has the object, with its password or without. */
    async confirm(id: string, hasPassword: boolean): Promise<void> {
      const creation = await findById(id);
      if (creation === undefined || recovered.has(id)) return;
      // A password that the stack lacks is kept, also one that only another API key can read.
      const holdsNone = creation.inputs !== undefined && creation.password === undefined;
      if (hasPassword || holdsNone) await creation.end();
    },
    /** The password of an object whose creation the stack did not store. */
    async passwordOf(id: string): Promise<string | undefined> {
      const password = (await findById(id))?.password;
      if (password !== undefined) recovered.add(id);
      return password;
    },
    /** The arguments whose entries an earlier release was about to add for this resource, and what ends their record. */
    async findAdditions(identity: ResourceIdentity): Promise<Additions | undefined> {
      const additions = [...(await list()).values()].filter(
        ({ record: { urn, target } }) => target && urn === identity.urn,
      );
      // The backend matters only if there is a record.
      const addition = additions.find(({ name }) => name === nameFor(identity));
      if (addition === undefined) return undefined;
      const secrets = unseal(addition.record, keySecret);
      // Entries that only another API key can read wait for that key.
      return secrets && { inputs: secrets.inputs, end: () => remove(addition.name, addition.text) };
    },
  };
}
