import type { Resource } from "../../../provider/core/resource";
import type { SessionDependencies } from "../../../provider/core/session";
import { ADAPTER } from "./adapter";
import { startDynamic } from "./dynamic";
import type { Handlers } from "./handlers";
import { startNative } from "./native";

/** The environment, clock and randomness of a plugin process. */
export type Host = Pick<SessionDependencies, "environment" | "clock" | "random" | "engine">;

/** One process of an adapter: its resources share a session. */
export interface AdapterProcess {
  readonly handlersFor: (type: Resource, name?: string) => Handlers;
  /** Messages to the user. */
  readonly messages: string[];
  /**
   * All parts of the adapter's responses that the engine would store in plain text. The native plugin marks secrets
   * itself; for a dynamic resource its class does, which engine tests cover.
   */
  readonly plainText: () => string;
}

/** An adapter's process that is simulated within the test's process. */
export interface LocalProcess extends AdapterProcess {
  /** Messages that users see with `--debug` only. */
  readonly debugLines: string[];
}

/** Starts the adapter under test. */
export const startAdapter: (host: Host) => LocalProcess = { dynamic: startDynamic, native: startNative }[ADAPTER];
