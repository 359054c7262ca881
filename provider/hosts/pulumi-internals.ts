import { Server } from "node:net";
import * as log from "@pulumi/pulumi/log";
import * as state from "@pulumi/pulumi/runtime/state";
import { wellFormed } from "../api/response";
import { PartialFailure } from "../core/object/user-error";
import { type Message, render } from "../errors";
import { newCancellation } from "./process";

/*
 * Undocumented behavior of Pulumi's plugin for dynamic resources. A new SDK breaks here: each
 * export has a test.
 */

/** The engine's address, which Pulumi passes after log flags. */
export const engineAddress = process.argv.at(-1);

/** Printed lines about failures. The engine already shows each failure. */
const shownByEngine = new Set<string>();

/** Suppresses failures that the plugin would print again as `Error: X: X`. */
export function printFailuresOnce(): void {
  const print = console.error;
  console.error = (...line: unknown[]) => {
    if (!shownByEngine.has(String(line[0]))) print(...line);
  };
}

const { getStore } = state as unknown as {
  getStore: () => { settings: { options: { engineAddr?: string } } };
};

/** Shows a line with `--debug`. Pulumi's SDK does not know the engine's address in a plugin. */
export function logDebug(line: Message): void {
  const { options } = getStore().settings;
  if (engineAddress !== undefined) options.engineAddr ??= engineAddress;
  void log.debug(wellFormed(render(line)));
}

/** The error for the plugin. After a partial failure, it has the state that the engine stores. */
export function toDynamicError(error: Error): Error {
  const message = wellFormed(error.message);
  const failure = new Error(message);
  // The plugin prints the stack, so the stack is only the message.
  failure.stack = message;
  shownByEngine.add(`${failure}: ${failure.stack}`);
  if (!(error instanceof PartialFailure)) return failure;
  const properties = wellFormed(error.state);
  return Object.assign(failure, { id: error.id, properties, reasons: [message] });
}

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/** The HTTP/2 server events that are used here. */
type Http2Listener = (stream: unknown, headers: Readonly<Record<string, unknown>>) => void;

/**
 * Detects the engine's request to cancel, which Pulumi's plugin for dynamic resources ignores. The
 * plugin gets no other notice of Ctrl-C, because it has its own process group. Node.js has no
 * documented access to the plugin's server. If this fails, a canceled command waits as long as
 * Pulumi allows.
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
