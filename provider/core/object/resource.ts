import type { Client, Dependencies, WaitLimits } from "../../api/client";
import type { ObjectOperation } from "../../api/endpoints";
import type { Message } from "../../errors";
import { type Properties, type Table, withReferences } from "../../fields";
import type { CreationJournal } from "../journal/creation-journal";
import type { ResourceIdentity } from "../journal/record";
import type { Claims } from "../lists/claims";
import type { Ledger } from "../lists/ledger";
import type { Turns } from "../lists/turns";
import type { SecretReader } from "../session/environment";
import type { ReadSettings } from "../session/settings";
import type { ResourceType } from "./resource-type";

/*
 * Words for properties, here and in everything that handles them:
 * - `inputs`: the arguments of the program, checked and completed; `oldInputs` those of the last
 * update
 * - `state`: the outputs that the engine has, or those known before a request; `next` those after
 * it
 * - `response`: the object in a response
 */

/** A type of resource with its behavior. Its class, schema and pages are generated from it. */
export interface Resource extends ResourceType {
  /** Default: the lifecycle of an object. */
  readonly lifecycle?: PartLifecycle;
  /**
   * The last step of a creation, adoption or update, after its requests; returns the state with its
   * result.
   */
  readonly finish?: (
    target: DeclaredTarget,
    next: Properties,
    /** The state as the API shows it. */
    read: (state: Properties) => Promise<Properties>,
  ) => Promise<Properties>;
  /** A difference from the declaration that no update can resolve, besides create-only fields. */
  readonly findContradiction?: (response: Properties, inputs: Properties) => string | undefined;
  /** Adds the arguments that follow from a default name, or from the stack: `PROJECT/STACK`. */
  readonly applyDefaults?: (
    oldInputs: Properties | undefined,
    inputs: Properties,
    autonaming: Autonaming,
    stack: string,
  ) => {
    readonly inputs: Properties;
    readonly warning?: Message | undefined;
    readonly problem?: Message | undefined;
  };
}

/** A new object's default name: the resource's, or that of Pulumi's setting `pulumi:autonaming`. */
export interface Autonaming {
  readonly mode: "propose" | "enforce" | "disable";
  readonly name: string;
}

/**
 * A resource with its twins of secrets, whose fields are sent with no other operations than its
 * own.
 */
export function defineResource<
  const Create extends ObjectOperation = never,
  const Update extends ObjectOperation = never,
>(
  resource: Omit<Resource, "create" | "updates"> & {
    readonly create?: ResourceType["create"] & { readonly operation: Create };
    readonly updates: readonly Update[];
    readonly fields: Table<NoInfer<Create | Update>>;
  },
): Resource {
  return withReferences<Resource>(resource);
}

/**
 * The operations of a resource that is only a part of an object: other resources may have other
 * parts of it.
 */
export interface PartLifecycle {
  readonly create: (
    resource: Resource,
    context: Context,
    inputs: Properties,
  ) => Promise<ManagedObject>;
  readonly read: (target: Target, state: Properties) => Promise<Properties>;
  readonly update: (target: DeclaredTarget, state: Properties) => Promise<ManagedObject>;
  readonly release: (target: Target, state: Properties) => Promise<void>;
  /** The effect of an adoption, as a part of a sentence. */
  readonly adoption: string;
  /** The effect of a replacement, as the end of a sentence. */
  readonly replacement: string;
  readonly importing: {
    /** The name and the meaning of the text that follows the ids in an import ID. */
    readonly form: string;
    readonly meaning: string;
    /** Reads the part that an import ID names; undefined if the object is gone. */
    readonly read: (target: Target, text: string) => Promise<Imported | undefined>;
  };
}

/**
 * An object as the server has it, and the inputs that a program would have to declare to agree with
 * it.
 */
export interface Found {
  readonly state: Properties;
  readonly inputs: Properties;
}

/** An imported part. */
export interface Imported extends Found {
  /** The number of named entries that the object does not have. */
  readonly missing: number;
}

/** One resource of a stack, in the process that runs its operations. */
export interface Context extends WaitLimits, Pick<Dependencies, "clock" | "isEngineAlive"> {
  /** The resource's URN and backend; the URN is empty if the native plugin has stored the state. */
  readonly identity: ResourceIdentity;
  /** The owners of objects, for all resources of the run. */
  readonly owners: Claims;
  /** The entries in the lists of objects, for all resources of the run. */
  readonly ledger: Ledger;
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
  readonly secretValues: SecretReader;
  /** Redacts a text of our own. */
  readonly redact: (text: string) => string;
  /** Shows the user a line, redacted. */
  readonly log: (line: Message) => void;
  readonly warn: (line: Message) => void;
}

/** One object on the server, for one operation. */
export interface Target {
  readonly resource: Resource;
  readonly context: Context;
  readonly id: string;
  /** The properties with its name and the ids of its paths: inputs or a state. */
  readonly location: Properties;
}

/** An object with its inputs. */
export interface DeclaredTarget extends Target {
  readonly inputs: Properties;
  /** The response from which the operation starts. */
  readonly response?: Properties | undefined;
}

/** An object that is in the stack, with its state. */
export interface ManagedObject {
  readonly id: string;
  readonly state: Properties;
}

/** The engine's request to validate inputs, with references by the names of their variables. */
export interface CheckRequest {
  /** The resource's name in the program. */
  readonly name: string;
  readonly inputs: Properties;
  /** Undefined for a new resource. */
  readonly oldInputs: Properties | undefined;
  /** The places that the program marks as secret. */
  readonly marked: unknown;
  /** The name of an argument whose Output is undefined. */
  readonly emptyArgument?: unknown;
  readonly autonaming?: Autonaming | undefined;
  /** Resolves references, to compare inputs. */
  readonly resolve: (inputs: Properties) => Properties;
}

/** The engine's request to compare inputs with a state. */
export interface DiffRequest extends ManagedObject {
  readonly inputs: Properties;
  /** True if the inputs are known to be the old ones. */
  readonly isUnchanged: boolean;
}
