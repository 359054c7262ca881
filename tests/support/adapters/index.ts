import { ADAPTER } from "./adapter";
import { startDynamic } from "./dynamic";
import type { Host, LocalProcess } from "./handlers";
import { startNative } from "./native";

/** Starts the adapter under test. */
export const startAdapter: (host: Host) => LocalProcess = {
  dynamic: startDynamic,
  native: startNative,
}[ADAPTER];
