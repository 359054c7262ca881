import { randomUUID } from "node:crypto";
import { coded } from "../errors";
import { settingName } from "../names";
import { isSameStack, type JournalRecord, type ResourceIdentity, type Secrets, seal, unseal } from "./journal-record";
import { createRecords, type JournalOptions, type ReadRecord, reasonOf } from "./journal-records";
import { UserError } from "./user-error";

/** The facts about a creation that are known before its request, or about entries that are to be added to a target. */
export interface JournalFacts
  extends Pick<JournalRecord, "organizationId" | "title" | "name" | "target">,
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
  /** Set for added entries: the state that has them holds it, too. */
  readonly token: string | undefined;
  /** Ends the record: nothing was created or added. */
  readonly end: () => Promise<void>;
  /** Stores the response of a creation, before anything else. */
  readonly complete: (id: string, password: string | undefined) => Promise<void>;
}

/** The creations and additions of one API key that the stack may not have yet. */
export type CreationJournal = ReturnType<typeof createJournal>;

interface Options extends JournalOptions {
  /** True if the journal is in its default folder, on a machine that may be thrown away. */
  readonly isAtRisk: boolean;
}

export function createJournal(options: Options) {
  const { store, baseUrl, keySecret, isAtRisk, warn } = options;
  const { own, nameFor, discardCommand, read, list, write, restore } = createRecords(options);
  /**
   * Ids and tokens whose password or entries this command has read from records, and which no stored state may have
   * yet.
   */
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
      end: () => restore(name, text),
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
  function warnOnce(isRecorded: boolean, { target }: JournalFacts): void {
    const loss =
      target === undefined
        ? "a creation that is canceled may then be repeated as a second one"
        : "entries whose addition is canceled may then count as shared";
    const place = `The creation journal is in ${store.place}, which a CI runner or a pod loses with its machine: ${loss}.`;
    const advice = `Set ${settingName("journal")} to a folder that is kept across runs, or to a Redis server.`;
    if (isRecorded && !hasWarned && isAtRisk) warn(coded("CDB4014", `${place} ${advice}`));
    hasWarned = true;
  }

  return {
    /** The objects of earlier commands that this one has taken, by id. */
    taken: new Set<string>(),
    recovered,
    /** The work that an earlier command began for this resource. Throws if its record is unreadable. */
    async find(identity: ResourceIdentity): Promise<Earlier | undefined> {
      return earlier(await read(nameFor(identity)));
    },
    /** `find` for resources in the stack: reads the records once for all of them, and skips unreadable ones. */
    async findStored(identity: ResourceIdentity): Promise<Earlier | undefined> {
      const listing = await list();
      // The backend matters only if there is a record.
      const mayBeKnown = [...listing.values()].some(({ record }) => record.urn === identity.urn);
      return mayBeKnown ? earlier(listing.get(nameFor(identity))) : undefined;
    },
    /**
     * Before the request. Without a record if the default place cannot be written; throws if a place was configured.
     */
    async begin(identity: ResourceIdentity, { inputs, ...facts }: JournalFacts): Promise<Recorded | undefined> {
      const { title, target } = facts;
      const isCreation = target === undefined;
      const name = nameFor(identity);
      const before = await read(name);
      // Only a retry of this command's own request replaces the record of a creation.
      if (isCreation && before !== undefined && before.text !== own.get(name)) {
        throw new UserError(
          coded(
            "CDB4012",
            `Creating ${title} ${JSON.stringify(facts.name)}: another command began to create it at ${before.record.sentAt}. Nothing was sent. Wait until that command ends, then run \`pulumi up\` again.`,
          ),
        );
      }
      const { backend, urn } = identity;
      const token = isCreation ? undefined : randomUUID();
      const [sentAt, secrets] = [new Date().toISOString(), seal({ inputs }, keySecret)];
      const record = { version: 1, backend, urn, baseUrl, ...facts, sentAt, process: process.pid, secrets, token };
      const text = JSON.stringify(record);
      // If these entries are not added, the next command still looks for the earlier ones.
      const kept = isCreation ? undefined : before?.text;
      const isRecorded = await write(name, text, kept);
      warnOnce(isRecorded, { inputs, ...facts });
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
      return { discardCommand: command, token, complete, end: () => restore(name, text, kept) };
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
  };
}
