import { Server } from "node:net";
import { newCancellation } from "./process";

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/** The event of a server that matters here. */
type Http2Listener = (stream: unknown, headers: Readonly<Record<string, unknown>>) => void;

/**
 * The engine's request to cancel, which Pulumi's plugin for dynamic resources ignores, and the only notice of a Ctrl-C
 * that the plugin gets: it is in a process group of its own. So this listens to the plugin's server as well. Node has
 * no documented way to find it; where this one fails, a canceled command waits as long as Pulumi lets it.
 */
export function engineCancellation(): AbortSignal {
  const canceling = newCancellation();
  const { _getActiveHandles: activeHandles = () => [] } = process as { _getActiveHandles?: () => unknown[] };
  const onRequest: Http2Listener = (_, headers) => {
    if (headers[":path"] === CANCEL) canceling.abort();
  };
  for (const handle of activeHandles.call(process)) if (handle instanceof Server) handle.on("stream", onRequest);
  return canceling.signal;
}
