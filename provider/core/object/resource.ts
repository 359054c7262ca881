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
 * Names for properties in all code: `inputs` are the program's arguments after the check,
 * `oldInputs` those of the last update. `state` are the outputs before an operation, `next` the
 * outputs after it. `response` is the object in a response.
 */

/** A resource type with its behavior. Its class, schema and pages are generated. */
export interface Resource extends ResourceType {
  /** Default: the lifecycle of a whole object. */
  readonly lifecycle?: PartLifecycle;
  /**
   * The last step of a creation, adoption or update, after all requests. Returns the state with its
   * result.
   */
  readonly finish?: (
    target: DeclaredTarget,
    next: Properties,
    /** Reads the state from the API. */
    read: (state: Properties) => Promise<Properties>,
  ) => Promise<Properties>;
  /** An additional difference that no update can resolve, besides create-only fields. */
  readonly findContradiction?: (response: Properties, inputs: Properties) => string | undefined;
  /**
   * Adds arguments that are derived from the resource's name, or from the stack (`PROJECT/STACK`).
   */
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

/** Pulumi's setting `pulumi:autonaming` for a new object's name. */
export interface Autonaming {
  readonly mode: "propose" | "enforce" | "disable";
  readonly name: string;
}

/**
 * Adds arguments for secrets by reference. Fields may only be sent with the resource's own
 * operations.
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

/** The operations of a resource that manages only a part of an object. */
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
    /** The form and meaning of the text after the ids in an import ID. */
    readonly form: string;
    readonly meaning: string;
    /** Reads the part that an import ID names; undefined if the object is gone. */
    readonly read: (target: Target, text: string) => Promise<Imported | undefined>;
  };
}

/** An object on the server, and inputs that match it. */
export interface Found {
  readonly state: Properties;
  readonly inputs: Properties;
}

/** An imported part. */
export interface Imported extends Found {
  /** The number of named entries that the object lacks. */
  readonly missing: number;
}

/** The context of an operation on one resource. */
export interface Context extends WaitLimits, Pick<Dependencies, "clock" | "isEngineAlive"> {
  /** The resource's URN and backend. The URN is empty for a state of the native plugin. */
  readonly identity: ResourceIdentity;
  /** The owners of objects in this run. */
  readonly owners: Claims;
  /** The list entries of all resources in this run. */
  readonly ledger: Ledger;
  /** The order of list changes in this run. */
  readonly turns: Turns;
  /** True if the engine can import objects that may already be in the stack. */
  readonly canImport: boolean;
  /** Connects on the first call. Throws a message with the missing settings. */
  readonly client: () => Client;
  readonly settings: () => ReadSettings;
  readonly journal: () => CreationJournal;
  /** Registers a secret, so that later messages redact it. */
  readonly addSecret: (secret: string | undefined) => void;
  readonly secretValues: SecretReader;
  /** Redacts a text of this provider. */
  readonly redact: (text: string) => string;
  /** Shows a redacted line to the user. */
  readonly log: (line: Message) => void;
  readonly warn: (line: Message) => void;
}

/** The object of an operation. */
export interface Target {
  readonly resource: Resource;
  readonly context: Context;
  readonly id: string;
  /** Inputs or a state, with the ids in request paths and the object's name. */
  readonly location: Properties;
}

export interface DeclaredTarget extends Target {
  readonly inputs: Properties;
  /** The response that the operation starts from. */
  readonly response?: Properties | undefined;
}

export interface ManagedObject {
  readonly id: string;
  readonly state: Properties;
}

/** The engine's request to validate inputs. References are names of variables. */
export interface CheckRequest {
  /** The resource's name in the program. */
  readonly name: string;
  readonly inputs: Properties;
  /** Undefined for a new resource. */
  readonly oldInputs: Properties | undefined;
  /** The places that the program marks as secret. */
  readonly marked: unknown;
  /** The argument whose Output is undefined. */
  readonly emptyArgument?: unknown;
  readonly autonaming?: Autonaming | undefined;
  /** Resolves references in inputs, for comparisons. */
  readonly resolve: (inputs: Properties) => Properties;
}

export interface DiffRequest extends ManagedObject {
  readonly inputs: Properties;
  /** True if the inputs certainly equal the old inputs. */
  readonly isUnchanged: boolean;
}
