/** Waits and attempts have limits of their own, which are the same for every resource. */
export const NO_CUSTOM_TIMEOUTS =
  "does not support the option customTimeouts: remove it, and limit each attempt of a request by clouddb:requestTimeoutSeconds";
