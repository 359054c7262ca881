import type { SessionDependencies } from "../../../provider/core/session/session";
import type { resources } from "../../../provider/resources";

/** The adapter that this jest project tests: see jest.config.cjs. */
export type AdapterName = "dynamic" | "native";

export const ADAPTER: AdapterName = (globalThis as { ADAPTER?: AdapterName }).ADAPTER ?? "dynamic";

export type Autonaming = readonly [mode: "PROPOSE" | "ENFORCE" | "DISABLE", name: string];

/**
 * A test driver that calls either adapter the way the engine does for one resource, with plain
 * values.
 */

/** The name of a resource type in programs. */
export type ResourceType = keyof typeof resources;

export type Properties = Record<string, unknown>;

/** The error of an operation; after a partial failure, with what the engine stores. */
export type Failure = Error & { id?: string; properties?: Properties; reasons?: string[] };

/**
 * Like Pulumi's `dynamic.ResourceProvider`, without the members that an adapter adds to inputs and
 * states.
 */
export interface Handlers {
  check(
    oldInputs: Properties,
    args: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  /** Without `changes`, the engine compares the inputs by itself. */
  diff(
    id: string,
    state: Properties,
    inputs: Properties,
    oldInputs?: Properties,
  ): Promise<{ changes?: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  update(id: string, state: Properties, inputs: Properties): Promise<{ outs: Properties }>;
  /** Without an id, the object is gone. */
  read(
    id: string,
    state: Properties,
    inputs?: Properties,
  ): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  delete(id: string, state: Properties): Promise<void>;
  /** The previews of a creation and an update: the engine asks only plugins that support them. */
  readonly preview?: {
    create(inputs: Properties): Promise<void>;
    update(id: string, state: Properties, inputs: Properties): Promise<void>;
  };
}

/** The environment, clock and randomness of a plugin process. */
export interface Host
  extends Pick<SessionDependencies, "environment" | "clock" | "random" | "engine"> {
  /** The arguments of an explicit provider. */
  readonly configuration?: Readonly<Record<string, string>> | undefined;
  /** The name that the stack's setting `pulumi:autonaming` proposes for a new resource. */
  readonly autonaming?: ((urn: string) => Autonaming) | undefined;
}

/** One process of an adapter: its resources share a session. */
export interface AdapterProcess {
  /**
   * With a whole URN as the name, states and inputs keep the members that an adapter adds, as in
   * the engine.
   */
  readonly handlersFor: (type: ResourceType, name?: string) => Handlers;
  /** Messages to the user. */
  readonly messages: string[];
}

/** An adapter's process that is simulated within the test's process. */
export interface LocalProcess extends AdapterProcess {
  /** Messages that users see with `--debug` only. */
  readonly debugLines: string[];
}
