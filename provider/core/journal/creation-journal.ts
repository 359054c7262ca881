import { canonicalId } from "pulumi-clouddb-facts";
import { coded } from "../../errors";
import type { Properties } from "../../fields";
import { type PasswordOutputs, passwordIn } from "../object/encrypted-password";
import { UserError } from "../object/user-error";
import {
  isSameStack,
  type JournalRecord,
  type ResourceIdentity,
  type Secrets,
  seal,
  unseal,
} from "./record";
import { createRecords, type JournalOptions, type ReadRecord, reasonOf } from "./records";

/** The facts about a creation that are known before its request. */
export interface JournalFacts
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
  /** Removes the record, unless another process has written a new one. */
  readonly end: () => Promise<void>;
  /** Notes the id of the object, and that the engine of this command gets its password. */
  readonly give: (id: string) => Promise<void>;
  /** Notes that another resource has the object. */
  readonly noteOwner: (urn: string) => Promise<void>;
  /** The creations that earlier commands began for other resources of the stack. */
  readonly findOthers: () => Promise<readonly Unresolved[]>;
}

/** Work of this command. Its record is in the journal or, without a journal, in this process. */
export interface Recorded extends Pick<Unresolved, "discardCommand"> {
  /** Ends the record: nothing was created. */
  readonly end: () => Promise<void>;
  /** Stores the response of a creation, before anything else. */
  readonly complete: (
    id: string | undefined,
    password: PasswordOutputs | undefined,
  ) => Promise<void>;
}

/** The creations of one API key that the stack may not have yet. */
export type CreationJournal = ReturnType<typeof createJournal>;

type Records = ReturnType<typeof createRecords>;

interface Options extends JournalOptions {
  /** The engine of this command, which may start several plugin processes. */
  readonly engine: string;
}

export function createJournal(options: Options) {
  const { store, keySecret, engine } = options;
  const records = createRecords(options);
  const { own, nameFor, discardCommand, read, list, replace, remove, forget } = records;
  let hasFoundOthers = false;

  /** The work of an earlier attempt. */
  function earlier({ name, text, record }: ReadRecord): Earlier {
    const { encryptedPassword, passwordKeyFingerprint } = record;
    // Without the note, the record ends earlier, or a new resource takes its object.
    const note = async (members: Partial<JournalRecord>) =>
      void (await replace(name, text, JSON.stringify({ ...record, ...members })).catch(() => {}));
    return {
      ...(encryptedPassword && { encryptedPassword, passwordKeyFingerprint }),
      ...unseal(record, keySecret),
      record,
      discardCommand: discardCommand(name),
      end: () => remove(name, text),
      give: (id) => note({ id, givenTo: engine }),
      noteOwner: (urn) => note({ storedAs: urn }),
      findOthers: () => findOthers(record),
    };
  }

  async function findById(id: string): Promise<Earlier | undefined> {
    const found = [...(await list()).values()].find(
      ({ record }) => canonicalId(record.id) === canonicalId(id),
    );
    return found && earlier(found);
  }

  /**
   * The stack's other unresolved creations, only at the first call: one refusal that names them is
   * enough.
   */
  async function findOthers(identity: ResourceIdentity): Promise<Unresolved[]> {
    if (hasFoundOthers) return [];
    hasFoundOthers = true;
    const others = [...(await list()).values()].flatMap(({ name, record }): Unresolved[] => {
      const isOwn = own.has(name) || name === nameFor(identity);
      if (isOwn || !isSameStack(record, identity)) return [];
      // The name tells whether a path is one of this machine.
      return nameFor(record, record.baseUrl) === name
        ? [{ record, discardCommand: discardCommand(name) }]
        : [];
    });
    return others.sort((one, other) => one.record.sentAt.localeCompare(other.record.sentAt));
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
      const current = await read(nameFor(identity));
      if (current !== undefined) {
        const known = earlier(current);
        // The engine repeats a creation with the same arguments.
        const isOther =
          known.discardCommand === undefined &&
          JSON.stringify(known.inputs) !== JSON.stringify(inputs);
        return isOther ? undefined : known;
      }
      if (store === undefined) return undefined;
      const { urn, backend, backendAddress } = identity;
      if (backendAddress === undefined || backendAddress === backend) return undefined;
      const ambiguous = await read(nameFor({ urn, backend: backendAddress }));
      return ambiguous && { ...earlier(ambiguous), ambiguousBackend: backend };
    },
    begin: (identity: ResourceIdentity, facts: JournalFacts) =>
      begin(options, records, identity, facts),
    /** Ends the record of an object that the stack has, unless the password would be lost. */
    async confirm(id: string, hasPassword: boolean, urn = ""): Promise<void> {
      const creation = await findById(id);
      if (creation === undefined) return;
      // A record keeps a password that no state holds yet, even if only another API key can read
      // it.
      const holdsNone = creation.inputs !== undefined && passwordIn(creation) === undefined;
      const { givenTo, urn: former, storedAs = former } = creation.record;
      if (holdsNone || (hasPassword && givenTo !== engine)) await creation.end();
      else if (urn !== "" && urn !== storedAs) await creation.noteOwner(urn);
    },
    /** The password of an object whose creation the stack did not store. */
    async passwordOf(id: string): Promise<PasswordOutputs | undefined> {
      const creation = await findById(id);
      const password = passwordIn(creation);
      if (password !== undefined) await creation?.give(id);
      return password;
    },
  };
}

