import { Server } from "node:net";
import * as log from "@pulumi/pulumi/log";
import * as state from "@pulumi/pulumi/runtime/state";
import { wellFormed } from "../api/text";
import { PartialFailure } from "../core/object/user-error";
import { type Message, render } from "../errors";
import { newCancellation } from "./process";

/*
 * Undocumented behavior of Pulumi's plugin for dynamic resources. A new SDK breaks here: each
 * export has a test.
 */

/** The engine's address: Pulumi passes it to the plugin behind flags for logs. */
export const engineAddress = process.argv.at(-1);

/** Lines that the plugin prints about failures. The engine shows each failure itself. */
const shownByEngine = new Set<string>();

/**
 * Leaves failures to the engine: the plugin would print each of them once more, as `Error: X: X`.
 */
export function printFailuresOnce(): void {
  const print = console.error;
  console.error = (...line: unknown[]) => {
    if (!shownByEngine.has(String(line[0]))) print(...line);
  };
}

const { getStore } = state as unknown as {
  getStore: () => { settings: { options: { engineAddr?: string } } };
};

/** Shows a line with `--debug`. The plugin does not tell Pulumi's SDK where the engine is. */
export function logDebug(line: Message): void {
  const { options } = getStore().settings;
  if (engineAddress !== undefined) options.engineAddr ??= engineAddress;
  void log.debug(wellFormed(render(line)));
}

/** The error as the plugin shows it, and, after a partial failure, what the engine stores. */
export function toDynamicError(error: Error): Error {
  const message = wellFormed(error.message);
  const failure = new Error(message);
  // The plugin prints the stack, so it holds the message alone.
  failure.stack = message;
  shownByEngine.add(`${failure}: ${failure.stack}`);
  if (!(error instanceof PartialFailure)) return failure;
  const properties = wellFormed(error.state);
  return Object.assign(failure, { id: error.id, properties, reasons: [message] });
}

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/** The part of an HTTP/2 server's events that is used here. */
type Http2Listener = (stream: unknown, headers: Readonly<Record<string, unknown>>) => void;

/**
 * The engine's request to cancel, which Pulumi's plugin for dynamic resources ignores, and the only
 * notice of a Ctrl-C that the plugin gets: it is in a process group of its own. So this listens to
 * the plugin's server as well. Node has no documented access to the server; if this fails, a
 * canceled command waits as long as Pulumi lets it.
 */
export function engineCancellation(): AbortSignal {
  const canceling = newCancellation();
  const { _getActiveHandles: activeHandles = () => [] } = process as {
    _getActiveHandles?: () => unknown[];
  };
  const onRequest: Http2Listener = (_, headers) => {
    if (headers[":path"] === CANCEL) canceling.abort();
  };
  for (const handle of activeHandles.call(process))
    if (handle instanceof Server) handle.on("stream", onRequest);
  return canceling.signal;
}
