import { setMaxListeners } from "node:events";

/** The cancellation of a command, for which any number of requests may listen. */
export function newCancellation(): AbortController {
  const canceling = new AbortController();
  setMaxListeners(0, canceling.signal);
  return canceling;
}
