import type { ResourceType } from "../../provider/lifecycle/resource-type";
import type { SessionDependencies } from "../../provider/session/session";
import { ADAPTER } from "./adapter";
import { startDynamic } from "./dynamic";
import type { Handlers } from "./handlers";
import { startNative } from "./native";

/** What a plugin process has around it. */
export type Host = Pick<SessionDependencies, "environment" | "clock" | "random">;

/** One process of an adapter: its resources share a session. */
export interface AdapterProcess {
  readonly handlersFor: (type: ResourceType, name?: string) => Handlers;
  /** What the user has been shown. */
  readonly messages: string[];
  /**
   * What the engine would store in plain text of all that the adapter has answered. The native plugin marks secrets by
   * itself; for a dynamic resource its class does, which engine tests cover.
   */
  readonly plainText: () => string;
}

/** Starts the adapter under test. */
export const startAdapter: (host: Host) => AdapterProcess = { dynamic: startDynamic, native: startNative }[ADAPTER];
