import type { Client, Operation, PathParameters } from "../api";
import type { Definition, Properties } from "../fields";
import type { ReadSettings } from "./settings";

/** The handlers' dependencies on the adapter that runs them. */
export interface HandlerDependencies {
  /** Made when it is first needed; throws a sentence that names the settings it lacks. */
  readonly client: () => Client;
  readonly settings: () => ReadSettings;
  /** A sentence for each setting without which no request can be sent. */
  readonly missingSettings: () => readonly string[];
  /** Keeps a text out of everything that is printed from now on. */
  readonly addSecret: (secret: string) => void;
  /** The same for every secret among properties. */
  readonly addSecretsOf: (definition: Definition, ...properties: readonly Properties[]) => void;
  /** One of our own sentences without the known secrets. */
  readonly redact: (text: string) => string;
  /** Tells the user something in one line, without the known secrets. */
  readonly log: (line: string) => void;
}

export interface Created {
  readonly id: string;
  readonly state: Properties;
}

/** Operations that read and change the objects of one type on the server. */
export interface RemoteObjectType {
  readonly definition: Definition;
  /** The name of an object in sentences: `service 3f0c… ("analytics")`. */
  readonly displayName: (id: string, properties: Properties) => string;
  readonly parameters: (id: string, properties: Properties) => PathParameters;
  /** Absent if the API cannot read it. */
  readonly read?: Operation<Properties>;
  /** A difference from the declaration that no update can resolve, besides create-only fields. */
  readonly findContradiction?: (found: Properties, inputs: Properties) => string | undefined;
  /** The operations that change it, by the names that its table uses, in the order in which they are sent. */
  readonly updates: Readonly<Record<string, Operation<Properties>>>;
}

/** One type of resource: its table, and its lifecycle. It does not depend on the adapter that runs it, nor on how its state is stored. */
export interface ResourceType {
  readonly definition: Definition;
  /** Its name in sentences: `service`. */
  readonly title: string;
  /** The arguments with those that follow from the resource's name in the program, and what to warn of. */
  readonly applyDefaults?: (
    oldInputs: Properties,
    inputs: Properties,
    resourceName: string,
  ) => { readonly inputs: Properties; readonly warning?: string | undefined };
  /** The state and what else follows from the id. */
  readonly withId?: (id: string, state: Properties) => Properties;
  /** The effect of a replacement, after the words "Changing region of service 3f0c…". */
  readonly replacementEffect: string;
  readonly create: (dependencies: HandlerDependencies, inputs: Properties) => Promise<Created>;
  /** Returns undefined if the object is gone; absent if the API cannot read it. */
  readonly read?: (dependencies: HandlerDependencies, id: string, state: Properties) => Promise<Properties | undefined>;
  readonly update: (
    dependencies: HandlerDependencies,
    id: string,
    state: Properties,
    inputs: Properties,
  ) => Promise<Properties>;
  readonly delete: (dependencies: HandlerDependencies, id: string, state: Properties) => Promise<void>;
}
