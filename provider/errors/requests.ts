import type { Explanations } from "./types";

const CHECK_NETWORK = "Check {address} and the network, then run the same command again.";
const REPEAT = "Run the same command again; it sends only what still differs.";
const CHECK_GATEWAYS =
  "Check that {address} is the base URL of the API, without its version, and check the proxies and gateways on the way to it.";
/** CDB3…: requests to the API. From CDB3300 on, codes follow the status of its response. */
export const requestMessages = {
  "CDB3001.connect": "could not connect to the server: {reason}",
  "CDB3001.advice": CHECK_NETWORK,
  "CDB3002.certificate": "the server's certificate is not trusted: {reason}",
  "CDB3002.advice": CHECK_NETWORK,
  "CDB3003.timeout": "the request timed out",
  "CDB3003.lost": "the connection was lost: {reason}",
  "CDB3003.advice": REPEAT,
  "CDB3004.retry": "Retrying: {problem}.",
  "CDB3005.engine": "the Pulumi engine has exited, so the request was not sent",
  "CDB3005.advice": REPEAT,
  "CDB3006.canceled": "the command was canceled",
  "CDB3006.advice": REPEAT,
  "CDB3007.path": "{parameter} cannot be used in a request path",
  "CDB3007.advice": REPEAT,
  "CDB3008.pause": "The API's rate limit was reached; all requests are paused for {seconds} s.",
  "CDB3008.throttle": "Throttling to about {requests} requests per {seconds} s; {queued} requests queued.",
  "CDB3008.tooHigh":
    "The API goes on refusing requests within {setting}, {requests} per {seconds} s. Lower it to the API's limit for one key, unless other programs use the same key.",
  "CDB3008.wait": "The API returned {status} and asked to wait {seconds} s before the next attempt.",
  "CDB3009.sharing":
    "Cannot share the rate limit through {setting}: {reason}. This process throttles only its own requests until Redis can be used.",
  "CDB3010.json": "the API returned {status} with a body that is not valid JSON",
  "CDB3010.other": "the API returned {status} with a different object than requested",
  "CDB3010.member": "the API returned {status} without a valid {member}",
  "CDB3010.large": "the server returned more than {megabytes} MB",
  "CDB3010.advice": "Check that {address} is the base URL of the API, then run `pulumi refresh`.",
  "CDB3011.ignored": "The API's response for {object} has a value of an undocumented type in {places}; it was ignored.",
  "CDB3012.advice": CHECK_GATEWAYS,
  "CDB3013.request": "{method} {path}: {outcome} after {duration} s, attempt {attempt}{id}.",
  "CDB3015.timeout": "the {seconds} s of customTimeouts.{operation} ended",
  "CDB3015.advice":
    "Allow more time in customTimeouts, or run the same command again; it sends only what still differs.",
  "CDB3300.advice": CHECK_GATEWAYS,
  "CDB3400.advice": "Fix the problem named in the API's response.",
  "CDB3401.advice": "Check {origin}.",
  "CDB3401.stored":
    "`pulumi refresh` and `pulumi destroy` use the keys of the last `pulumi up`: after a change of keys, run `pulumi up` first or add --run-program.",
  "CDB3403.advice": "Grant the key the missing permission, or use another key: change {origin}.",
  "CDB3404.advice": "Check the ids; `pulumi refresh` shows what still exists.",
  "CDB3407.advice":
    "Check the user name and password of the proxy in HTTPS_PROXY or HTTP_PROXY, or name the host of {address} in NO_PROXY if it can be reached without the proxy.",
  "CDB3409.advice": "It is not ready for changes yet: wait a moment, then run `pulumi up` again.",
  "CDB3413.advice":
    "The request is too large for the API, or for a proxy or gateway on the way to it: raise the limit there, or declare shorter lists.",
  "CDB3429.advice": "Wait until the rate limit resets, then run the same command again.",
  "CDB3431.advice":
    "The request's headers are too large for the API, or for a proxy or gateway on the way to it: check that {credentials} contain the key alone, and that no proxy adds long headers or cookies.",
  "CDB3500.advice": REPEAT,
  "CDB3501.advice": CHECK_GATEWAYS,
  "CDB3511.advice":
    "The network asks for a login: log in, with a browser, for example, then run the same command again.",
} as const;

