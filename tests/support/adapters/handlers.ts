/** A test driver that calls either adapter the way the engine does for one resource, with plain values. */

export type Properties = Record<string, unknown>;

/** The error of an operation; after a partial failure, with what the engine stores. */
export type Failure = Error & { id?: string; properties?: Properties; reasons?: string[] };

/** Like Pulumi's `dynamic.ResourceProvider`, without the members that an adapter adds to inputs and states. */
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
  ): Promise<{ changes?: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  update(id: string, state: Properties, inputs: Properties): Promise<{ outs: Properties }>;
  /** Without an id, the object is gone. */
  read(id: string, state: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  delete(id: string, state: Properties): Promise<void>;
}