/**
 * Records a creation before its request; in this process if the default place fails. A configured
 * place must work.
 */
async function begin(
  { store, baseUrl, keySecret, warn }: Options,
  { nameFor, discardCommand, read, create, replace, remove }: Records,
  identity: ResourceIdentity,
  { inputs, ...facts }: JournalFacts,
): Promise<Recorded> {
  const { title } = facts;
  const name = nameFor(identity);
  const { urn } = identity;
  const backend = store === undefined ? "" : identity.backend;
  const [sentAt, secrets] = [new Date().toISOString(), seal({ inputs }, keySecret)];
  const record = {
    version: 1,
    backend,
    urn,
    baseUrl,
    ...facts,
    sentAt,
    process: process.pid,
    secrets,
  };
  const text = JSON.stringify(record);
  if (!(await create(name, text))) {
    const before = (await read(name))?.record.sentAt ?? sentAt;
    throw new UserError(
      coded(
        "CDB4012",
        `Creating ${title} ${JSON.stringify(facts.name)}: another command began to create it at ${before}. Nothing was sent. Wait until that command ends, then run \`pulumi up\` again.`,
      ),
    );
  }

  async function complete(
    id: string | undefined,
    { password, ...ciphertext }: PasswordOutputs = {},
  ): Promise<void> {
    const sealed = seal({ inputs, ...(password && { password }) }, keySecret);
    const whole = JSON.stringify({ ...record, id, ...ciphertext, secrets: sealed });
    const object = id === undefined ? `a ${title}` : `${title} ${id}`;
    try {
      if (await replace(name, text, whole)) return;
      // The record was discarded, and another command has begun the same creation.
      const ownName = nameFor({ backend, urn: `${urn}::${id ?? sentAt}` });
      await create(ownName, whole);
      const apart = `Another command has recorded a creation of ${JSON.stringify(facts.name)} since this one began, which has created ${object}.`;
      const effect = `The creation journal keeps it apart: once the stack has it, run \`${discardCommand(ownName)}\`.`;
      warn(coded("CDB4014", `${apart} ${effect}`));
    } catch (error) {
      const failure = `The creation journal in ${store?.place} could not store that ${object} was created: ${reasonOf(error)}.`;
      const effect = `The stack has it unless this command ends early; once it has, run \`${discardCommand(name)}\`.`;
      warn(coded("CDB4014", `${failure} ${effect}`));
    }
  }
  return { discardCommand: discardCommand(name), complete, end: () => remove(name, text) };
}
