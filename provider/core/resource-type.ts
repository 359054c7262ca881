import type { Client, Dependencies, Operation, PathParameters } from "../api";
import type { WaitLimits } from "../api/wait-limits";
import type { Message } from "../errors";
import type { Definition, Properties } from "../fields";
import type { CreationJournal, ResourceIdentity } from "./creation-journal";
import type { ReadSettings } from "./settings";

/** The handlers' dependencies on the adapter that runs them. */
export interface HandlerDependencies extends WaitLimits, Pick<Dependencies, "clock" | "isEngineAlive"> {
  /** Made when it is first needed; throws a sentence that names the settings it lacks. */
  readonly client: () => Client;
  readonly settings: () => ReadSettings;
  /** Absent where it is off. */
  readonly journal: () => CreationJournal | undefined;
  /** A sentence for each setting without which no request can be sent. */
  readonly missingSettings: () => readonly Message[];
  /** Keeps a text out of everything that is printed from now on. */
  readonly addSecret: (secret: string) => void;
  /** Keeps every secret among properties out of it. */
  readonly addSecretsOf: (definition: Definition, ...properties: readonly Properties[]) => void;
  /** One of our own sentences without the known secrets. */
  readonly redact: (text: string) => string;
  readonly redactMessage: (message: Message) => Message;
  /** Tells the user something in one line, without the known secrets. */
  readonly log: (line: Message) => void;
}

export interface Created {
  readonly id: string;
  readonly state: Properties;
}

/** A POST that creates an object: it costs money, and must not be sent twice. Only its response holds the password. */
export interface Creation {
  readonly operation: Operation<Properties>;
  /** Its name in the field table. */
  readonly name: string;
  /** The member of the result that is the object. */
  readonly member: string;
}

/** A type of resource as its own file declares it: its table, its requests, and its words. */
export interface ResourceDeclaration {
  readonly definition: Definition;
  /** Its name in sentences, before an id: `service`. */
  readonly title: string;
  /** The argument that names an existing object, to be adopted. */
  readonly idArgument: string;
  /** Absent if the API can neither create nor delete it: it is adopted, managed and released. */
  readonly creation?: Creation;
  readonly parameters: (id: string, properties: Properties) => PathParameters;
  /** Absent if the API cannot read it. */
  readonly read?: Operation<Properties>;
  /** The operations that change it, by the names that its table uses, in the order in which they are sent. */
  readonly updates: Readonly<Record<string, Operation<Properties>>>;
  /** The last step of a creation, adoption or update, after its requests; returns the state with what it has done. */
  readonly finish?: (
    dependencies: HandlerDependencies,
    object: string,
    state: Properties,
    inputs: Properties,
    /** The state as the API shows it. */
    read: (state: Properties) => Promise<Properties>,
  ) => Promise<Properties>;
  /** A difference from the declaration that no update can resolve, besides create-only fields. */
  readonly findContradiction?: (current: Properties, inputs: Properties) => string | undefined;
  /** The arguments with those that follow from the name, and what to warn of or to refuse. */
  readonly applyDefaults?: (
    oldInputs: Properties,
    inputs: Properties,
    naming: Naming,
  ) => { readonly inputs: Properties; readonly warning?: Message | undefined; readonly refusal?: Message | undefined };
}

/** The name for a new object that declares none. */
export interface Naming {
  /** That of the resource in the program, or what `pulumi:autonaming` makes of it; empty if it makes none. */
  readonly name: string;
  /** As it is, or not at all. */
  readonly isEnforced?: boolean;
}

/** One type of resource, with its lifecycle. It does not depend on the adapter that runs it, nor on how its state is stored. */
export interface ResourceType extends Pick<ResourceDeclaration, "definition" | "title" | "applyDefaults"> {
  /** The state with the argument that names the object. */
  readonly withId: (id: string, state: Properties) => Properties;
  /** The effect of a replacement of the object with this id by changes such as `region from "a" to "b"`. */
  readonly describeReplacement: (id: string, changes: string) => Message;
  readonly create: (
    dependencies: HandlerDependencies,
    inputs: Properties,
    identity: ResourceIdentity,
  ) => Promise<Created>;
  /** Returns undefined if the object is gone; absent if the API cannot read it. */
  readonly read?: (
    dependencies: HandlerDependencies,
    id: string,
    state: Properties,
    identity?: ResourceIdentity,
  ) => Promise<Properties | undefined>;
  readonly update: (
    dependencies: HandlerDependencies,
    id: string,
    state: Properties,
    inputs: Properties,
    identity?: ResourceIdentity,
  ) => Promise<Properties>;
  readonly delete: (
    dependencies: HandlerDependencies,
    id: string,
    state: Properties,
    identity?: ResourceIdentity,
  ) => Promise<void>;
}
