import type { Client, Dependencies, WaitLimits } from "../api/client";
import type { ObjectOperation } from "../api/endpoints";
import type { Message } from "../errors";
import type { Definition, Properties, Table } from "../fields";
import type { CreationJournal } from "./creation-journal";
import type { ResourceIdentity } from "./journal-record";
import type { Owners } from "./owners";
import type { ReadSettings } from "./settings";
import type { Turns } from "./turns";

/** A type of resource: its table, its requests and its words. Its class, schema and pages are generated from it. */
export interface Resource extends Definition {
  /** Its name in sentences, before an id: `service`. */
  readonly title: string;
  /** The paragraphs of its class's documentation; the first one also stands in lists. */
  readonly doc: readonly [string, ...string[]];
  /** The argument that names an existing object, to be adopted. */
  readonly id: string;
  /**
   * A POST that creates an object: it costs money, and must not be sent twice. Only its response holds the password,
   * beside the object. Absent if the API can neither create nor delete the object: it is adopted, managed and released.
   */
  readonly create?: {
    readonly operation: ObjectOperation;
    /** The member of the result that is the object. */
    readonly member: string;
  };
  /** Absent if the API cannot read it. */
  readonly read?: ObjectOperation;
  /** The operations that change it, in the order in which they are sent. */
  readonly updates: readonly ObjectOperation[];
  /** The lifecycle of a resource that is only a part of an object. Default: that of an object. */
  readonly lifecycle?: PartLifecycle;
  /** The last step of a creation, adoption or update, after its requests; returns the state with its result. */
  readonly finish?: (
    target: Target,
    state: Properties,
    /** The state as the API shows it. */
    read: (state: Properties) => Promise<Properties>,
  ) => Promise<Properties>;
  /** A difference from the declaration that no update can resolve, besides create-only fields. */
  readonly findContradiction?: (current: Properties, inputs: Properties) => string | undefined;
  /** The arguments with those that follow from the resource's name in the program, or from its stack: `PROJECT/STACK`. */
  readonly applyDefaults?: (
    oldInputs: Properties,
    inputs: Properties,
    name: string,
    stack: string,
  ) => { readonly inputs: Properties; readonly warning?: Message | undefined };
}

/** A resource whose fields are sent with no other operations than its own. */
export function defineResource<
  const Create extends ObjectOperation = never,
  const Update extends ObjectOperation = never,
>(
  resource: Omit<Resource, "create" | "updates"> & {
    readonly create?: { readonly operation: Create; readonly member: string };
    readonly updates: readonly Update[];
    readonly fields: Table<NoInfer<Create | Update>>;
  },
): Resource {
  return resource;
}

/** The operations that send requests. For `read` and `release`, the target's inputs are the state. */
export interface Lifecycle {
  readonly create: (resource: Resource, context: Context, inputs: Properties) => Promise<Stored>;
  readonly read: (target: Target) => Promise<Properties>;
  readonly update: (target: Target, state: Properties) => Promise<Stored>;
  readonly release: (target: Target) => Promise<void>;
}

/** The operations of a resource that is only a part of an object: other resources may have other parts of it. */
export interface PartLifecycle extends Lifecycle {
  /** The effect of a replacement, as the end of a sentence. */
  readonly replacement: string;
  readonly importing: {
    /** The name of what follows the ids in an import ID, and its meaning. */
    readonly form: string;
    readonly meaning: string;
    /** Reads the part that an import ID names; the target's inputs hold the ids. Undefined if the object is gone. */
    readonly read: (target: Target, text: string) => Promise<Imported | undefined>;
  };
}

/** An imported part. */
export interface Imported {
  readonly state: Properties;
  readonly inputs: Properties;
  /** The number of named entries that the object does not have. */
  readonly missing: number;
}

/** One resource of a stack, in the process that runs its operations. */
export interface Context extends WaitLimits, Pick<Dependencies, "clock" | "isEngineAlive"> {
  /** Its URN and backend; the URN is empty if an earlier release has stored none. */
  readonly identity: ResourceIdentity;
  /** The owners of objects, for all resources of the run. */
  readonly owners: Owners;
  /** The order of changes to the lists of objects, for all resources of the run. */
  readonly turns: Turns;
  /** True if the engine can import objects that the stack may already have. */
  readonly canImport: boolean;
  /** Connects on the first call; throws a sentence that names missing settings. */
  readonly client: () => Client;
  readonly settings: () => ReadSettings;
  readonly journal: () => CreationJournal;
  /** Registers a secret, which no message shows from now on. */
  readonly addSecret: (secret: string | undefined) => void;
  /** Registers every secret among properties. */
  readonly addSecretsOf: (definition: Definition, ...properties: readonly Properties[]) => void;
  /** Redacts a text of our own. */
  readonly redact: (text: string) => string;
  /** Shows the user a line, redacted. */
  readonly log: (line: Message) => void;
  readonly warn: (line: Message) => void;
}

/** One object on the server, for one operation; its name and paths are made from `inputs`. */
export interface Target {
  readonly resource: Resource;
  readonly context: Context;
  readonly id: string;
  /** The declared arguments; for a read, the state. */
  readonly inputs: Properties;
  /** The response from which an operation starts. */
  readonly seen?: Properties;
}

/** An object that is in the stack, with the state to store. */
export interface Stored {
  readonly id: string;
  readonly state: Properties;
}
