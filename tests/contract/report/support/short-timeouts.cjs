/** Preloaded by tests of timeouts: a minute passes in half a second. */
const timeout = AbortSignal.timeout;
AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 120);
