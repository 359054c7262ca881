import type { Client } from "../api";
import type { Definition, Properties } from "../fields";

/** What a lifecycle may use. */
export interface Context {
  /** Made when it is first needed; throws a sentence that names the settings it lacks. */
  readonly client: () => Client;
  /** The provider's setting, for what is read without a check before it. */
  readonly organizationId: string | undefined;
  /** Keeps a text out of everything that is printed from now on. */
  readonly addSecret: (secret: string) => void;
  /** Tells the user something in one line. */
  readonly log: (line: string) => void;
}

export interface Created {
  readonly id: string;
  readonly outputs: Properties;
}

/** One kind of resource: its table, and how it lives. Pulumi's side of it is the same for all. */
export interface ResourceType {
  readonly definition: Definition;
  /** How it is called in sentences: `service`. */
  readonly title: string;
  /** Arguments that follow from the resource's name in the program. */
  readonly applyDefaults?: (oldInputs: Properties, inputs: Properties, resourceName: string) => Properties;
  /** The stored outputs and what else follows from the id. */
  readonly withId?: (id: string, outputs: Properties) => Properties;
  /** What a replacement means, after the words "Changing region of service 3f0c…". */
  readonly replacementEffect: string;
  readonly create: (context: Context, inputs: Properties) => Promise<Created>;
  /** Nothing where the object is gone. */
  readonly read?: (context: Context, id: string, outputs: Properties) => Promise<Properties | undefined>;
  readonly update: (context: Context, id: string, outputs: Properties, inputs: Properties) => Promise<Properties>;
  readonly delete: (context: Context, id: string, outputs: Properties) => Promise<void>;
}