export const requestExplanations: Explanations<typeof requestMessages> = {
  CDB3001: {
    cause:
      "The request never reached a server: nothing was changed. `ENOTFOUND` means that the host name is wrong or cannot be resolved, `ECONNREFUSED` that no server listens at that address, and `ERR_INVALID_URL` that `HTTPS_PROXY` or `HTTP_PROXY` is not a URL.",
    action: "Correct the address. Behind a proxy, set [`HTTPS_PROXY`](configuration.md#proxies-and-rate-limits).",
  },
  CDB3002: {
    cause: "The server could not prove that it is who it should be, and nothing was sent to it.",
    action: "If a proxy of your company signs connections, name its certificate in `NODE_EXTRA_CA_CERTS`.",
  },
  CDB3003: {
    cause: "There was no complete response. The API may have carried out the request.",
    action:
      "Run the same command again: it repeats changes safely. The creation of a service is never repeated: see [CDB4001](#cdb4001).",
  },
  CDB3004: {
    cause:
      "A message, not an error: a request has failed twice and is repeated. The message has the reason, and appears at most every 30 seconds, however many requests fail.",
  },
  CDB3005: {
    cause:
      "Pulumi was killed, and a plugin that survived it refused to send a request whose result nobody would store.",
    action: "Follow [After a crash](guides/after-a-crash.md).",
  },
  CDB3006: {
    cause:
      "You pressed Ctrl-C while the request waited for the rate limit or for its next attempt. It was not carried out: nothing was created or changed by it. An operation that had already changed something is finished first.",
    action: "Run the same command again.",
  },
  CDB3007: {
    cause: "An id is empty or consists of dots. Nothing was sent.",
    action: "Check the id in the program.",
  },
  CDB3008: {
    cause:
      "A message, not an error: the key has sent too many requests, or the API asks to wait. The provider slows down by itself; only a wait that is longer than its limit is an error. Other programs with the same key share its limit. Ctrl-C ends the wait. If the limit that processes share, `clouddb:rateLimit`, is higher than the API's, the API refuses requests in every window; all of them are repeated.",
    action:
      "Only a message about `clouddb:rateLimit` needs an action: lower it to what the API allows for one key, unless other programs use the same key.",
  },
  CDB3009: {
    cause:
      "A message, not an error: the server of `clouddb:rateLimitUrl` cannot be used, so each process keeps to a quarter of `clouddb:rateLimit` on its own, and the API may refuse more requests, which are repeated. Nothing else changes, and the process uses the server again within seconds once it can.",
    action: "[When Redis fails](guides/share-rate-limit.md#when-redis-fails) has more.",
  },
  CDB3010: {
    cause:
      "The response reports success or is larger than any of the API, and the provider cannot tell what is true now. The change may have been made.",
    action: "Run `pulumi refresh`, which reads the current values.",
  },
  CDB3011: {
    cause: "A warning: one value of the response is not what the API documents. The state keeps the value that it had.",
  },
  CDB3012: {
    cause:
      "The server returned 400, 403, 404 or 422 with a body that is not from the API: a proxy, a gateway, a firewall or another server responded.",
    action:
      "Check `clouddb:baseUrl`, and the [proxies](configuration.md#proxies-and-rate-limits) and gateways on the way. The text of the response, which the message shows, may name the reason.",
  },
  CDB3013: {
    cause:
      "A message, not an error: a request to the API, shown because of `--debug`. [Slow commands](guides/slow-commands.md) explains its parts.",
  },
  CDB3015: {
    cause:
      "The operation took longer than the resource option `customTimeouts` allows, waits for the rate limit and for retries included. The message says what has been done until then. A request that was on its way was waited for, so nothing is lost: what was created or changed is in the stack.",
    action:
      "Allow more time in [`customTimeouts`](configuration.md#options-of-pulumi), or run the same command again. The [requests](guides/slow-commands.md) show what took so long.",
  },
  CDB3300: {
    cause:
      "The server returned a status without a code of its own below, such as a redirect. The provider does not follow redirects, because they would send your key to another server.",
    action:
      "For a redirect, set `clouddb:baseUrl` to the address where the API is, for example with `https`. Otherwise check proxies and gateways on the way.",
  },
  CDB3400: {
    cause:
      "The API returned 400, 422 or another status below 500 without a code of its own here: it refused the request; its own reason follows in the message. Nothing was changed by this request.",
    action:
      "Correct the values. If the preview could have known, please [report it](https://github.com/pulumi-clouddb/pulumi-clouddb/issues).",
  },
  CDB3401: {
    cause:
      "The API returned 401: the key is wrong, revoked or belongs to another API. The message names the place that the key was read from; the second sentence follows only for a key that the state stores.",
    action: "If you have just changed it, see [Passwords and keys](guides/passwords-and-keys.md).",
  },
  CDB3403: {
    cause: "The API returned 403: the key is valid but not allowed to do this.",
    action: "Grant it the permission, or use another key.",
  },
  CDB3404: {
    cause: "The API returned 404: the object does not exist in this organization.",
    action:
      "Compare the id and `organizationId` with your provider's console. If it was deleted outside of Pulumi, `pulumi refresh` removes it from the state.",
  },
  CDB3407: {
    cause: "A proxy returned 407: it needs a user name and a password.",
    action:
      "Write them into the [proxy's address](configuration.md#proxies-and-rate-limits): `http://user:password@host:port`.",
  },
  CDB3409: {
    cause:
      "The API returned 409, 423, 424 or 425: the object exists, and another change of it is still in progress. The provider has waited and retried already.",
    action: "Wait a moment, then run `pulumi up` again.",
  },
  CDB3413: {
    cause: "The server returned 413: the body of the request, such as a long access list, is larger than it takes.",
    action: "Raise the limit of the proxy or gateway that responded, or declare fewer entries.",
  },
  CDB3429: {
    cause:
      "The API returned 429: the key has sent too many requests, and the rate limit requires a longer wait than the provider accepts. Other programs with the same key share its limit.",
    action: "Wait until the limit resets. Many processes can [share the limit](guides/share-rate-limit.md).",
  },
  CDB3431: {
    cause: "The server returned 431. The provider sends few headers; the longest has the key.",
    action: "Check the key for text that does not belong to it, and proxies for headers and cookies that they add.",
  },
  CDB3500: {
    cause:
      "The API, or a proxy before it, returned 408 or a status from 500 on. The provider has retried the request as far as that was safe; the API may have carried it out.",
    action: "Run the same command again once the API works.",
  },
  CDB3501: {
    cause:
      "The server returned 501, 505, 506 or 510, or a gateway 525 or 526: it does not support the request, or does not trust the server behind it.",
    action: "Check `clouddb:baseUrl`, and the gateway that responded.",
  },
  CDB3511: {
    cause: "The server returned 511: a network, such as that of a hotel, asks for a login before it lets requests out.",
    action: "Log in to the network.",
  },
};
